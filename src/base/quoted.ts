/** Texts of others in our messages: as much as tells them apart, never a page of it. */

import { limits } from './limits/limits.ts';

/** The text, cut where it is too long for a message. */
export function shortened(text: string): string {
  const max = limits.echo.charsMax;
  if (text.length <= max) return text;
  // Half of a pair can't be written.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The same in quotation marks. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
