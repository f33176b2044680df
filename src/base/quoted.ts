/** Shortens texts of others for our messages, and makes them harmless for a terminal. */

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

/**
 * Characters that a terminal obeys instead of showing, or that turn the direction of a line: C0
 * without the line feed and the tab, DEL, C1, marks of direction, and separators of lines.
 */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const BREAKS = /[\t\n]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Replaces characters that a terminal obeys by their escapes, as JSON has them; a JSON document
 * stays the same document.
 */
export function visible(text: string): string {
  return text.replace(OBEYED, escaped);
}

/** Makes a text of others harmless for good, before it is stored; line ends become line feeds. */
export function marked(text: string): string {
  return visible(text.replace(/\r\n?/g, '\n'));
}

/** Returns true if a text of one line has nothing that a terminal obeys. */
export function isVisible(text: string): boolean {
  return visibleCell(text) === text;
}

/** Replaces line feeds and tabs too, which would break a table. */
export function visibleCell(text: string): string {
  return visible(text).replace(BREAKS, (one) => (one === '\t' ? '\\t' : '\\n'));
}
