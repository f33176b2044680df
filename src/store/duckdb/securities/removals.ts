/**
 * Notices that a class of securities left its exchange: filings name a company and a class, lists of
 * vendors a ticker. All are kept. The facts that follow depend on the directory, whatever came first.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { marked, quoted } from '../../../base/quoted.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { jsonTable, NAMED, runOne, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { isOfRemoval, type TickerFact } from './facts/ticker-facts.ts';
import { addFacts, readAllFacts, removeFacts } from './stored-facts.ts';

export interface Removal {
  /** Number of the filing, or what the list names. */
  id: string;
  /** `25-NSE`, `15-12G`; the title of a list. */
  form: string;
  /** The SEC's number of the issuer; null in lists. */
  cik: number | null;
  /** Ticker in lists; null in filings. */
  ticker: string | null;
  /** Day of the filing, or the last day that a list states. */
  day: number;
  /** Type of the security, as in the directory; null if its title has none. */
  kind: string | null;
  title: string | null;
  /** Key of `REMOVAL_REASONS`, or null. */
  reason: string | null;
  source: string;
}

const COLUMNS = {
  id: 'VARCHAR',
  form: 'VARCHAR',
  cik: 'BIGINT',
  ticker: 'VARCHAR',
  day: 'INTEGER',
  kind: 'VARCHAR',
  title: 'VARCHAR',
  reason: 'VARCHAR',
  source: 'VARCHAR',
};

/** Days before a notice on which its company may have had a ticker for the last time. */
const LEFT_DAYS = 190;

/** Adds notices; one that is there already changes nothing. */
export async function keepRemovals(
  connection: DuckDBConnection,
  removals: readonly Removal[],
): Promise<void> {
  await runOne(
    connection,
    `INSERT INTO removals
     SELECT id, form, cik, ticker, DATE '1970-01-01' + day, kind, title, reason, source
     FROM ${jsonTable(COLUMNS)} ANTI JOIN removals USING (id)`,
    [JSON.stringify(removals, (_, one) => (typeof one === 'string' ? marked(one) : one))],
  );
}

export function readRemovals(connection: DuckDBConnection): Promise<Removal[]> {
  return selectRows(
    connection,
    `SELECT * EXCLUDE (on_date, cik), cik::DOUBLE AS cik, ${sqlDay('on_date')} AS day
     FROM removals ORDER BY on_date, id`,
  );
}

interface Candidate {
  id: string;
  ticker: string;
  type: string | null;
  name: string | null;
}

/** A notice with the ticker that it means, or why it means none. */
export interface NamedRemoval extends Removal {
  doubt: string | undefined;
}

/** Reads the notices of filings, each with its ticker, and those of lists. */
export async function nameRemovals(connection: DuckDBConnection): Promise<NamedRemoval[]> {
  const removals = await readRemovals(connection);
  if (removals.length === 0) return [];
  const rows = await selectRows<Candidate>(
    connection,
    `SELECT DISTINCT r.id, t.ticker, s.type, s.company_name AS name
     FROM removals r JOIN symbols s ON s.cik = r.cik JOIN securities USING (symbol)
     JOIN security_tickers t USING (security_id)
     LEFT JOIN (
       SELECT ticker, min(first_at) AS listed_at, min(taken_at) AS since
       FROM listing_spans JOIN listing_snapshots USING (list) GROUP BY ticker) f
       ON f.ticker = t.ticker
     WHERE NOT coalesce(f.since <= r.on_date AND f.listed_at > r.on_date, false)
       AND r.on_date BETWEEN coalesce(t.from_date, '-infinity')
       AND coalesce(t.to_date, 'infinity') + ${LEFT_DAYS}
     UNION
     SELECT r.id, l.ticker, any_value(s.type), any_value(l.company_name)
     FROM removals r JOIN listing_spans l ON l.cik = r.cik LEFT JOIN symbols s ON s.symbol = l.ticker
     WHERE first_at <= r.on_date AND last_at >= r.on_date - ${LEFT_DAYS}
     GROUP BY ALL ORDER BY ALL`,
  );
  const candidates = Map.groupBy(rows, ({ id }) => id);
  return removals.map((removal) => {
    if (removal.ticker !== null) return { ...removal, doubt: undefined };
    return { ...removal, ...tickerOf(removal, candidates.get(removal.id) ?? []) };
  });
}

/** Finds the ticker of the class that a notice states. */
function tickerOf(
  { kind, title }: Removal,
  candidates: readonly Candidate[],
): Pick<NamedRemoval, 'ticker' | 'doubt'> {
  if (title === null) return { ticker: null, doubt: 'it states no class' };
  if (candidates.length === 0) return { ticker: null, doubt: 'no security has its number' };
  const tickers = [...new Set(candidates.map(({ ticker }) => ticker))];
  const fit = tickers.filter((ticker) => {
    const own = candidates.filter((one) => one.ticker === ticker);
    return own.some((one) => isOfClass(one, kind, title, tickers));
  });
  const letter = /\b(?:class|series) ([a-z])\b/i.exec(title)?.[1].toUpperCase();
  const ofLetter = fit.filter((ticker) => ticker.endsWith(`.${letter}`));
  const found =
    ofLetter.length > 0 ? ofLetter : fit.filter((ticker) => !isLettered(ticker, letter));
  if (found.length === 1) return { ticker: found[0], doubt: undefined };
  const doubt =
    found.length === 0
      ? `none of ${tickers.join(', ')} is of its class`
      : `it may be ${found.join(' or ')}`;
  return { ticker: null, doubt };
}

function isOfClass(
  { ticker, type, name }: Candidate,
  kind: string | null,
  title: string,
  tickers: readonly string[],
): boolean {
  if (kind === null || kind === 'etf') return plain(title) === plain(name ?? '');
  if (type !== null) return type === kind;
  // The SEC's list has no types; warrants and units add a letter to the ticker of the stock.
  const isLonger = tickers.some(
    (other) => ticker.length > other.length && ticker.startsWith(other),
  );
  return kind === 'stock' && !isLonger;
}

/** Returns true for a ticker of another class than that of the letter. */
function isLettered(ticker: string, letter: string | undefined): boolean {
  return letter !== undefined && /\.[A-Z]$/.test(ticker);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\b(shares?|common|stock|the)\b|[^a-z0-9]/g, '');
}

/** Replaces the facts that follow from notices. @returns tickers of which facts changed. */
export async function restateRemovals(
  connection: DuckDBConnection,
  nowMs: number,
): Promise<string[]> {
  const named = await nameRemovals(connection);
  const fresh = named.flatMap(({ ticker, day, reason, source }): TickerFact[] => {
    const none = { endDay: null, other: null, otherDay: null };
    return ticker === null ? [] : [{ kind: 'delist', ticker, day, ...none, reason, source }];
  });
  const before = (await readAllFacts(connection)).filter(isOfRemoval);
  const keyOf = ({ ticker, day, source, reason }: TickerFact) =>
    JSON.stringify([ticker, day, source, reason]);
  const [olds, news] = [before, fresh].map(
    (facts) => new Map(facts.map((one) => [keyOf(one), one])),
  );
  const gone = [...olds].flatMap(([key, fact]) => (news.has(key) ? [] : [fact]));
  const added = [...news].flatMap(([key, fact]) => (olds.has(key) ? [] : [fact]));
  if (gone.length > 0) await removeFacts(connection, gone);
  if (added.length > 0) await addFacts(connection, added, nowMs);
  return [...gone, ...added].map(({ ticker }) => ticker);
}

/** Returns the notices among some that mean no security for certain, in words. */
export async function doubtsOf(
  connection: DuckDBConnection,
  removals: readonly Removal[],
): Promise<string[]> {
  const ids = new Set(removals.map(({ id }) => id));
  const named = (await nameRemovals(connection)).filter(({ id }) => ids.has(id));
  return named.flatMap((one) => (one.doubt === undefined ? [] : [doubtText(one)]));
}

/** Returns a notice without a ticker in words. */
export function doubtText({ form, day, title, doubt, id }: NamedRemoval): string {
  const what = title === null ? 'a class' : quoted(title);
  return `${form} of ${dateFromDay(day)} removes ${what}: ${doubt} (${id})`;
}

/** Reads the notices that concern some tickers, or companies that have them, without a ticker. */
export async function readDoubts(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<NamedRemoval[]> {
  const named = await nameRemovals(connection);
  if (named.length === 0) return [];
  const rows = await selectRows<{ cik: number }>(
    connection,
    `SELECT cik::DOUBLE AS cik FROM symbols WHERE symbol IN ${NAMED} AND cik IS NOT NULL
     UNION SELECT cik::DOUBLE FROM listing_spans WHERE ticker IN ${NAMED} AND cik IS NOT NULL`,
    [JSON.stringify(tickers)],
  );
  const ciks = new Set(rows.map(({ cik }) => cik));
  return named.filter(({ cik, doubt }) => doubt !== undefined && cik !== null && ciks.has(cik));
}
