import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import {
  openSandbox,
  type SandboxPlan,
  sandboxMinuteSegments,
  sandboxPlan,
  sandboxSegments,
  sandboxSymbols,
} from '../../src/sandbox/source.ts';
import { readSegment, testContext } from '../ingest/support/segment-rows.ts';
import { freshFolder } from '../support/folders.ts';
import { long } from '../support/store-runs.ts';
import { useLimits } from '../support/use-limits.ts';

// Small segments, so that a small market needs several.
useLimits(limits.ingest, { sandboxSegmentRows: 20_000 });

const afterClose = '2026-11-20T21:00:00Z';
let root: string;

beforeEach(() => {
  root = freshFolder();
});

const sandboxOf = (plan: Partial<SandboxPlan>, { nowMs }: FetchContext) =>
  openSandbox(sandboxPlan(plan, nowMs), nowMs);

interface Wanted extends Partial<SandboxPlan> {
  storedThroughDay?: number;
}

async function fetchAll(
  { storedThroughDay, ...plan }: Wanted,
  context: FetchContext = testContext(root, afterClose),
): Promise<FetchedSegment[]> {
  return await Array.fromAsync(
    sandboxSegments(sandboxOf(plan, context), storedThroughDay, context),
  );
}

async function rowsOf(wanted: Wanted, context?: FetchContext) {
  const segments = await fetchAll(wanted, context);
  return (await Promise.all(segments.map(readSegment))).flat();
}

const small = { stocks: 28 };
/** A market of some days. */
const short = { ...small, fromDay: dayFromDate('2026-11-02') };

describe('sandboxSegments', () => {
  it('gives raw daily bars of five years and their actions, to the latest session', async () => {
    const segments = await fetchAll(small);
    const rows = (await Promise.all(segments.map(readSegment))).flat();
    const dates = rows.map(({ date }) => date).sort();
    expect([dates[0], dates.at(-1)]).toEqual(['2021-01-04', '2026-11-20']);
    expect(segments.length).toBeGreaterThan(1);
    for (const segment of segments) {
      expect(segment).toMatchObject({
        source: 'sandbox',
        interval: '1d',
        basis: 'raw',
        asOfUs: BigInt(Date.parse('2026-11-20T21:00:00Z')) * 1000n,
        rejectedLines: 0,
      });
    }
    const promised = segments.flatMap(({ files }) => files.map(({ dataLines }) => dataLines));
    expect(promised.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
    const actions = segments.flatMap((segment) => segment.actions ?? []);
    const symbols = segments.flatMap(({ files }) => files.map(({ symbol }) => symbol));
    expect(actions.map(({ symbol }) => symbol)).toEqual(symbols);
    for (const { coverageFromDay, coverageToDay } of actions) {
      expect([coverageFromDay, coverageToDay]).toEqual([
        dayFromDate('2021-01-04'),
        dayFromDate('2026-11-20'),
      ]);
    }
    expect(actions.flatMap(({ splits }) => splits).length).toBeGreaterThan(2);
    expect(actions.flatMap(({ dividends }) => dividends).length).toBeGreaterThan(100);
  });

  it('ends a session earlier until the close', async () => {
    const rows = await rowsOf(short, testContext(root, '2026-11-20T20:59:59Z'));
    expect(
      rows
        .map(({ date }) => date)
        .sort()
        .at(-1),
    ).toBe('2026-11-19');
  });

  it('stages the same segments again under the same names', async () => {
    const first = await fetchAll(short);
    const second = await fetchAll(short);
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect((await readdir(join(root, 'segments'))).sort()).toEqual(
      first.map(({ id }) => `${id}.parquet`).sort(),
    );
  });

  it('extends by the newer sessions alone, and by nothing when there is none', async () => {
    const until = (date: string) => ({ ...short, storedThroughDay: dayFromDate(date) });
    const newer = await rowsOf(until('2026-11-18'));
    expect(new Set(newer.map(({ date }) => date))).toEqual(new Set(['2026-11-19', '2026-11-20']));
    const whole = await rowsOf(short);
    expect(newer).toEqual(
      whole
        .filter(({ date }) => date > '2026-11-18')
        .sort((a, b) => (a.symbol + a.date < b.symbol + b.date ? -1 : 1)),
    );
    expect(await fetchAll(until('2026-11-20'))).toEqual([]);
    const weekend = testContext(root, '2026-11-22T12:00:00Z');
    expect(await fetchAll(until('2026-11-20'), weekend)).toEqual([]);
  });

  it('keeps to the days of its plan', async () => {
    const monday = testContext(root, '2020-01-06T12:00:00Z');
    const [segment] = await fetchAll({ ...small, fromDay: dayFromDate('2019-12-30') }, monday);
    const rows = await readSegment(segment);
    expect(new Set(rows.map(({ date }) => date))).toEqual(
      new Set(['2019-12-30', '2019-12-31', '2020-01-02', '2020-01-03']),
    );
    expect(segment.asOfUs).toBe(BigInt(Date.parse('2020-01-03T21:00:00Z')) * 1000n);
  });

  it('stops on an abort, and reports its progress', async () => {
    const stop = new AbortController();
    const steps: string[] = [];
    const context: FetchContext = {
      ...testContext(root, afterClose),
      signal: stop.signal,
      onProgress: (step, done, total) => {
        steps.push(`${step} ${done}/${total}`);
        stop.abort(new Error('stopped by the test'));
      },
    };
    await expect(fetchAll(small, context)).rejects.toThrow('stopped by the test');
    expect(steps).toEqual([expect.stringMatching(/^generate 1\d\/3\d$/)]);
  });
});

describe('sandboxSymbols', () => {
  it('names every symbol of the segments', async () => {
    const facts = sandboxSymbols(sandboxOf(short, testContext(root, afterClose)));
    const symbols = (await fetchAll(short)).flatMap(({ files }) =>
      files.map((file) => file.symbol),
    );
    expect(facts.map(({ symbol }) => symbol).sort()).toEqual(symbols.sort());
    expect(facts[0]).toEqual({
      symbol: 'QXAA',
      companyName: expect.stringMatching(/ \(synthetic\)$/),
      exchange: 'NASDAQ',
      type: 'stock',
      country: 'US',
      sector: 'Consumer Cyclical',
      industry: 'Apparel Retail',
    });
  });
});

describe('sandboxMinuteSegments', () => {
  const minutes = ({ storedThroughDay, ...plan }: Wanted) => {
    const context = testContext(root, afterClose);
    const sandbox = sandboxOf(plan, context);
    return Array.fromAsync(sandboxMinuteSegments(sandbox, storedThroughDay, context));
  };
  const sessionsOf = (rows: readonly { date: string }[]) =>
    [...new Set(rows.map(({ date }) => date.slice(0, 10)))].sort();

  long('gives ten sessions of the twenty largest stocks, extended hours first', async () => {
    const segments = await minutes({ stocks: 28 });
    expect(segments.map(({ interval, hours, basis }) => [interval, hours, basis])).toEqual([
      ['1m', 'extended', 'raw'],
      ['1m', 'regular', 'raw'],
    ]);
    for (const { files, rejectedLines } of segments) {
      expect(files).toHaveLength(20);
      expect(rejectedLines).toBe(0);
    }
    const [extended, regular] = await Promise.all(segments.map(readSegment));
    expect(sessionsOf(regular)).toHaveLength(10);
    expect(sessionsOf(regular).at(-1)).toBe('2026-11-20');
    expect(extended.length).toBeGreaterThan(20 * 10);
    expect(regular.length).toBeGreaterThan(20 * 10 * 370);
  });

  it('adds the sessions that are not stored, and none when there are none', async () => {
    const storedThroughDay = dayFromDate('2026-11-19');
    const [, regular] = await minutes({ stocks: 2, storedThroughDay });
    expect(sessionsOf(await readSegment(regular))).toEqual(['2026-11-20']);
    expect(await minutes({ stocks: 2, storedThroughDay: storedThroughDay + 1 })).toEqual([]);
    // A machine that was off for a month has the latest ten all the same.
    const old = { stocks: 2, storedThroughDay: storedThroughDay - 40 };
    expect(sessionsOf(await readSegment((await minutes(old))[1]))).toHaveLength(10);
  });
});
