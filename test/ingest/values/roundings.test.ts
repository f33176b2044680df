/**
 * Highs and lows inside of open and close by a rounding. yfinance multiplies high and close by
 * factors that it computes apart: 2 of 6,288 days of SPY were lost for the last bit.
 */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { stageSeries } from '../../../src/ingest/segments/parquet-segment.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne, readSegment } from '../support/segment-rows.ts';

const at = eachTest();

const [HIGH, CLOSE] = [92.34915924072264, 92.34915924072266];

async function read(...bars: string[]) {
  const lines = bars.map((bar, i) => `2024-03-0${i + 4},${bar},5`);
  await at.write({ 'SPY.csv': `date,open,high,low,close,volume\n${lines.join('\n')}\n` });
  const { rows, reasons, segment } = await fetchOne(
    fetchFiles({ path: join(at.folder, 'SPY.csv') }, at.context),
  );
  const prices = rows.map(({ open, high, low, close }) => [open, high, low, close]);
  return { prices, reasons, notes: segment.notes };
}

const NOTE = 'the high or low of 2 bars missed open or close by a rounding, and was moved to it';

it('moves a high or low that misses open or close by the last bit, and counts it', async () => {
  const bars = [`92,${HIGH},91,${CLOSE}`, `${HIGH},93,${CLOSE},92.5`, '92,93,91,92.5'];
  expect(await read(...bars)).toEqual({
    prices: [
      [92, CLOSE, 91, CLOSE],
      [HIGH, 93, HIGH, 92.5],
      [92, 93, 91, 92.5],
    ],
    reasons: {},
    notes: [NOTE],
  });
});

it('moves one that misses by a step of a 32-bit float', async () => {
  const { prices } = await read('92,92.34915,91,92.34916');
  expect(prices).toEqual([[92, 92.34916, 91, 92.34916]]);
});

it('refuses one that misses by a ten-thousandth of a dollar', async () => {
  const { prices, reasons } = await read('92,92.3491,91,92.3492', '92,93,92.0001,93', '1,2,1,2');
  expect([prices.length, reasons]).toEqual([
    1,
    { 'high is below open or close': 1, 'low is above open or close': 1 },
  ]);
});

it('does so for bars of minutes', async () => {
  const bar = `2024-03-04 10:00,92,${HIGH},91,${CLOSE},5\n`;
  await at.write({ 'SPY.csv': `date,open,high,low,close,volume\n${bar}` });
  const options = {
    path: join(at.folder, 'SPY.csv'),
    zone: 'UTC',
    interval: '1m',
    stamps: 'start',
  } as const;
  const { rows, segment } = await fetchOne(fetchFiles(options, at.context));
  expect([rows[0].high, segment.notes]).toEqual([CLOSE, [NOTE.replace('2 bars', 'a bar')]]);
});

it('does so for bars of vendors', async () => {
  const bars = {
    timestampUs: new BigInt64Array([BigInt(Date.parse('2024-03-04')) * 1000n]),
    open: new Float64Array([92]),
    high: new Float64Array([HIGH]),
    low: new Float64Array([91]),
    close: new Float64Array([CLOSE]),
    volume: new Float64Array([5]),
  };
  const head = { source: 'yahoo', interval: '1d', basis: 'split', origin: 'x' } as const;
  const segment = await stageSeries(
    { ...head, asOfUs: undefined },
    [{ symbol: 'SPY', bars }],
    at.context,
  );
  const [row] = await readSegment(segment);
  expect([row.high, segment.notes]).toEqual([CLOSE, [NOTE.replace('2 bars', 'a bar')]]);
});
