/** Events of a study as rows. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import { basisAsOf } from '../../compute/bars/basis-as-of.ts';
import { scaleColumn } from '../../compute/bars/ratio.ts';
import { gathered } from '../../screens/run/bars-source.ts';
import { placesOf, type StudyRun } from '../../screens/study/run-study.ts';
import { type Entry, exitBars } from '../../screens/study/signal-returns.ts';
import { EARLY, EVENTS_AT_ONCE, type StudyEvents } from '../../screens/study/study-events.ts';
import { daysBetween, type StudyMarket, tickerOfDay } from '../../screens/study/study-market.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import type { StudyPart } from './tables.ts';

export function* eventsTable(
  snapshot: Snapshot,
  part: StudyPart,
  entry: Entry,
): Generator<undefined, Table> {
  const { run, market, horizons } = part;
  const { events, universe } = run;
  const { places, tickers, days } = yield* listedEvents(snapshot, market, run);
  const rowOf = new Int32Array(places.length);
  for (const [row, at] of places.entries()) rowOf[at] = row;
  const found = yield* placesInTime(market, events, rowOf, { entry, horizons });
  const columns: TableColumn[] = [
    { name: 'symbol', type: 'text', values: tickers },
    { name: 'date', type: 'date', values: days },
    { name: 'entry_date', type: 'optionalDate', values: found.entryDays },
    { name: 'entry_gap', type: 'integer', values: found.gaps },
    { name: 'entry', type: 'number', values: found.entries },
  ];
  for (const [place, horizon] of horizons.entries()) {
    yield;
    const returns = gathered(events.returns[place], places);
    const hasReturn = (row: number) => !Number.isNaN(returns[row]);
    columns.push(
      {
        name: `exit_date_${horizon}`,
        type: 'optionalDate',
        values: found.exitDays[place].map((day, row) => (hasReturn(row) ? day : NULL_INT)),
      },
      { name: `return_${horizon}`, type: 'number', values: returns },
      {
        name: `universe_${horizon}`,
        type: 'number',
        values: Float64Array.from(places, (at) => universe[place].means[events.sessions[at]]),
      },
      {
        name: `early_${horizon}`,
        type: 'flag',
        values: Float64Array.from(places, (at, row) =>
          hasReturn(row) ? events.marks[place][at] & EARLY : Number.NaN,
        ),
      },
    );
  }
  return columns;
}

/** Entries that are looked up before other work may run: some 5 ms. */
const ENTRIES_AT_ONCE = 8192;

/** Events by day, then by the ticker of that day. */
export interface ListedEvents {
  places: Int32Array;
  tickers: string[];
  days: Int32Array;
}

/** Orders events. A rename makes no other rows of the days before it. */
export function* listedEvents(
  snapshot: Snapshot,
  market: StudyMarket,
  run: StudyRun,
): Generator<undefined, ListedEvents> {
  const { events } = run;
  const places = events.ordered(placesOf(run));
  yield;
  const days = places.map((at) => market.sessions[events.sessions[at]]);
  const tickers = yield* tickersOf(snapshot, events, places, days);
  for (let start = 0; start < places.length; ) {
    let end = start + 1;
    let isOrdered = true;
    for (; days[end] === days[start]; end++) isOrdered &&= tickers[end - 1] < tickers[end];
    if (!isOrdered) orderRows(places, tickers, start, end);
    if (Math.floor(end / EVENTS_AT_ONCE) > Math.floor(start / EVENTS_AT_ONCE)) yield;
    start = end;
  }
  return { places, tickers, days };
}

function orderRows(places: Int32Array, tickers: string[], start: number, end: number): void {
  const rows = Array.from({ length: end - start }, (_, i) => ({
    at: places[start + i],
    ticker: tickers[start + i],
  }));
  rows.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
  for (const [i, { at, ticker }] of rows.entries()) {
    places[start + i] = at;
    tickers[start + i] = ticker;
  }
}

/** Returns the tickers that the symbols had on the days of the signals. */
function* tickersOf(
  snapshot: Snapshot,
  events: StudyEvents,
  places: Int32Array,
  days: Int32Array,
): Generator<undefined, string[]> {
  const tickers: string[] = [];
  for (const [i, at] of places.entries()) {
    tickers.push(tickerOfDay(snapshot, events.numbers[at], days[i]));
    if (i % EVENTS_AT_ONCE === 0) yield;
  }
  return tickers;
}

/** Returns the price at which an entry was made, on the basis of its day. */
function entryPrice(
  { series, infos }: StudyMarket,
  { number, row, day }: { number: number; row: number; day: number },
  entry: Entry,
): number {
  const price = new Float64Array(1);
  const column = entry === 'next_open' ? 'open' : 'close';
  series.copyStored(number, [column], { start: row, end: row + 1 }, [price]);
  const info = infos[number]!;
  const lastBarDay = Number(info.lastBarUs / MICROS_PER_DAY);
  return scaleColumn(price, basisAsOf({ ...info, lastBarDay }, day).ratio)[0];
}

/** Days and prices of entries, and days of exits by horizon, by row of the answer. */
interface PlacesInTime {
  entryDays: Int32Array;
  gaps: Float64Array;
  entries: Float64Array;
  exitDays: Int32Array[];
}

function* placesInTime(
  market: StudyMarket,
  events: StudyEvents,
  rowOf: Int32Array,
  { entry, horizons }: { entry: Entry; horizons: readonly number[] },
): Generator<undefined, PlacesInTime> {
  const count = rowOf.length;
  const entryDays = new Int32Array(count).fill(NULL_INT);
  const gaps = new Float64Array(count).fill(Number.NaN);
  const entries = new Float64Array(count).fill(Number.NaN);
  const exitDays = horizons.map(() => new Int32Array(count).fill(NULL_INT));
  let number = -1;
  let sessions: Int32Array = new Int32Array(0);
  // Events are found symbol by symbol, so each series is read once.
  for (let at = 0; at < count; at++) {
    if (events.numbers[at] !== number) {
      number = events.numbers[at];
      sessions = market.sessionsOf(number);
    }
    if (at % ENTRIES_AT_ONCE === 0) yield;
    const row = events.rows[at];
    if (row + 1 >= sessions.length) continue;
    const out = rowOf[at];
    entryDays[out] = market.sessions[sessions[row + 1]];
    gaps[out] = daysBetween(market, sessions[row], sessions[row + 1]);
    entries[out] = entryPrice(market, { number, row: row + 1, day: entryDays[out] }, entry);
    for (const [place, horizon] of horizons.entries()) {
      const exit = Math.min(row + exitBars(entry, horizon), sessions.length - 1);
      exitDays[place][out] = market.sessions[sessions[exit]];
    }
  }
  return { entryDays, gaps, entries, exitDays };
}
