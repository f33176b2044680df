/** The tables of published symbols, and of their splits and dividends. */

import { NULL_INT, NULL_MICROS } from '../format/batch-layout.ts';
import type { TableRow } from '../format/table-file.ts';
import type { ACTION_TABLE, SYMBOL_TABLE } from '../format/tables.ts';
import type { SymbolFacts } from './symbol-directory.ts';

/** @param facts By symbol number. */
export function symbolTableRows(facts: readonly SymbolFacts[]): TableRow<typeof SYMBOL_TABLE>[] {
  return facts.map(symbolRow);
}

/** @param facts In any order. */
export function actionTableRows(facts: readonly SymbolFacts[]): TableRow<typeof ACTION_TABLE>[] {
  return facts.toSorted(bySymbol).flatMap(actionRowsOf);
}

function bySymbol(a: SymbolFacts, b: SymbolFacts): number {
  return a.symbol < b.symbol ? -1 : 1;
}

function symbolRow(facts: SymbolFacts): TableRow<typeof SYMBOL_TABLE> {
  return {
    symbol: facts.symbol,
    source: facts.source,
    basis: facts.basis,
    as_of: facts.asOfUs ?? NULL_MICROS,
    actions_from: facts.actionCoverage?.fromDay ?? NULL_INT,
    actions_to: facts.actionCoverage?.toDay ?? NULL_INT,
  };
}

function actionRowsOf({ symbol, splits, dividends }: SymbolFacts): TableRow<typeof ACTION_TABLE>[] {
  const rows = [
    ...splits.map(({ exDay, numerator, denominator }) => ({
      symbol,
      type: 'split',
      ex_date: exDay,
      numerator,
      denominator,
      amount: null,
      factor: null,
    })),
    ...dividends.map(({ exDay, amount, factor = null }) => ({
      symbol,
      type: 'dividend',
      ex_date: exDay,
      numerator: null,
      denominator: null,
      amount,
      factor,
    })),
  ];
  return rows.sort((a, b) => a.ex_date - b.ex_date);
}
