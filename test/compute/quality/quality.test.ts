import { describe, expect, it } from 'vitest';
import type { Basis } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { qualityFlags } from '../../../src/compute/quality/quality.ts';
import type { QualityFlag } from '../../../src/compute/quality/quality-flag.ts';
import { hasRealdata } from '../../support/realdata.ts';
import {
  quietSeries,
  type RecordedSeries,
  recordedSeries,
  scaledRows,
} from '../support/quality-series.ts';

const UNKNOWN = { basis: 'all', splits: [], dividends: [] } as const;
const SPLIT_FLAGS = ['missing-split', 'doubled-split'];

const kinds = (flags: QualityFlag[]) => flags.map(({ row, flag }) => [row, flag]);

describe('qualityFlags', () => {
  it('finds nothing in ordinary series', () => {
    for (let seed = 1; seed <= 20; seed++) {
      expect(qualityFlags(quietSeries(500, seed), UNKNOWN)).toEqual([]);
    }
  });

  it('takes series of any length', () => {
    for (let length = 0; length <= 30; length++) {
      expect(qualityFlags(quietSeries(length), UNKNOWN)).toEqual([]);
    }
  });

  it('gives the flags of all checks by row', () => {
    const jumped = scaledRows(quietSeries(200), 150, 151, { price: 100 });
    const flags = qualityFlags(scaledRows(jumped, 100, 101, { volume: 1e-4 }), UNKNOWN);
    expect(kinds(flags)).toEqual([
      [100, 'volume-outlier'],
      [150, 'unit-jump'],
      [151, 'unit-jump'],
    ]);
  });

  it('flags a declared split that the raw prices do not show', () => {
    const bars = quietSeries(200);
    const exDay = Number(bars.timestampUs[100] / 86_400_000_000n);
    const splits = [{ exDay, numerator: 4, denominator: 1 }];
    const source = { basis: 'raw', splits, dividends: [] } as const;
    expect(kinds(qualityFlags(bars, source))).toEqual([[100, 'doubled-split']]);
    const split = scaledRows(bars, 100, 200, { price: 1 / 4, volume: 4 });
    expect(qualityFlags(split, source)).toEqual([]);
    expect(kinds(qualityFlags(split, UNKNOWN))).toEqual([[100, 'missing-split']]);
  });

  it('takes a large dividend for what it is', () => {
    const bars = scaledRows(quietSeries(200), 100, 200, { price: 0.5 });
    const exDay = Number(bars.timestampUs[100] / 86_400_000_000n);
    const amount = bars.close[99] - bars.open[100];
    const splits = [{ exDay: exDay + 3, numerator: 2, denominator: 1 }];
    const source = { basis: 'split', splits, dividends: [{ exDay, amount: 2 * amount }] } as const;
    expect(qualityFlags(bars, source)).toEqual([]);
    expect(kinds(qualityFlags(bars, { ...source, dividends: [] }))).toEqual([
      [100, 'missing-split'],
    ]);
  });
});

function flagsOf({ bars, splits, dividends }: RecordedSeries, basis: Basis): QualityFlag[] {
  return qualityFlags(bars, { basis, splits, dividends });
}

/** First row and row after the last of each stretch that the repaired twin has otherwise. */
function repairedRuns(broken: RecordedSeries, fixed: RecordedSeries): [number, number][] {
  expect(broken.bars.timestampUs).toEqual(fixed.bars.timestampUs);
  const runs: [number, number][] = [];
  for (let row = 0; row < broken.bars.close.length; row++) {
    const ratio = broken.bars.close[row] / fixed.bars.close[row];
    if (Math.abs(ratio - 1) < 1e-3) continue;
    if (runs.at(-1)?.[1] === row) runs[runs.length - 1][1]++;
    else runs.push([row, row + 1]);
  }
  return runs;
}

const TWINS: [name: string, flags: readonly string[]][] = [
  ['AET-L-1d-100x-error', ['unit-jump']],
  ['ASAI-L-1h-bad-unit', ['unit-jump']],
  ['SSW-JO-1d-100x-error', ['unit-jump']],
  ['4063-T-1d-bad-stock-split', SPLIT_FLAGS],
  ['ALPHA-PA-1d-bad-stock-split', SPLIT_FLAGS],
  ['CNE-L-1d-bad-stock-split', SPLIT_FLAGS],
  ['DEX-AX-1d-bad-stock-split', SPLIT_FLAGS],
  ['LA-V-1d-bad-stock-split', SPLIT_FLAGS],
  ['MOB-ST-1d-bad-stock-split', SPLIT_FLAGS],
  ['SPM-MI-1d-bad-stock-split', SPLIT_FLAGS],
];

describe.skipIf(!hasRealdata)('qualityFlags on series that a person repaired', () => {
  for (const [name, expected] of TWINS) {
    it(`marks where the wrong rows of ${name} begin or end, and nothing in the repaired twin`, () => {
      const broken = recordedSeries(`nasty/yfinance/${name}.csv`);
      const fixed = recordedSeries(`nasty/yfinance/${name}-fixed.csv`);
      const isJump = ({ flag }: QualityFlag) => flag === 'unit-jump' || SPLIT_FLAGS.includes(flag);
      const jumps = flagsOf(broken, 'split').filter(isJump);
      const runs = repairedRuns(broken, fixed);
      expect(runs.length).toBeGreaterThan(0);
      const edges = new Set(runs.flat());
      edges.delete(0);
      edges.delete(broken.bars.close.length);
      expect(jumps.map(({ row }) => row)).toEqual([...edges].sort((a, b) => a - b));
      for (const { flag } of jumps) expect(expected).toContain(flag);
      expect(flagsOf(fixed, 'split').filter(isJump)).toEqual([]);
    });
  }

  it('marks where the units of nasty/skender/bad.csv change', () => {
    const series = recordedSeries('nasty/skender/bad.csv');
    const jumps = flagsOf(series, 'all').filter(({ flag }) => flag === 'unit-jump');
    expect(dated(series, jumps)).toEqual([
      '2017-05-26 0.000001',
      '2017-08-08 100000000000',
      '2018-01-09 1e-15',
      '2018-03-14 10000000000',
    ]);
  });

  it('finds holes and a Saturday in nasty/skender/mismatch.csv, whose rows are out of order', () => {
    const series = recordedSeries('nasty/skender/mismatch.csv');
    expect(kinds(flagsOf(series, 'all'))).toEqual([
      [0, 'closed-day'],
      [1, 'missing-sessions'],
      [11, 'missing-sessions'],
    ]);
  });
});

/** Date and expected value of each flag. */
function dated({ bars }: RecordedSeries, flags: QualityFlag[]): string[] {
  return flags.map(({ row, expected }) => {
    const date = new Date(Number(bars.timestampUs[row] / 1000n)).toISOString().slice(0, 10);
    return `${date} ${expected}`;
  });
}

describe.skipIf(!hasRealdata)('qualityFlags on a real split', () => {
  const raw = recordedSeries('intraday/marketstore/aapl_raw.csv');
  const adjusted = recordedSeries('intraday/marketstore/aapl_adj.csv');
  const exDay = dayFromDate('2020-08-31');
  const splits = [{ exDay, numerator: 4, denominator: 1 }];
  const row = raw.bars.timestampUs.findIndex((us) => us >= BigInt(exDay) * 86_400_000_000n);

  it('says nothing where the basis is right', () => {
    expect(flagsOf({ ...raw, splits }, 'raw')).toEqual([]);
    expect(flagsOf({ ...adjusted, splits }, 'split')).toEqual([]);
  });

  it('says which way it is wrong', () => {
    expect(kinds(flagsOf({ ...raw, splits }, 'split'))).toEqual([[row, 'missing-split']]);
    expect(kinds(flagsOf(raw, 'raw'))).toEqual([[row, 'missing-split']]);
    expect(kinds(flagsOf({ ...adjusted, splits }, 'raw'))).toEqual([[row, 'doubled-split']]);
  });
});

describe.skipIf(!hasRealdata)('qualityFlags on downloaded files', () => {
  it.each([
    'daily/skender/default.csv',
    'daily/skender/msft.csv',
    'daily/yahoo_csv/brk-b.csv',
    'daily/yahoo_csv/sp500-2000.csv',
    'daily/yfinance_csv/CALM-1d-no-bad-divs.csv',
    'daily/yfinance_csv/EWG-1d-no-bad-divs.csv',
  ])('finds no jump, run or outlier in %s', (path) => {
    const flags = flagsOf(recordedSeries(path), 'split');
    expect(flags.filter(({ flag }) => flag !== 'missing-sessions')).toEqual([]);
  });

  // SPY traded between 60 and 300 million shares on each of these days.
  it('finds six days of SPY whose volume is a thousandth of the truth', () => {
    const series = recordedSeries('daily/other/SPY_D.pandas-ta.csv');
    const flags = flagsOf(series, 'split').filter(({ flag }) => flag !== 'missing-sessions');
    expect(new Set(flags.map(({ flag }) => flag))).toEqual(new Set(['volume-outlier']));
    expect(dated(series, flags).map((text) => text.slice(0, 10))).toEqual([
      '2007-05-11',
      '2007-05-14',
      '2007-05-15',
      '2007-05-16',
      '2007-05-17',
      '2010-03-18',
    ]);
  });
});
