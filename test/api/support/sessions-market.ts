/** Minutes of a week with a holiday and a half day at all hours, beside the fixture market. */

import { type BarColumns, type Basis, blankBars } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { IntradaySeriesInterval } from '../../../src/base/time/intervals.ts';
import { hoursOfTradingDay, type SessionHours } from '../../../src/base/time/trading-sessions.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { factsRow } from '../../store/arrow/support/published-rows.ts';
import {
  fixtureSymbols,
  infoOf,
  listingOf,
  NOW_MS,
  publishMarket,
  quoteOf,
} from './market-fixture.ts';

/** Monday of Thanksgiving's week, and its Friday, which is a half day. */
export const SESSIONS_FROM = '2025-11-24';
export const SESSIONS_TO = '2025-11-28';

function barsWhere(isWanted: (hours: SessionHours) => boolean, stepMinutes: number): BarColumns {
  const starts: number[] = [];
  for (let day = dayFromDate(SESSIONS_FROM); day <= dayFromDate(SESSIONS_TO); day++) {
    for (const hours of hoursOfTradingDay(day)) {
      if (!isWanted(hours)) continue;
      for (let ms = hours.startMs; ms < hours.endMs; ms += stepMinutes * 60_000) starts.push(ms);
    }
  }
  const bars = blankBars(starts.length);
  for (const [row, ms] of starts.entries()) {
    const price = 100 + 10 * Math.sin(row / 50);
    bars.timestampUs[row] = BigInt(ms) * 1000n;
    bars.open[row] = price;
    bars.high[row] = price + 0.25;
    bars.low[row] = price - 0.5;
    bars.close[row] = price + 0.1;
    bars.volume[row] = 100 + (row % 13);
  }
  return bars;
}

/** Bars of ABC outside of regular hours, also when no session is open. */
export function otherHours(): BarColumns {
  return barsWhere(({ session }) => session !== 'regular', 15);
}

interface Series {
  symbol: string;
  interval: IntradaySeriesInterval;
  basis: Basis;
  bars: BarColumns;
}

function allSeries(): Series[] {
  const regular = (step: number) => barsWhere(({ session }) => session === 'regular', step);
  const around = barsWhere(({ session }) => session === 'pre' || session === 'post', 60);
  return [
    { symbol: 'ABC', interval: '1m', basis: 'raw', bars: regular(3) },
    { symbol: 'ABC', interval: '1m-extended', basis: 'raw', bars: otherHours() },
    { symbol: 'BRK.B', interval: '5m', basis: 'all', bars: regular(5) },
    { symbol: 'BRK.B', interval: '5m-extended', basis: 'raw', bars: around },
    { symbol: 'NEW', interval: '1m-extended', basis: 'raw', bars: around },
  ];
}

export async function publishSessionsMarket(folder: string): Promise<void> {
  const daily = fixtureSymbols();
  const series = allSeries();
  await publishMarket(folder, daily);
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  for (const [number, { interval, bars }] of series.entries()) {
    const rows = { firstRow: 0, bars, indicators: [] };
    publication.intradayLayer.addBatch(number, interval, 'patches', rows);
  }
  const names = daily.map(({ symbol }) => symbol);
  const isDaily = names.includes('NEW');
  await publication.commit({
    seq: 2,
    storeMark: 'fixture',
    createdMs: NOW_MS,
    replacesLayers: false,
    currentYear: 2026,
    symbols: [
      ...daily.map(infoOf),
      ...(isDaily ? [] : [factsRow('NEW', { asOfUs: BigInt(NOW_MS) * 1000n })]),
    ],
    quotes: daily.map(quoteOf),
    directory: [...new Set([...names, 'NEW'])].sort().map((symbol, row) => listingOf(symbol, row)),
    intraday: {
      tier: 'month',
      layersKept: 0,
      series: series.map(({ symbol, interval, basis, bars }) => {
        return { symbol, interval, source: 'files', basis, asOfUs: bars.timestampUs.at(-1)! };
      }),
    },
  });
}
