/** Shortens foreign texts for our messages. */

import { limits } from './limits.ts';

/** Returns the text, cut if it is too long for a message. */
export function shortened(text: string): string {
  const max = limits.echo.charsMax;
  if (text.length <= max) return text;
  // Half of a surrogate pair can't be encoded.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the shortened text in quotation marks. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
