/** Judges prices next to a column of adjustment factors, by which some writers have multiplied them. Pure. */

import type { Basis } from '../../../base/bars.ts';
import { numberFromCell } from './cells.ts';

export interface FactorColumns {
  date?: number;
  symbol?: number;
  close?: number;
  factor: number;
}

/** Basis that the rows show, with its fact; nothing if they leave it open. */
export type FactorFact = { basis: Basis; fact: string } | 'unchanged' | 'open';

/** Least step of a factor that no move of a price hides. */
const STEP_MIN = 1.19;
/** Greatest move of a price, as a part of it, on the day of a step. */
const MOVE_MAX = 0.12;
/** Least step of a factor that its digits do not explain. */
const DIVIDEND_MIN = 1.0005;

/**
 * Looks at the days on which the factor takes a step: a traded price moves by the step or by its
 * inverse, an adjusted one does not. Smaller steps show that the factor has dividends, too.
 * @returns 'unchanged' if all factors are 1; 'open' if no step tells, or steps contradict.
 */
export function factorFact(
  { rows }: { rows: readonly string[][] },
  { date, symbol, close, factor }: FactorColumns,
  isNewestFirst: boolean,
): FactorFact {
  const befores = new Map<string, { factor: number; close: number }>();
  const days: Partial<Record<'traded' | 'adjusted' | 'dividend', string>> = {};
  let isOne = true;
  for (const row of isNewestFirst ? rows.toReversed() : rows) {
    const now = {
      factor: numberFromCell(row[factor]) ?? 1,
      close: numberFromCell(row[close!]) ?? 0,
    };
    if (!(now.factor > 0 && now.close > 0)) continue;
    isOne &&= now.factor === 1;
    const name = symbol === undefined ? '' : row[symbol];
    const before = befores.get(name);
    befores.set(name, now);
    if (before === undefined) continue;
    const kind = stepOf(now.factor / before.factor, now.close / before.close);
    if (kind) days[kind] ??= row[date!];
  }
  if (isOne) return 'unchanged';
  if ((days.traded === undefined) === (days.adjusted === undefined)) return 'open';
  if (days.traded !== undefined) {
    return { basis: 'raw', fact: `its price jumps where its factor does, on ${days.traded}` };
  }
  const fact = `its price does not jump where its factor does, on ${days.adjusted}`;
  return { basis: days.dividend === undefined ? 'split' : 'all', fact };
}

function stepOf(step: number, move: number): 'traded' | 'adjusted' | 'dividend' | undefined {
  const size = Math.max(step, 1 / step);
  if (size < STEP_MIN) return size >= DIVIDEND_MIN ? 'dividend' : undefined;
  const isNear = (ratio: number) => Math.abs(ratio - 1) <= MOVE_MAX;
  if (isNear(move)) return 'adjusted';
  return isNear(move * step) || isNear(move / step) ? 'traded' : undefined;
}
