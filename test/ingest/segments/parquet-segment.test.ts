import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BarColumns } from '../../../src/base/bars.ts';
import { limits } from '../../../src/base/limits.ts';
import { type SegmentHead, stageSeries } from '../../../src/ingest/segments/parquet-segment.ts';
import {
  countReasons,
  startQuarantine,
  writeQuarantine,
} from '../../../src/ingest/segments/quarantine.ts';
import { readQuarantine } from '../../../src/ingest/segments/quarantine-counts.ts';
import { openScratch } from '../../../src/ingest/segments/scratch.ts';
import { eachTest } from '../support/each-test.ts';
import { readSegment, testContext } from '../support/segment-rows.ts';

const DAY_US = 86_400_000_000n;
const head: SegmentHead = {
  source: 'sandbox',
  interval: '1d',
  basis: 'raw',
  asOfUs: 1n,
  origin: 'test',
};

/** Weekdays from 2024-10-07 on with the given closes. High and low are one above and below. */
function barsOfCloses(closes: number[]): BarColumns {
  return {
    timestampUs: BigInt64Array.from(
      closes,
      (_, i) => BigInt(20_003 + i + 2 * Math.floor(i / 5)) * DAY_US,
    ),
    open: Float64Array.from(closes),
    high: Float64Array.from(closes, (close) => close + 1),
    low: Float64Array.from(closes, (close) => close - 1),
    close: Float64Array.from(closes),
    volume: Float64Array.from(closes, () => 100),
  };
}

describe('stageSeries', () => {
  const at = eachTest();

  it('lands rows of every symbol, sorted by symbol and time', async () => {
    const segment = await stageSeries(
      head,
      [
        { symbol: 'BBB', bars: barsOfCloses([7, 8]) },
        { symbol: 'AAA', bars: barsOfCloses([5, 6, 4]) },
      ],
      at.context,
    );
    expect(segment.files.map(({ symbol, dataLines }) => [symbol, dataLines])).toEqual([
      ['AAA', 3],
      ['BBB', 2],
    ]);
    const rows = await readSegment(segment);
    expect(rows.map(({ symbol, date, close }) => [symbol, date, close])).toEqual([
      ['AAA', '2024-10-07', 5],
      ['AAA', '2024-10-08', 6],
      ['AAA', '2024-10-09', 4],
      ['BBB', '2024-10-07', 7],
      ['BBB', '2024-10-08', 8],
    ]);
    expect(await readdir(at.context.paths.segments)).toEqual([`${segment.id}.parquet`]);
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  it('gives the same id for the same rows in another order, and another for other rows', async () => {
    const a = { symbol: 'AAA', bars: barsOfCloses([5, 6]) };
    const b = { symbol: 'BBB', bars: barsOfCloses([7]) };
    const first = await stageSeries(head, [a, b], at.context);
    const second = await stageSeries(head, [b, a], at.context);
    const third = await stageSeries(
      head,
      [a, { symbol: 'BBB', bars: barsOfCloses([8]) }],
      at.context,
    );
    expect(second.id).toBe(first.id);
    expect(third.id).not.toBe(first.id);
  });

  it('refuses broken rows with reasons and keeps the others', async () => {
    const bars = barsOfCloses([5, Number.NaN, 6, Number.POSITIVE_INFINITY, 7, 8, 9]);
    bars.low[4] = 7.5;
    bars.volume[5] = -1;
    bars.timestampUs[6] = bars.timestampUs[0];
    const segment = await stageSeries(head, [{ symbol: 'AAA', bars }], at.context);
    expect(Object.fromEntries(segment.rejectedByReason)).toEqual({
      'open is missing': 1,
      'open is not a finite number': 1,
      'low is above open or close': 1,
      'volume is below zero': 1,
      'a newer line has the same date': 1,
    });
    expect(segment.rejectedLines).toBe(5);
    const rows = await readSegment(segment);
    expect(rows.map(({ date, close }) => [date, close])).toEqual([
      ['2024-10-07', 9],
      ['2024-10-09', 6],
    ]);
    const quarantine = await readFile(
      join(at.context.paths.quarantine, `${segment.id}.csv`),
      'utf8',
    );
    expect(quarantine.split('\n').slice(0, 3)).toEqual([
      'source,file,line,reason,text',
      'sandbox,AAA,1,a newer line has the same date,"2024-10-07 00:00:00,5.0,6.0,4.0,5.0,100.0"',
      'sandbox,AAA,2,open is missing,"2024-10-08 00:00:00,100.0"',
    ]);
    const { files, uncounted } = readQuarantine(at.context.paths.quarantine);
    expect(files).toMatchObject([{ source: 'sandbox', rows: 5 }]);
    expect(files[0].reasons).toEqual(Object.fromEntries(segment.rejectedByReason));
    expect(uncounted).toBe(0);
  });

  it('refuses the bar of a session that is still open, and gives a new id once it has closed', async () => {
    const bars = barsOfCloses([5, 6]);
    const morning = testContext(at.root, '2024-10-07T15:00:00Z');
    const evening = testContext(at.root, '2024-10-07T21:00:00Z');
    const first = await stageSeries(head, [{ symbol: 'AAA', bars }], morning);
    const second = await stageSeries(head, [{ symbol: 'AAA', bars }], evening);
    expect(Object.fromEntries(first.rejectedByReason)).toEqual({
      'date is after the latest completed session': 1,
      'date is in the future': 1,
    });
    expect(second.rejectedLines).toBe(1);
    expect(second.id).not.toBe(first.id);
  });
});

it('a quarantine file is bounded, and counts the rows that it leaves out', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tapeworks-'));
  const context = testContext(root, '2026-11-20T22:00:00Z');
  const scratch = await openScratch(context);
  await startQuarantine(scratch);
  const { quarantineRowsMax } = limits.ingest;
  Object.assign(limits.ingest, { quarantineRowsMax: 1000 });
  onTestFinished(() => void Object.assign(limits.ingest, { quarantineRowsMax }));
  const total = 1000 + 2;
  const connection = await scratch.connect();
  await connection.run(
    `INSERT INTO rejected SELECT 0, ${total} - i, 'x is y', 'a,"b' FROM range(${total}) t(i)`,
  );
  await writeQuarantine(scratch, context, { id: 'id', source: 'files', names: ["it's, mine.csv"] });
  const path = join(context.paths.quarantine, 'id.csv');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'source,file,line,reason,text',
    'files,"it\'s, mine.csv",1,x is y,"a,""b"',
  ]);
  expect(lines.at(-1)).toBe('files,,,2 more rows were refused and are not listed,');
  expect(lines).toHaveLength(total);
  expect(await countReasons(scratch)).toEqual(new Map([['x is y', total]]));
  await scratch.close();
  await rm(root, { recursive: true });
});
