/** Minutes and five minutes beside the daily bars of the fixture market. */

import { cpSync } from 'node:fs';
import { type BarColumns, type Basis, blankBars } from '../../../src/base/bars.ts';
import { nextSession, sessionCloseMs, sessionOpenMs } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { StoredIntraday } from '../../../src/base/time/intervals.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { factsRow } from '../../store/arrow/support/published-rows.ts';
import { madeOnce } from '../../support/made-once.ts';
import {
  fixtureSymbols,
  infoOf,
  listingOf,
  NOW_MS,
  publishMarket,
  quoteOf,
} from './market-fixture.ts';

export interface FixtureIntraday {
  symbol: string;
  interval: StoredIntraday;
  basis: Basis;
  bars: BarColumns;
}

/** A session on which `MIN` has no trades at all, and a half day. */
export const QUIET_DAY = dayFromDate('2025-12-22');
export const HALF_DAY = dayFromDate('2025-12-24');

/**
 * @param isKept Which minutes have trades, by number in the session; all of them where absent.
 */
export function sessionBars(
  firstDay: number,
  lastDay: number,
  stepMinutes: number,
  isKept: (minute: number, day: number) => boolean = () => true,
): BarColumns {
  const stampsMs: number[] = [];
  for (let day = firstDay; day <= lastDay; day = nextSession(day)) {
    const openMs = sessionOpenMs(day);
    for (let ms = openMs; ms < sessionCloseMs(day); ms += stepMinutes * 60_000) {
      if (isKept((ms - openMs) / 60_000, day)) stampsMs.push(ms);
    }
  }
  const bars = blankBars(stampsMs.length);
  stampsMs.forEach((ms, row) => {
    const price = 100 + 10 * Math.sin(row / 50);
    bars.timestampUs[row] = BigInt(ms) * 1000n;
    bars.open[row] = price;
    bars.high[row] = price + 0.25 + (row % 7) / 100;
    bars.low[row] = price - 0.5;
    bars.close[row] = price + 0.1;
    bars.volume[row] = 100 + (row % 13);
  });
  return bars;
}

/**
 * `ABC` has minutes, over a split and a dividend (those of its daily bars); `BRK.B` five minutes,
 * as its vendor adjusted them; `MIN`, which was called `HOUR`, minutes and no daily bars,
 * every third one missing.
 */
export function fixtureIntraday(): FixtureIntraday[] {
  const day = dayFromDate;
  return [
    {
      symbol: 'ABC',
      interval: '1m',
      basis: 'raw',
      bars: sessionBars(day('2025-06-12'), day('2025-10-03'), 1, (_, at) => at % 7 < 3),
    },
    {
      symbol: 'BRK.B',
      interval: '5m',
      basis: 'all',
      bars: sessionBars(day('2025-12-29'), day('2026-01-05'), 5),
    },
    {
      symbol: 'MIN',
      interval: '1m',
      basis: 'raw',
      bars: sessionBars(
        day('2025-12-19'),
        day('2026-01-05'),
        1,
        (minute, at) => minute % 3 !== 2 && at !== QUIET_DAY,
      ),
    },
  ];
}

const minFacts = factsRow('MIN', { asOfUs: BigInt(NOW_MS) * 1000n });

/** Writes the market to a serving folder. A run makes it once. */
export async function publishIntradayMarket(folder: string): Promise<void> {
  cpSync(await madeOnce('intraday-market', makeIntradayMarket), folder, { recursive: true });
}

/** Publishes the fixture market, and intraday bars over it. */
async function makeIntradayMarket(folder: string): Promise<void> {
  const daily = fixtureSymbols();
  const intraday = fixtureIntraday();
  await publishMarket(folder, daily);
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  intraday.forEach(({ interval, bars }, number) => {
    publication.intradayLayer.addBatch(number, interval, 'patches', {
      firstRow: 0,
      bars,
      indicators: [],
    });
  });
  const [min] = intraday.filter(({ symbol }) => symbol === 'MIN');
  await publication.commit({
    seq: 2,
    storeMark: 'fixture',
    createdMs: NOW_MS,
    replacesLayers: false,
    currentYear: 2026,
    symbols: [...daily.map(infoOf), minFacts],
    quotes: [...daily.map(quoteOf), quoteOf({ ...daily[0], symbol: 'MIN', bars: min.bars })],
    directory: [...daily.map(({ symbol }) => symbol), 'MIN', 'WAIT'].sort().map((symbol, row) => ({
      ...listingOf(symbol, row),
      formerTickers: symbol === 'MIN' ? 'HOUR 2020-06-30' : '',
    })),
    intraday: {
      tier: 'month',
      layersKept: 0,
      series: intraday.map(({ symbol, interval, basis, bars }) => ({
        symbol,
        interval,
        source: 'files',
        basis,
        asOfUs: bars.timestampUs.at(-1) as bigint,
      })),
    },
  });
}
