/** Lines of statements, written as text. */

import type { ShownLine } from '../../../../../../src/ingest/vendors/sec/face/lines.ts';

/**
 * Reads lines as `Concept label amount`. A concept that starts with a small letter is the filer's
 * own, one with a taxonomy keeps it; `!` behind the amount shows it with the other sign.
 */
export function linesOf(text: string): ShownLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [, concept, label, amount, turned] = /^\s*(\S+)\s+(.*?)\s+(-?[\d.]+)(!?)$/.exec(line)!;
      const value = Number(amount);
      return { concept: named(concept), label, value, shown: turned ? -value : value };
    });
}

function named(concept: string): string {
  if (concept.includes(':')) return concept;
  return /^[A-Z]/.test(concept) ? `us-gaap:${concept}` : `own:${concept}`;
}
