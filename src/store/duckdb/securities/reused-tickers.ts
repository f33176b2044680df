/** Tickers that seem to have gone to another security, by the prices alone. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { FILE_SOURCES } from '../../../base/sources.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { NAMED, selectColumn, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { reuseLimits } from './facts/limits.ts';
import { PRICES, type TickerFact } from './facts/ticker-facts.ts';
import { addFacts, removeFacts } from './stored-facts.ts';

const { holeDays, leapMin, goesOnMax } = reuseLimits;

interface Reuse {
  ticker: string;
  /** First day after the hole, and the close then; the last close before it. */
  day: number;
  close: number;
  before: number;
  beforeDay: number;
  /** Ticker that goes on at the price before the hole, and its first day. */
  other: string;
  otherDay: number;
}

/** First and last day of the daily bars of a ticker. */
interface TickerDays {
  ticker: string;
  firstDay: number;
  lastDay: number;
}

interface StoredDays extends TickerDays {
  barCount: number;
}

/** Daily bars of one source and basis: others are not compared. */
type Feed = Pick<CandleSegment, 'source' | 'basis'>;

interface LoadDays extends Feed {
  /** Days of the bars of a load, by ticker, and of those that were stored before it. */
  days: readonly TickerDays[];
  before: readonly TickerDays[];
}

/** Reads the days of a load's daily bars, before they are stored, and of the stored ones. */
export async function readDays(
  connection: DuckDBConnection,
  { source, basis, files: stated }: CandleSegment,
  files: readonly LoadedFile[],
): Promise<LoadDays> {
  const days = new Map<string, TickerDays>();
  for (const { fileIndex, accepted, firstUs, lastUs } of files) {
    if (accepted === 0) continue;
    const { symbol: ticker } = stated[fileIndex];
    const [first, last] = [firstUs, lastUs].map(dayFromMicros);
    const { firstDay = first, lastDay = last } = days.get(ticker) ?? {};
    const span = { firstDay: Math.min(first, firstDay), lastDay: Math.max(last, lastDay) };
    days.set(ticker, { ticker, ...span });
  }
  const before = await readStored(connection, { source, basis }, [...days.keys()]);
  return { source, basis, days: [...days.values()], before };
}

/** Reads the days of stored daily bars, of some tickers or of all. */
async function readStored(
  connection: DuckDBConnection,
  { source, basis }: Feed,
  tickers?: readonly string[],
): Promise<StoredDays[]> {
  const named = tickers ? `AND ticker IN ${NAMED}` : '';
  return selectRows<StoredDays>(
    connection,
    `SELECT ticker, ${sqlDay('min(first_ts)::DATE')} AS "firstDay",
       ${sqlDay('max(last_ts)::DATE')} AS "lastDay", sum(row_count)::DOUBLE AS "barCount"
     FROM series WHERE interval = '1d' AND row_count > 0 AND source = '${source}'
       AND basis = '${basis}' ${named}
     GROUP BY ticker`,
    tickers && [JSON.stringify(tickers)],
  );
}

interface NewBars extends LoadDays {
  firstFileId: number;
}

/**
 * Finds tickers with a hole in their daily bars after which the price is several times another,
 * while a second ticker begins within the hole at the price before it. Parts them, if no other fact
 * concerns them. The bars may come in any number of loads, in any order; a part whose hole is filled
 * later, or whose second ticker turns out to be older, is taken back.
 *
 * @returns the tickers whose parts change, and a line for each new part, with both readings.
 */
export async function partReused(
  connection: DuckDBConnection,
  news: NewBars,
  nowMs: number,
): Promise<Parted> {
  const { days, before } = news;
  const known = new Map(before.map((one) => [one.ticker, one]));
  const begun = days.filter(
    ({ ticker, firstDay }) => firstDay < (known.get(ticker)?.firstDay ?? Infinity),
  );
  const named = begun.length > 0 ? undefined : days.map(({ ticker }) => ticker);
  const parted = await readParted(connection, named);
  return partAll(connection, { parted, holed: await holedTickers(connection, news, begun) }, nowMs);
}

/**
 * Looks at tickers again of which a statement was taken back, or whose bars of a feed were dropped.
 *
 * @returns the tickers whose parts change.
 */
export async function partAgain(
  connection: DuckDBConnection,
  { tickers, feed }: { tickers: readonly string[]; feed?: Feed },
  nowMs: number,
): Promise<string[]> {
  const begun = feed ? await readStored(connection, feed, tickers) : [];
  const around = feed ? await holedAround(connection, feed, begun) : [];
  const parted = await readParted(connection);
  return (await partAll(connection, { parted, holed: [...tickers, ...around] }, nowMs)).tickers;
}

interface Parted {
  tickers: string[];
  lines: string[];
}

async function partAll(
  connection: DuckDBConnection,
  { parted, holed }: { parted: readonly TickerFact[]; holed: readonly string[] },
  nowMs: number,
): Promise<Parted> {
  const named = [...new Set([...parted.map(({ ticker }) => ticker), ...holed])];
  if (named.length === 0) return { tickers: [], lines: [] };
  const found = oneOfHole(await findReused(connection, named));
  const isSame = (one: { ticker: string; day: number | null }) => (other: typeof one) =>
    one.ticker === other.ticker && one.day === other.day;
  const fresh = found.filter((one) => !parted.some(isSame(one)));
  const gone = parted.filter((one) => !found.some(isSame(one)));
  if (gone.length > 0) await removeFacts(connection, gone);
  if (fresh.length > 0) await addFacts(connection, fresh.map(partOf), nowMs);
  const tickers = new Set([...fresh, ...gone].map(({ ticker }) => ticker));
  return { tickers: [...tickers], lines: fresh.map(lineOf) };
}

/** Keeps the first end of a hole that feeds end on different days. */
function oneOfHole(found: readonly Reuse[]): Reuse[] {
  const kept: Reuse[] = [];
  for (const one of found) {
    const last = kept.at(-1);
    if (last?.ticker !== one.ticker || one.beforeDay >= last.day) kept.push(one);
  }
  return kept;
}

function partOf({ ticker, day }: { ticker: string; day: number }): TickerFact {
  const none = { endDay: null, other: null, otherDay: null };
  return { kind: 'part', ticker, day, ...none, source: PRICES };
}

/** Reads the parts that prices gave, to some tickers or to all. */
async function readParted(
  connection: DuckDBConnection,
  tickers?: readonly string[],
): Promise<TickerFact[]> {
  const found = await selectRows<{ ticker: string; day: number }>(
    connection,
    `SELECT ticker, ${sqlDay('on_date')} AS day FROM ticker_facts
     WHERE kind = 'part' AND source = '${PRICES}' ${tickers ? `AND ticker IN ${NAMED}` : ''}`,
    tickers && [JSON.stringify(tickers)],
  );
  return found.map(partOf);
}

/**
 * Returns the tickers that may have a hole which the load makes or explains: it leaves one to their
 * stored bars, has one in itself, or begins another ticker within one.
 */
async function holedTickers(
  connection: DuckDBConnection,
  { days, before, firstFileId, ...feed }: NewBars,
  begun: readonly TickerDays[],
): Promise<string[]> {
  const known = new Map(before.map((one) => [one.ticker, one]));
  const isApart = ({ ticker, firstDay, lastDay }: TickerDays) => {
    const old = known.get(ticker);
    return old && (firstDay - old.lastDay > holeDays || old.firstDay - lastDay > holeDays);
  };
  const apart = days.filter(isApart).map(({ ticker }) => ticker);
  const long = days.some(({ firstDay, lastDay }) => lastDay - firstDay > holeDays);
  const within = long ? await holedInLoad(connection, firstFileId) : [];
  // Tickers that the load brings whole have their holes within it.
  const whole = new Set(days.map(({ ticker }) => ticker).filter((ticker) => !known.has(ticker)));
  const around = await holedAround(connection, feed, begun);
  return [...apart, ...within, ...around.filter((ticker) => !whole.has(ticker))];
}

/** Returns the tickers of a feed with missing sessions, on whose days others begin. */
async function holedAround(
  connection: DuckDBConnection,
  feed: Feed,
  begun: readonly TickerDays[],
): Promise<string[]> {
  if (begun.length === 0) return [];
  const firsts = begun.map(({ firstDay }) => firstDay);
  const [low, high] = [Math.min(...firsts), Math.max(...firsts)];
  const isMet = (stored: StoredDays) =>
    stored.firstDay < high && low <= stored.lastDay && hasHole(stored);
  const found = (await readStored(connection, feed)).filter(isMet);
  return found.map(({ ticker }) => ticker);
}

/** Returns true if as many sessions are missing as a hole has. */
function hasHole({ firstDay, lastDay, barCount }: Omit<StoredDays, 'ticker'>): boolean {
  return sessionsBetween(firstDay, lastDay).length - barCount >= HOLE_SESSIONS;
}

/** Least sessions of more than `holeDays` days, two holidays among them. */
const HOLE_SESSIONS = 3;

/** Rows of one load are in order of their series and time. */
function holedInLoad(connection: DuckDBConnection, firstFileId: number): Promise<string[]> {
  return selectColumn<string>(
    connection,
    `WITH news AS (
       SELECT series_id, ts, close, lag(series_id) OVER () AS previous, lag(ts) OVER () AS before_ts,
         lag(close) OVER () AS before
       FROM bars WHERE file_id >= ${firstFileId})
     SELECT DISTINCT s.ticker FROM news n JOIN series s USING (series_id)
     WHERE previous = series_id AND ts - before_ts > INTERVAL ${holeDays} DAY
       AND greatest(close / before, before / close) >= ${leapMin}`,
  );
}

async function findReused(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<Reuse[]> {
  const sources = FILE_SOURCES.map((source) => `'${source}'`).join(', ');
  const feeds = `(SELECT *, (source, basis) AS feed FROM series
    WHERE interval = '1d' AND source IN (${sources}))`;
  return selectRows<Reuse>(
    connection,
    `WITH own AS (
       SELECT s.feed, s.ticker, b.ts, b.close FROM bars b JOIN ${feeds} s USING (series_id)
       WHERE s.ticker IN ${NAMED} AND s.ticker NOT IN (
         SELECT ticker FROM ticker_facts WHERE kind <> 'part' OR source <> '${PRICES}'
         UNION SELECT other FROM ticker_facts
           WHERE other IS NOT NULL AND kind NOT IN ('delist', 'spinoff'))
       QUALIFY row_number() OVER (PARTITION BY s.feed, s.ticker, b.ts
         ORDER BY s.as_of DESC, s.modified DESC, s.sha256 DESC) = 1),
     steps AS (
       SELECT *, lag(ts) OVER ticker AS before_ts, lag(close) OVER ticker AS before
       FROM own WINDOW ticker AS (PARTITION BY feed, ticker ORDER BY ts)),
     leaps AS (
       FROM steps WHERE ts - before_ts > INTERVAL ${holeDays} DAY
         AND greatest(close / before, before / close) >= ${leapMin}),
     begun AS (
       SELECT feed, ticker, series_id, first_ts AS ts FROM ${feeds} WHERE EXISTS (FROM leaps)
       QUALIFY row_number() OVER (PARTITION BY feed, ticker
         ORDER BY first_ts, as_of DESC, modified DESC, sha256 DESC) = 1),
     met AS (
       SELECT l.*, f.ticker AS other, f.series_id, f.ts AS other_ts
       FROM leaps l JOIN begun f ON f.feed = l.feed AND f.ticker <> l.ticker AND f.ts > l.before_ts AND f.ts <= l.ts)
     SELECT m.ticker, ${sqlDay('m.ts::DATE')} AS day, m.close, m.before,
       ${sqlDay('m.before_ts::DATE')} AS "beforeDay", m.other,
       ${sqlDay('m.other_ts::DATE')} AS "otherDay"
     FROM met m JOIN bars b ON b.series_id = m.series_id AND b.ts = m.other_ts
     WHERE greatest(b.close / m.before, m.before / b.close) <= ${goesOnMax}
     QUALIFY row_number() OVER (PARTITION BY m.ticker, m.ts ORDER BY m.feed, m.other_ts, m.other) = 1
     ORDER BY ALL`,
    [JSON.stringify(tickers)],
  );
}

function lineOf({ ticker, day, close, before, other, otherDay }: Reuse): string {
  const [date, otherDate] = [dateFromDay(day), dateFromDay(otherDay)];
  return (
    `${ticker} closes at ${close} on ${date} and at ${before} before a hole, where ${other} goes on: ` +
    `another security has the ticker (symbols rename ${ticker} ${other} --on ${otherDate}), ` +
    `or it is the same one (symbols assign ${ticker} --security ${ticker})`
  );
}
