/** The directory: every symbol that any dataset names, with its facts. */

import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DirectoryRow, ListedFacts } from '../../../base/directory-row.ts';
import { marked } from '../../../base/quoted.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import { findSegment, nextIds, writeSegments } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { SOURCES, sourcePriority } from '../connection/source-priority.ts';
import {
  exists,
  inTransaction,
  jsonTable,
  runOne,
  selectColumn,
  selectRows,
  selectValue,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import { settle } from './change-securities.ts';
import { ENDINGS, listsAfterRemovals, SPIN_OFFS } from './dated-removals.ts';
import { REMOVAL_REASONS } from './facts/ticker-facts.ts';
import { type DirectorySnapshot, FORMER_NAMES, keepSnapshots } from './listing-spans.ts';
import { nameOnDay } from './name-on-day.ts';
import { keepRemovals, type Removal, restateRemovals } from './removals.ts';
import { leftTickers, nameSecurities } from './securities.ts';
import { NEW_YORK_HOURS } from './stored-facts.ts';

export type StatedFacts = Pick<ListedFacts, 'symbol'> & Partial<ListedFacts>;

export interface DirectoryLoad {
  source: string;
  nowMs: number;
  /** Origin in the ledger; default: the source's name. */
  origin?: string;
  /** Time at which the facts were true, in microseconds; default: now. */
  asOfUs?: bigint;
  rejected?: number;
  /** Whole directories from which the facts are, if their times are known. */
  snapshots?: readonly DirectorySnapshot[];
  /** Notices that classes left their exchange. */
  removals?: readonly Removal[];
  /** Called before the transaction is committed. */
  beforeCommit?: () => void;
}

/** Columns of `symbols` that a fact of the same or a better source replaces, one by one. */
const FACTS = [
  ['company_name', 'companyName', 'VARCHAR'],
  ['type', 'type', 'VARCHAR'],
  ['cik', 'cik', 'BIGINT'],
  ['country', 'country', 'VARCHAR'],
  ['sector', 'sector', 'VARCHAR'],
  ['industry', 'industry', 'VARCHAR'],
] as const;

const FACT_TYPES = {
  ...Object.fromEntries(FACTS.map(([, fact, type]) => [fact, type])),
  ...{ symbol: 'VARCHAR', exchange: 'VARCHAR', venue: 'VARCHAR' },
};

/** Adds the symbols of `loading_symbols` that no security has or had, each as a new security. */
export async function nameSymbols(connection: DuckDBConnection, nowMs: number): Promise<void> {
  const unknown = `FROM loading_symbols
    WHERE symbol NOT IN (SELECT symbol FROM symbols SEMI JOIN securities USING (symbol))`;
  // Planning what follows takes longer than a small load should.
  if (!(await exists(connection, unknown))) return;
  await nameSecurities(connection);
  await connection.run(
    `INSERT INTO symbols (symbol, first_seen) SELECT symbol, ${sqlTimestamp(nowMs * 1000)}
     FROM loading_symbols SEMI JOIN securities USING (symbol) ANTI JOIN symbols USING (symbol)`,
  );
}

/**
 * Enters what a source knows of symbols. A fact replaces one of the same source that is no newer,
 * or of a lesser one; an unknown one replaces nothing. Exchange and venue are one fact: a market
 * without an exchange of ours must not get one from a lesser source.
 *
 * @param facts Each symbol once.
 * @returns false if the ledger has the same facts of the same source.
 */
export async function loadSymbols(
  { connection }: MarketDb,
  facts: readonly StatedFacts[],
  load: DirectoryLoad,
): Promise<boolean> {
  const { source, nowMs, asOfUs = BigInt(nowMs) * 1000n } = load;
  // A name that was left and comes back is in two snapshots with the same facts.
  const { snapshots = [], removals } = load;
  const times = [load.asOfUs, ...snapshots.map(({ takenMs }) => takenMs)];
  const told = removals ? `\n${load.origin}\n${JSON.stringify(removals)}` : '';
  const text = `symbols ${source} ${times.join(' ')}\n${JSON.stringify(facts)}${told}`;
  const id = createHash('sha256').update(text).digest('hex');
  if (await findSegment(connection, id)) return false;
  await inTransaction(connection, async () => {
    const { seq } = await nextIds(connection);
    const current = await currentFacts(connection, facts, load.asOfUs, { seq, nowMs });
    await runOne(
      connection,
      `CREATE OR REPLACE TEMP TABLE facts AS SELECT * FROM ${jsonTable(FACT_TYPES)}`,
      [
        JSON.stringify(current, (_name, value) =>
          typeof value === 'string' ? marked(value) : value,
        ),
      ],
    );
    await connection.run(
      'CREATE OR REPLACE TEMP TABLE loading_symbols AS SELECT DISTINCT symbol FROM facts',
    );
    await nameSymbols(connection, nowMs);
    await connection.run(updateSql(source, asOfUs));
    const { origin = source, rejected = 0 } = load;
    const entry = { seq, id, dataset: 'symbols', source, interval: null, basis: null, origin };
    const counts = { accepted: facts.length + (removals?.length ?? 0), rejected };
    const row = { ...entry, ...counts, kind: 'external' as const, asOfUs: Number(asOfUs) };
    await writeSegments(connection, [row], nowMs);
    await keepLists(connection, load);
    load.beforeCommit?.();
  });
  return true;
}

/** Keeps directories and notices, and assigns the rows of tickers on which they shed new light. */
async function keepLists(
  connection: DuckDBConnection,
  { source, nowMs, snapshots = [], removals = [] }: DirectoryLoad,
): Promise<void> {
  const before = await listsAfterRemovals(connection);
  await keepSnapshots(connection, snapshots);
  await keepRemovals(connection, removals);
  const restated = await restateRemovals(connection, nowMs);
  const after = await listsAfterRemovals(connection);
  const tickers = [...after].flatMap(([key, said]) =>
    before.get(key) === said ? [] : [key.split(' ')[0]],
  );
  const changed = [...restated, ...tickers];
  if (changed.length === 0) return;
  await settle(connection, changed, { what: `removals by ${source}`, nowMs });
}

/**
 * Returns the facts under the present symbols. A directory without a date may be old, so its facts
 * about a ticker that no security has any more are dropped.
 */
async function currentFacts(
  connection: DuckDBConnection,
  allFacts: readonly StatedFacts[],
  asOfUs: bigint | undefined,
  load: { seq: number; nowMs: number },
): Promise<StatedFacts[]> {
  await connection.run('CREATE OR REPLACE TEMP TABLE loading_symbols (symbol VARCHAR)');
  const left = asOfUs === undefined ? await leftTickers(connection) : new Set();
  const facts = allFacts.filter(({ symbol }) => !left.has(symbol));
  const hours = asOfUs === undefined ? 0 : NEW_YORK_HOURS;
  const day = dayFromMicros(Number(asOfUs ?? load.nowMs * 1000) - hours * 3_600_000_000);
  const tickers = facts.map(({ symbol }) => symbol);
  const symbols = await nameOnDay(connection, tickers, { ...load, day });
  const current = new Map<string, StatedFacts>();
  for (const [i, one] of facts.entries()) {
    // Two tickers of one security on one day: the one that it has by now says more.
    if (!current.has(symbols[i]) || one.symbol === symbols[i]) {
      current.set(symbols[i], { ...one, symbol: symbols[i] });
    }
  }
  return [...current.values()];
}

function updateSql(source: string, asOfUs: bigint): string {
  const lesser = SOURCES.slice(sourcePriority(source) + 1).map((name) => `'${name}'`);
  const asOf = sqlTimestamp(asOfUs);
  const single = FACTS.map(
    ([column, fact]) => `${column} = CASE WHEN f.wins THEN coalesce(f."${fact}", symbols.${column})
      ELSE coalesce(symbols.${column}, f."${fact}") END`,
  );
  const listing = ['exchange', 'venue'].map(
    (column) => `${column} = CASE WHEN f.lists THEN f.${column} ELSE symbols.${column} END`,
  );
  return `
    UPDATE symbols SET ${[...single, ...listing].join(', ')},
      source = CASE WHEN f.wins THEN '${source}' ELSE symbols.source END,
      as_of = CASE WHEN f.wins THEN ${asOf} ELSE symbols.as_of END
    FROM (SELECT facts.*,
            s.source IS NULL OR list_contains([${lesser}]::VARCHAR[], s.source)
              OR (s.source = '${source}' AND coalesce(s.as_of <= ${asOf}, true)) AS wins,
            (facts.exchange IS NOT NULL OR facts.venue IS NOT NULL)
              AND (wins OR (s.exchange IS NULL AND s.venue IS NULL)) AS lists
          FROM facts JOIN symbols s USING (symbol)) f
    WHERE symbols.symbol = f.symbol`;
}

/** SQL of the past tickers of securities, and of the days on which each ended. */
const FORMER_TICKERS = `
  SELECT security_id, string_agg(ticker || ' ' || to_date, ',' ORDER BY to_date) AS former
  FROM (FROM security_tickers JOIN securities USING (security_id)
    QUALIFY ticker <> symbol
      OR to_date < max(coalesce(to_date, 'infinity')) OVER (PARTITION BY security_id))
  WHERE to_date IS NOT NULL GROUP BY security_id`;

/** Names of each security, by the rows from which they follow. A store of files alone has none. */
const PAST_FACTS = [
  ['ticker_places WHERE to_date IS NOT NULL', FORMER_TICKERS, { former: 'formerTickers' }],
  ['listing_spans', FORMER_NAMES, { former: 'formerNames' }],
  [
    "ticker_facts WHERE kind = 'delist'",
    ENDINGS,
    { reason: 'delistedReason', successor: 'successor' },
  ],
  ["ticker_facts WHERE kind = 'spinoff'", SPIN_OFFS, { parent: 'parent' }],
] as const;

export async function readDirectory({ connection }: MarketDb): Promise<DirectoryRow[]> {
  // To plan all of the joins takes longer than a small load should.
  const stored = await selectColumn<number>(
    connection,
    PAST_FACTS.map(([rows], i) => `(SELECT ${i} FROM ${rows} LIMIT 1)`).join(' UNION ALL '),
  );
  const facts = PAST_FACTS.map(([, sql, names], i) => {
    const isStored = stored.includes(i);
    const columns = Object.entries(names).map(([column, name]) =>
      isStored ? `coalesce(f${i}.${column}, '') AS "${name}"` : `'' AS "${name}"`,
    );
    return { columns, join: isStored ? `LEFT JOIN (${sql}) f${i} USING (security_id)` : '' };
  });
  const rows = await selectRows<DirectoryRow>(
    connection,
    `SELECT symbol, company_name AS "companyName", exchange, venue, type, cik::DOUBLE AS cik,
       country, sector, industry, source,
       security_id AS "securityId", ${facts.flatMap(({ columns }) => columns).join(', ')},
       (delisted_on - DATE '1970-01-01')::INTEGER AS "delistedDay"
     FROM symbols JOIN securities USING (symbol) ${facts.map(({ join }) => join).join(' ')}
     ORDER BY symbol`,
  );
  return rows.map(({ delistedReason, ...row }) => ({
    ...{ ...row, delistedReason: REMOVAL_REASONS[delistedReason] ?? delistedReason },
  }));
}

/** Counts the known symbols, which only renames can reduce. */
export async function countSymbols({ connection }: MarketDb): Promise<number> {
  return selectValue<number>(connection, 'SELECT count(*)::DOUBLE FROM symbols');
}

/** Lists symbols with a known exchange, ascending: those that a vendor of US bars may have. */
export async function readListedSymbols({ connection }: MarketDb): Promise<string[]> {
  return selectColumn<string>(
    connection,
    'SELECT symbol FROM symbols WHERE exchange IS NOT NULL ORDER BY symbol',
  );
}
