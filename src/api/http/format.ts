/** Which of the three formats an answer is written in. */

import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { wishesFrom } from './accept-list.ts';

export const FORMATS = ['json', 'csv', 'arrow'] as const;

export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Record<Format, string> = {
  json: 'application/json',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
};

export const CONTENT_TYPES: Record<Format, string> = {
  ...MEDIA_TYPES,
  csv: 'text/csv; charset=utf-8',
};

/** How exactly a range names a type: 2 itself, 1 its family, 0 anything, −1 not at all. */
function closeness(range: string, type: string): number {
  if (range === type) return 2;
  if (range === '*/*') return 0;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 1 : -1;
}

/**
 * The format of an answer.
 *
 * @param asked The parameter `format`, which wins over the header.
 * @param accept The header `Accept`. Of formats it likes equally the one named more exactly
 *   wins, then the one named first, then the one that comes first in `formats`.
 * @param formats Those that the path can answer in.
 * @throws {HttpError} 406: the header accepts none of them.
 */
export function chosenFormat<T extends Format>(
  asked: T | undefined,
  accept: string | undefined,
  formats: readonly T[],
): T {
  if (asked) return asked;
  if (accept === undefined || accept === '*/*') return formats[0];
  const ranges = wishesFrom(accept);
  // An empty header says no more than none.
  if (ranges.length === 0) return formats[0];
  const candidates = formats
    .map((format, order) => {
      const matches = ranges
        .map(({ name, quality }, index) => ({
          quality,
          index,
          closeness: closeness(name, MEDIA_TYPES[format]),
        }))
        .filter((match) => match.closeness >= 0)
        .sort((a, b) => b.closeness - a.closeness);
      return { format, order, best: matches[0] };
    })
    .filter(({ best }) => best && best.quality > 0);
  candidates.sort(
    (a, b) =>
      b.best.quality - a.best.quality ||
      b.best.closeness - a.best.closeness ||
      a.best.index - b.best.index ||
      a.order - b.order,
  );
  if (candidates.length === 0) {
    const known = formats.map((format) => MEDIA_TYPES[format]).join(', ');
    throw new HttpError(406, `Accept must allow one of ${known}, got ${quoted(accept)}`);
  }
  return candidates[0].format;
}
