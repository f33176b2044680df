import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_TABLES } from '../connection/bar-table.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { findOtherCloses, type OtherCloses } from './contradicting-prices.ts';
import { heldTwice } from './facts/contradicting-facts.ts';
import {
  type HolderPair,
  isHeldTwice,
  isJoined,
  type PlacedBars,
  pairsOf,
  type Run,
} from './facts/join-pairs.ts';
import { factsOfPairs } from './facts/joined-facts.ts';
import { reuseLimits } from './facts/limits.ts';
import { isWithin, type Place, type TickerFact } from './facts/ticker-facts.ts';
import { BAR_DAY } from './place-series.ts';

export interface ResolvedJoins {
  /** Facts in place of the joins, by the bars: renames, joins of dated tickers, and days of tickers. */
  facts: TickerFact[];
  /** Joins without effect. Closes contradict them; undefined: other facts do. */
  refuted: Map<TickerFact, OtherCloses | undefined>;
}

/**
 * Replaces joins by dated facts, which follow from the other facts and the bars. So no order of
 * commands and files matters, and the ticker of a day is that of its bars.
 *
 * The temporary table `places` has the places.
 */
export async function resolveJoins(
  connection: DuckDBConnection,
  joins: readonly TickerFact[],
  { facts, places }: Omit<PlacedBars, 'runs'>,
): Promise<ResolvedJoins> {
  const placed: PlacedBars = { facts, places, runs: await readRuns(connection) };
  const pairs: HolderPair[] = [];
  const undated: TickerFact[] = [];
  const refuted: ResolvedJoins['refuted'] = new Map();
  for (const join of joins) {
    const possible = pairsOf(join, placed);
    if (possible.length === 0) undated.push(...undatedJoin(join, places));
    const { pair, closes } = await firstTrue(connection, possible, placed);
    if (pair && !isJoined(pair)) pairs.push(pair);
    if (!pair && possible.length > 0) refuted.set(join, closes);
  }
  return { facts: [...factsOfPairs(pairs, placed), ...undated], refuted };
}

/** Returns the first pair that nothing contradicts, else closes of one that prices contradict. */
async function firstTrue(
  connection: DuckDBConnection,
  pairs: readonly HolderPair[],
  placed: PlacedBars,
): Promise<{ pair?: HolderPair; closes?: OtherCloses }> {
  let first: OtherCloses | undefined;
  for (const pair of pairs) {
    if (isJoined(pair)) return { pair };
    if (isHeldTwice(pair, placed)) continue;
    const [own, others] = pair.map(({ runs }) => runs);
    const closes = await findOtherCloses(connection, [own, others]);
    if (!closes) return { pair };
    first ??= closes;
  }
  return { closes: first };
}

/** Reads the days of all bars of the tickers of `places`. */
function readRuns(connection: DuckDBConnection): Promise<Run[]> {
  const bars = BAR_TABLES.flatMap(({ bars, superseded }) => [`FROM ${bars}`, `FROM ${superseded}`]);
  return selectRows<Run>(
    connection,
    `WITH days AS (
       SELECT DISTINCT p.place, ${BAR_DAY} AS day
       FROM (${bars.join(' UNION ALL ')}) b
       JOIN (FROM series WHERE ticker IN (SELECT ticker FROM places)) s USING (series_id)
       JOIN places p ON p.ticker = s.ticker AND ${BAR_DAY} BETWEEN p.from_day AND p.to_day),
     holes AS (
       SELECT *, coalesce(day - lag(day) OVER own > ${reuseLimits.holeDays}, false) AS is_hole
       FROM days WINDOW own AS (PARTITION BY place ORDER BY day)),
     runs AS (
       SELECT *, count(*) FILTER (is_hole) OVER (PARTITION BY place ORDER BY day) AS run FROM holes)
     SELECT place, min(day) AS first, max(day) AS last FROM runs GROUP BY place, run ORDER BY ALL`,
  );
}

/** Joins two tickers of which one has no bars, so that no day is known. */
function undatedJoin(join: TickerFact, places: readonly Place[]): TickerFact[] {
  const [one, other] = [
    lastHeld(join.ticker, join.day, places),
    lastHeld(join.other!, join.otherDay, places),
  ];
  if (one.owner === other.owner || heldTwice(places, one.owner, other.owner)) return [];
  const dayOf = ({ toDay, fromDay }: Place) => toDay ?? fromDay;
  return [{ ...join, day: dayOf(one), otherDay: dayOf(other) }];
}

function lastHeld(ticker: string, day: number | null, places: readonly Place[]): Place {
  const own = places.filter((place) => {
    return place.ticker === ticker && (day === null || isWithin(day, place));
  });
  return own.findLast(({ role }) => role === 'held') ?? own[own.length - 1];
}
