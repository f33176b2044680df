/** LEAN's bars: no header, and prices that count ten-thousandths of a dollar. */

import { basename } from 'node:path';
import { MalformedInputError } from '../../base/errors.ts';
import { withPoint } from '../values/fixed-point.ts';
import { statement, type TableShape } from './shape.ts';

const NAME = /^(\d{4})(\d{2})(\d{2})_(.+)_(minute|second|hour|daily)_(trade|quote)\.csv$/i;
const DAY = /^\d{8} \d{2}:\d{2}$/;
const WIDTH = 6;
const PLACES = 4;
const MILLIS_PER_SECOND = 1000;

export const lean: TableShape = {
  words: "LEAN's bars",
  recognise({ name, header }) {
    const [, year, month, day, symbol, , kind] = NAME.exec(basename(name)) ?? [];
    if (kind?.toLowerCase() === 'quote') {
      throw new MalformedInputError('it holds quotes of LEAN: only its trades are bars');
    }
    const isMillis = symbol !== undefined && /^\d{1,8}$/.test(header[0]);
    if (header.length !== WIDTH || !(isMillis || DAY.test(header[0]))) return undefined;
    if (!header.slice(1).every((text) => /^\d+(?:\.0)?$/.test(text))) return undefined;
    const stampOf = (text: string) =>
      isMillis && /^\d{1,8}$/.test(text)
        ? `${year}-${month}-${day} ${clockFrom(Number(text))}`
        : text;
    return {
      header: ['date', 'open', 'high', 'low', 'close', 'volume'],
      headerLines: 0,
      stated: {
        zone: statement('America/New_York', "LEAN's times are those of the exchange"),
        ...(symbol && { symbol: statement(symbol.toUpperCase(), 'the name of the file holds it') }),
      },
      rows: ([stamp = '', ...values]) => [
        [stampOf(stamp), ...values.map((text, at) => (at < 4 ? priceFrom(text) : text))],
      ],
    };
  },
};

const BESIDE: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    /(?:^|\/)factor_files\/[^/]+\.csv$/i,
    'it has factors of LEAN and no bars: for splits and dividends load it with backfill files corporate-actions',
  ],
  [
    /(?:^|\/)map_files\/[^/]+\.csv$/i,
    'it has tickers of LEAN and no bars: load it with symbols load',
  ],
];

/** Returns why a file of LEAN's data folder is none of bars, by its path; undefined for others. */
export function besideBars(path: string): string | undefined {
  return BESIDE.find(([pattern]) => pattern.test(path))?.[1];
}

/** `09:30:00` from milliseconds after midnight. */
function clockFrom(millis: number): string {
  return new Date(millis - (millis % MILLIS_PER_SECOND)).toISOString().slice(11, 19);
}

function priceFrom(text: string): string {
  return withPoint(text.replace(/^(\d+)\.0$/, '$1'), PLACES);
}
