/** Compares the bars that a backfill serves with the text of the files that it loaded. */

import { readFileSync } from 'node:fs';
import { MICROS_PER_MILLI } from '../../src/base/bars.ts';
import { symbolFromFileName } from '../../src/base/symbols.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { checkResult } from '../harness.ts';
import type { FileUniverse } from './backfill-files.ts';

const SERIES_CHECKED = 5;

/** Ends the benchmark when a series, of a few over the whole universe, is not that of its file. */
export function checkServedBars(serving: string, { paths, names }: FileUniverse): void {
  const version = openPublished(serving);
  checkResult(version !== undefined, 'nothing is published');
  try {
    for (let i = 0; i < SERIES_CHECKED; i++) {
      const place = Math.floor((i * paths.length) / SERIES_CHECKED);
      const symbol = symbolFromFileName(names[place], 'files');
      const [, ...rows] = readFileSync(paths[place], 'latin1').trim().split('\n');
      const { timestampUs, open, high, low, close, volume } = version.bars(symbol, '1d');
      checkResult(close.length === rows.length, `${symbol} has ${close.length} rows`);
      rows.forEach((row, at) => {
        const [date, ...numbers] = row.split(',');
        const served = [open[at], high[at], low[at], close[at], volume[at]];
        const isSame =
          Number(timestampUs[at]) === Date.parse(date) * MICROS_PER_MILLI &&
          served.every((value, column) => value === Number(numbers[column]));
        checkResult(isSame, `${symbol} ${row}`);
      });
    }
  } finally {
    version.close();
  }
}
