/** Text whose first line is the SHA-256 of the rest: a changed bit anywhere is noticed. */

import { hash } from 'node:crypto';

/** @param content One line. */
export function hashedText(content: string): string {
  return `${hash('sha256', content)}\n${content}\n`;
}

/** Returns the content; undefined if it does not match its hash. */
export function contentOfHashed(text: string): string | undefined {
  const [sum, content = ''] = text.split('\n', 2);
  return hash('sha256', content) === sum ? content : undefined;
}
