/** Events of a study as rows: by day, then by symbol. */

import { type Entry, entryPrice, exitBars } from '../../screens/study/signal-returns.ts';
import type { StudyEvents } from '../../screens/study/study-events.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import { tickerOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import { type StudyPart, universeReturn } from './tables.ts';

export function eventsTable(snapshot: Snapshot, part: StudyPart, entry: Entry): Table {
  const { run, market, horizons } = part;
  const { events, universe } = run;
  const places = events.ordered();
  const rowOf = new Int32Array(places.length);
  for (const [row, at] of places.entries()) rowOf[at] = row;
  const found = placesInTime(market, events, rowOf, { entry, horizons });
  const columns: TableColumn[] = [
    { name: 'symbol', type: 'text', values: tickers(snapshot, market, events, places) },
    { name: 'date', type: 'date', values: signalDays(market, events, places) },
    { name: 'entry_date', type: 'optionalDate', values: found.entryDays },
    { name: 'entry_gap', type: 'integer', values: found.gaps },
    { name: 'entry', type: 'number', values: found.entries },
  ];
  for (const [place, horizon] of horizons.entries()) {
    const returns = Float64Array.from(places, (at) => events.returns[place][at]);
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
        values: Float64Array.from(places, (at) =>
          universeReturn(universe[place], events.sessions[at]),
        ),
      },
      {
        name: `early_${horizon}`,
        type: 'flag',
        values: Float64Array.from(places, (at, row) =>
          hasReturn(row) ? events.early[place][at] : Number.NaN,
        ),
      },
    );
  }
  return columns;
}

/** Returns the days of the signals. */
export function signalDays(
  market: StudyMarket,
  events: StudyEvents,
  places: Int32Array,
): Int32Array {
  return places.map((at) => market.sessions[events.sessions[at]]);
}

/** Returns the tickers that the symbols had on the days of the signals. */
export function tickers(
  snapshot: Snapshot,
  market: StudyMarket,
  events: StudyEvents,
  places: Int32Array,
): string[] {
  const rows = listedRows(snapshot.listings);
  return Array.from(places, (at) => {
    const symbol = snapshot.symbols[events.numbers[at]];
    const row = rows.get(symbol);
    const day = market.sessions[events.sessions[at]];
    return row === undefined ? symbol : tickerOn(snapshot.listings, row, day);
  });
}

/** Days and prices of entries, and days of exits by horizon, by row of the answer. */
interface PlacesInTime {
  entryDays: Int32Array;
  gaps: Float64Array;
  entries: Float64Array;
  exitDays: Int32Array[];
}

function placesInTime(
  market: StudyMarket,
  events: StudyEvents,
  rowOf: Int32Array,
  { entry, horizons }: { entry: Entry; horizons: readonly number[] },
): PlacesInTime {
  const count = rowOf.length;
  const entryDays = new Int32Array(count).fill(NULL_INT);
  const gaps = new Float64Array(count).fill(Number.NaN);
  const entries = new Float64Array(count).fill(Number.NaN);
  const exitDays = horizons.map(() => new Int32Array(count).fill(NULL_INT));
  let number = -1;
  let sessions: Int32Array = new Int32Array(0);
  let bars = { open: new Float64Array(0), close: new Float64Array(0), isEnded: false };
  // Events are found symbol by symbol, so each series is read once.
  for (let at = 0; at < count; at++) {
    if (events.numbers[at] !== number) {
      number = events.numbers[at];
      sessions = market.sessionsOf(number);
      const end = sessions.length;
      bars = { open: new Float64Array(end), close: new Float64Array(end), isEnded: false };
      market.series.copy(number, ['open', 'close'], { start: 0, end }, [bars.open, bars.close]);
    }
    const row = events.rows[at];
    if (row + 1 >= sessions.length) continue;
    const out = rowOf[at];
    entryDays[out] = market.sessions[sessions[row + 1]];
    gaps[out] = sessions[row + 1] - sessions[row] - 1;
    entries[out] = entryPrice(bars, entry, row);
    for (const [place, horizon] of horizons.entries()) {
      const exit = Math.min(row + exitBars(entry, horizon), sessions.length - 1);
      exitDays[place][out] = market.sessions[sessions[exit]];
    }
  }
  return { entryDays, gaps, entries, exitDays };
}
