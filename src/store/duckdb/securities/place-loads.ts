/** Gives the rows of a load to the securities of their days, by the places that are stored. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { assert } from '../../../base/errors.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { SeriesPart } from '../candles/series.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { jsonTable, runOne, selectRows } from '../connection/sql-rows.ts';
import { isWithin } from './facts/ticker-facts.ts';
import { namePlacedSymbols, type PlacedSymbol } from './place-rows.ts';
import { datedTickers, type NamedPlace, readPlaces } from './resolve-tickers.ts';
import { PRESENT_SOURCES } from './whole-pasts.ts';

const FIRST_DAY = -2147483648;
const LAST_DAY = 2147483647;

export interface PlacedFiles {
  parts: SeriesPart[];
  /** Symbols by file; that of its last rows if they are of several. */
  symbols: string[];
  /** Tickers whose places the rows may change. */
  unsettled: Set<string>;
}

interface Day {
  place: number;
  count: number;
  firstUs: number;
  lastUs: number;
  seriesId: number;
}

/**
 * Splits the rows of `incoming` whose files are of several places: each place has a series.
 *
 * @param dated Tickers with places.
 * @param freeSeriesId First id that no series has.
 */
export async function placeFiles(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LoadedFile[],
  { dated, freeSeriesId }: { dated: ReadonlySet<string>; freeSeriesId: number },
): Promise<PlacedFiles> {
  const tickerOf = ({ fileIndex }: LoadedFile) => segment.files[fileIndex].symbol;
  const symbols = segment.files.map(({ symbol }) => symbol);
  const isDated = (file: LoadedFile) => file.accepted > 0 && dated.has(tickerOf(file));
  const plain = files
    .filter((file) => !isDated(file))
    .map((file): SeriesPart => {
      return { ...file, ticker: tickerOf(file), symbol: tickerOf(file), fromDay: null };
    });
  const unsettled = new Set<string>();
  const own = files.filter(isDated);
  if (own.length === 0) return { parts: plain, symbols, unsettled };
  const places = [...(await readPlaces(connection, dated)).values()].flat();
  const isPresent = PRESENT_SOURCES.includes(segment.source);
  const days = await splitRows(connection, segment, own, { tickerOf, places, freeSeriesId });
  const parts = [...plain];
  for (const file of own) {
    const ofFile = days.get(file.seriesId)!;
    for (const { place, seriesId, count: accepted, firstUs, lastUs } of ofFile) {
      const { ticker, symbol, fromDay, isSettled } = places[place];
      parts.push({ ...file, seriesId, accepted, firstUs, lastUs, ticker, symbol, fromDay });
      if (!isSettled || (isPresent && ofFile.length > 1)) unsettled.add(ticker);
    }
    symbols[file.fileIndex] = places[ofFile[ofFile.length - 1].place].symbol;
  }
  return { parts, symbols, unsettled };
}

const SPLIT_COLUMNS = {
  seriesId: 'INTEGER',
  place: 'INTEGER',
  fromDay: 'INTEGER',
  toDay: 'INTEGER',
};

/** Gives rows of `incoming` a series for each place, and returns these by the file's series. */
async function splitRows(
  connection: DuckDBConnection,
  { interval }: CandleSegment,
  files: readonly LoadedFile[],
  {
    tickerOf,
    places,
    freeSeriesId,
  }: {
    tickerOf: (file: LoadedFile) => string;
    places: readonly NamedPlace[];
    freeSeriesId: number;
  },
): Promise<Map<number, Day[]>> {
  const numbered = Map.groupBy(
    places.map((one, place) => ({ ...one, place })),
    ({ ticker }) => ticker,
  );
  const spans = files.flatMap((file) =>
    (numbered.get(tickerOf(file)) ?? []).map(({ fromDay, toDay, place }) => {
      const days = { fromDay: fromDay ?? FIRST_DAY, toDay: toDay ?? LAST_DAY };
      return { seriesId: file.seriesId, place, ...days };
    }),
  );
  // Evenings of New York are on the next day of UTC.
  const local = interval === '1d' ? 'b.ts' : 'b.ts - INTERVAL 5 HOUR';
  const within = `s."seriesId" = b.series_id
    AND ((${local})::DATE - DATE '1970-01-01') BETWEEN s."fromDay" AND s."toDay"`;
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE load_places AS FROM ${jsonTable(SPLIT_COLUMNS)}`,
    [JSON.stringify(spans)],
  );
  const found = await selectRows<Day>(
    connection,
    `SELECT b.series_id AS "seriesId", s.place, count(*)::DOUBLE AS count,
       epoch_us(min(b.ts))::DOUBLE AS "firstUs", epoch_us(max(b.ts))::DOUBLE AS "lastUs"
     FROM incoming b JOIN load_places s ON ${within} GROUP BY ALL ORDER BY ALL`,
  );
  const days = Map.groupBy(found, ({ seriesId }) => seriesId);
  let freeId = freeSeriesId;
  const moved: { seriesId: number; place: number; newId: number }[] = [];
  for (const [seriesId, [, ...others]] of days) {
    for (const day of others) {
      day.seriesId = freeId++;
      moved.push({ seriesId, place: day.place, newId: day.seriesId });
    }
  }
  if (moved.length > 0) {
    await runOne(
      connection,
      `UPDATE incoming SET series_id = n."newId" FROM (
         SELECT b.rowid AS row, m."newId" FROM incoming b JOIN load_places s ON ${within}
         JOIN ${jsonTable({ seriesId: 'INTEGER', place: 'INTEGER', newId: 'INTEGER' })} m
           ON m."seriesId" = s."seriesId" AND m.place = s.place) n
       WHERE incoming.rowid = n.row`,
      [JSON.stringify(moved)],
    );
  }
  return days;
}

/** A ticker in an input, with the last of its days there. */
export interface StatedTicker {
  segment: number;
  source: string;
  ticker: string;
  firstDay: number;
  lastDay: number;
}

/**
 * Creates `placed_symbols` for records of new inputs.
 *
 * @returns the tickers with places, and those of them whose places the records may change.
 */
export async function nameStatedPlaces(
  connection: DuckDBConnection,
  stated: readonly StatedTicker[],
): Promise<{ dated: ReadonlySet<string>; unsettled: Set<string> }> {
  const dated = await datedTickers(
    connection,
    stated.map(({ ticker }) => ticker),
  );
  const unsettled = new Set<string>();
  if (dated.size === 0) return { dated, unsettled };
  const places = await readPlaces(connection, dated);
  const placed = [...places.values()].flat().map(({ ticker, symbol, fromDay, toDay }) => {
    const days = { fromDay: fromDay ?? FIRST_DAY, toDay: toDay ?? LAST_DAY };
    return { segment: null as number | null, ticker, symbol, ...days };
  });
  const presents = stated.flatMap(
    ({ segment, source, ticker, firstDay, lastDay }): PlacedSymbol[] => {
      const ofTicker = places.get(ticker);
      if (!ofTicker) return [];
      const last = ofTicker.find((place) => isWithin(lastDay, place));
      assert(last, `${ticker} has a place on each day`);
      const met = ofTicker.filter(({ fromDay, toDay }) => {
        return (fromDay ?? FIRST_DAY) <= lastDay && firstDay <= (toDay ?? LAST_DAY);
      });
      if (met.some(({ isSettled }) => !isSettled)) unsettled.add(ticker);
      if (!PRESENT_SOURCES.includes(source)) return [];
      return [{ segment, ticker, fromDay: FIRST_DAY, toDay: LAST_DAY, symbol: last.symbol }];
    },
  );
  await namePlacedSymbols(connection, [...placed, ...presents]);
  return { dated, unsettled };
}
