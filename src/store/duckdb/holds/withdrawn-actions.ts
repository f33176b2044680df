/**
 * Actions that a list of a user takes back, because it is complete for its symbols and lacks them.
 * A split that the traded prices show is no mistake of the list before: the load is held.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { CONTRADICTS_SPLIT } from '../../../base/errors.ts';
import { FILE_SOURCES } from '../../../base/sources.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, selectRows, sqlDay } from '../connection/sql-rows.ts';
import type { SeriesHold } from './series-hold.ts';
import { movesOf, readBars, WINDOW_DAYS } from './split-contradictions.ts';

/** A split or dividend that counts. */
export interface CountedAction {
  symbol: string;
  type: string;
  exDay: number;
  numerator: number;
  denominator: number;
  amount: number;
}

/** Reads the actions of `loading_symbols` that count, if the load has a list that may lack some. */
export async function readCounted(
  connection: DuckDBConnection,
  { source, actions }: CandleSegment,
): Promise<CountedAction[]> {
  if (!FILE_SOURCES.includes(source) || !actions?.length) return [];
  // Planning a join over rankings takes longer than a small load should.
  const stated = 'FROM stated_actions SEMI JOIN loading_symbols USING (symbol)';
  if (!(await exists(connection, stated))) return [];
  return selectRows<CountedAction>(
    connection,
    `SELECT symbol, type, ${sqlDay('ex_date')} AS "exDay", numerator::DOUBLE AS numerator,
       denominator::DOUBLE AS denominator, amount
     FROM corporate_actions SEMI JOIN loading_symbols USING (symbol) ORDER BY symbol, ex_date, type`,
  );
}

/** Returns the actions of before without one of their type near their day. */
export function withdrawnActions(
  before: readonly CountedAction[],
  after: readonly CountedAction[],
): CountedAction[] {
  const left = Map.groupBy(after, ({ symbol, type }) => `${symbol} ${type}`);
  return before.filter(({ symbol, type, exDay }) => {
    const near = left.get(`${symbol} ${type}`) ?? [];
    return !near.some((one) => Math.abs(one.exDay - exDay) <= WINDOW_DAYS);
  });
}

/** Holds symbols whose traded prices move by the ratio of a withdrawn split on its day. */
export async function holdForWithdrawn(
  connection: DuckDBConnection,
  withdrawn: readonly CountedAction[],
): Promise<SeriesHold | undefined> {
  const splits = withdrawn.filter(({ type }) => type === 'split');
  if (splits.length === 0) return undefined;
  const bars = Map.groupBy(await readBars(connection, splits), ({ key }) => key);
  const found = splits.flatMap((split, key) => {
    const move = movesOf(split, bars.get(key) ?? []).find(({ bar }) => bar.day >= split.exDay);
    if (move?.bar.basis !== 'raw' || move.kind !== 'jump') return [];
    const detail = `${textOf(split)} (${move.before}, then ${move.after})`;
    return [{ symbol: split.symbol, detail }];
  });
  if (found.length === 0) return undefined;
  return {
    check: 'a withdrawn split',
    verbs: ['loses', 'lose'],
    text: `a ${CONTRADICTS_SPLIT} that the traded prices show, since the new list lacks it (add it: a list is complete for its symbols)`,
    found,
  };
}

/** Names an action for a report: `SPY dividend 0.24 on 2024-03-08`. */
export function lineOf(action: CountedAction): string {
  return `${action.symbol} ${action.type} ${textOf(action)}`;
}

function textOf({ type, exDay, numerator, denominator, amount }: CountedAction): string {
  const value = type === 'split' ? `${numerator}:${denominator}` : amount;
  return `${value} on ${dateFromDay(exDay)}`;
}
