/** Content negotiation by `Accept`: which of the formats a response is written in. */

import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';

export const FORMATS = ['json', 'csv', 'arrow', 'parquet'] as const;

export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Record<Format, string> = {
  json: 'application/json',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
};

export const CONTENT_TYPES: Record<Format, string> = {
  ...MEDIA_TYPES,
  csv: 'text/csv; charset=utf-8',
};

/** One entry of `Accept` or `Accept-Encoding`. */
export interface Preference {
  /** In lower case. */
  name: string;
  /** From 0, which refuses, to 1. */
  quality: number;
}

const QUALITY = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i;

/** Reads the entries of a header in their order; an empty header has none. */
export function preferencesFrom(header: string): Preference[] {
  return header
    .split(',')
    .map((part) => ({
      name: part.split(';', 1)[0].trim().toLowerCase(),
      quality: Number(QUALITY.exec(part)?.[1] ?? 1),
    }))
    .filter(({ name }) => name !== '');
}

/** Returns how exactly a range names a type: 2 itself, 1 its family, 0 anything, −1 not at all. */
function closeness(range: string, type: string): number {
  if (range === type) return 2;
  if (range === '*/*') return 0;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 1 : -1;
}

/**
 * Chooses the format of a response.
 *
 * @param requested The parameter `format`, which overrides the header.
 * @param accept The header `Accept`. Of formats with equal quality, the one named more exactly
 *   wins, then the one named first, then the one that comes first in `formats`.
 * @param formats Formats of the path.
 * @throws {HttpError} 406: the header accepts none of them.
 */
export function chosenFormat<T extends Format>(
  requested: T | undefined,
  accept: string | undefined,
  formats: readonly T[],
): T {
  if (requested) return requested;
  if (accept === undefined || accept === '*/*') return formats[0];
  const ranges = preferencesFrom(accept);
  // An empty header means the same as none.
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
