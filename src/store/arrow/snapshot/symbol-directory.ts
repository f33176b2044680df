/** The published symbols with their facts, by number and by name. */

import { type Basis, type Dividend, paidType, type Split } from '../../../base/bars.ts';
import { assert } from '../../../base/errors.ts';
import type { ActionCoverage } from '../../../base/prices/action-coverage.ts';
import { NULL_INT, NULL_MICROS } from '../format/batch-layout.ts';
import { columnsFromRows, firstRowOf, type TableData } from '../format/table-file.ts';
import { ACTION_TABLE, SYMBOL_TABLE } from '../format/tables.ts';
import type { SymbolInfo } from './snapshot.ts';

/** Facts of a symbol that do not follow from its bars. */
export type SymbolFacts = Omit<SymbolInfo, 'firstBarUs' | 'lastBarUs'>;

const SPIN_OFF = paidType({ isSpinOff: true });
const UNLIKELY = 'unlikely dividend';
const NO_SPLITS: readonly Split[] = [];

export class SymbolDirectory {
  /**
   * Names by symbol number: ascending after a full compaction, with newer symbols at the end. A
   * removed symbol has an empty name.
   */
  readonly names: readonly string[];
  readonly sortedNames: readonly string[];
  readonly #table: TableData<typeof SYMBOL_TABLE>;
  readonly #actions: TableData<typeof ACTION_TABLE>;
  readonly #numbers: Map<string, number>;
  #splits: Map<string, Split[]> | undefined;

  constructor(symbols: TableData<typeof SYMBOL_TABLE>, actions: TableData<typeof ACTION_TABLE>) {
    this.#table = symbols;
    this.#actions = actions;
    this.names = this.#table.symbol;
    this.sortedNames = this.names.filter((name) => name !== '').sort();
    this.#numbers = new Map(this.names.map((name, number) => [name, number]));
    this.#numbers.delete('');
  }

  /** Symbol numbers by name, without gaps. */
  get numbers(): ReadonlyMap<string, number> {
    return this.#numbers;
  }

  number(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  facts(name: string): SymbolFacts {
    const number = this.#numbers.get(name);
    assert(number !== undefined, `"${name}" is a published symbol`);
    const { symbol, source, basis, as_of } = this.#table;
    const splits: Split[] = [];
    const dividends: Dividend[] = [];
    this.#collectActions(symbol[number], splits, dividends);
    return {
      symbol: symbol[number],
      source: source[number],
      basis: basis[number] as Basis,
      asOfUs: as_of[number] === NULL_MICROS ? undefined : as_of[number],
      splits,
      dividends,
      actionCoverage: this.#coverage(number),
    };
  }

  #coverage(number: number): ActionCoverage | undefined {
    const { actions_from, actions_to, dividends_from, dividends_to } = this.#table;
    const splits = { fromDay: actions_from[number], toDay: actions_to[number] };
    if (splits.fromDay === NULL_INT) return undefined;
    const dividends = { fromDay: dividends_from[number], toDay: dividends_to[number] };
    if (dividends.fromDay === NULL_INT) return splits;
    return { ...splits, dividends: dividends.fromDay > dividends.toDay ? null : dividends };
  }

  /** Returns the splits of a symbol, for callers that need those of all symbols. */
  splits(name: string): readonly Split[] {
    this.#splits ??= this.#collectSplits();
    return this.#splits.get(name) ?? NO_SPLITS;
  }

  /** Returns the dividends of all symbols that the prices contradict. */
  unlikelyDividends(): UnlikelyDividend[] {
    const { symbol, type, ex_date, amount } = this.#actions;
    const found: UnlikelyDividend[] = [];
    for (let row = 0; row < ex_date.length; row++) {
      if (type[row] !== UNLIKELY) continue;
      found.push({ symbol: symbol[row], exDay: ex_date[row], amount: amount[row] });
    }
    return found;
  }

  #collectSplits(): Map<string, Split[]> {
    const { symbol, ex_date, numerator, denominator } = this.#actions;
    const splits = new Map<string, Split[]>();
    for (let row = 0; row < numerator.length; row++) {
      if (Number.isNaN(numerator[row])) continue;
      const split = {
        exDay: ex_date[row],
        numerator: numerator[row],
        denominator: denominator[row],
      };
      const known = splits.get(symbol[row]);
      if (known) known.push(split);
      else splits.set(symbol[row], [split]);
    }
    return splits;
  }

  /** Returns false if splits are not known for any day: then none are applied. */
  hasCoverage(number: number): boolean {
    return this.#table.actions_from[number] !== NULL_INT;
  }

  #collectActions(name: string, splits: Split[], dividends: Dividend[]): void {
    const { type, ex_date, numerator, denominator, amount, factor, currency } = this.#actions;
    const start = firstRowOf(this.#actions, 'symbol', name);
    const end = firstRowOf(this.#actions, 'symbol', `${name}\0`, start);
    for (let row = start; row < end; row++) {
      const exDay = ex_date[row];
      if (Number.isNaN(numerator[row])) {
        dividends.push({
          exDay,
          amount: amount[row],
          ...(currency[row] !== '' && { currency: currency[row] }),
          ...(type[row] === SPIN_OFF && { isSpinOff: true }),
          ...(type[row] === UNLIKELY && { isUnlikely: true }),
          ...(!Number.isNaN(factor[row]) && { factor: factor[row] }),
        });
      } else splits.push({ exDay, numerator: numerator[row], denominator: denominator[row] });
    }
  }
}

export interface UnlikelyDividend {
  symbol: string;
  exDay: number;
  amount: number;
}

export function symbolColumns(facts: readonly SymbolFacts[]): TableData<typeof SYMBOL_TABLE> {
  const rows = facts.map(({ symbol, source, basis, asOfUs = null, actionCoverage }) => ({
    symbol,
    source,
    basis,
    as_of: asOfUs,
    actions_from: actionCoverage?.fromDay ?? null,
    actions_to: actionCoverage?.toDay ?? null,
    ...dividendColumns(actionCoverage?.dividends),
  }));
  return columnsFromRows(SYMBOL_TABLE, rows);
}

function dividendColumns(days: ActionCoverage['dividends']) {
  if (days === undefined) return { dividends_from: null, dividends_to: null };
  return { dividends_from: days?.fromDay ?? 1, dividends_to: days?.toDay ?? 0 };
}

export function actionColumns(facts: readonly SymbolFacts[]): TableData<typeof ACTION_TABLE> {
  const sorted = facts.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const ratio = { numerator: null, denominator: null };
  const none = { ...ratio, amount: null, factor: null, currency: null };
  const rows = sorted.flatMap(({ symbol, splits, dividends }) =>
    [
      ...splits.map(({ exDay: ex_date, ...split }) => ({
        ...{ symbol, type: 'split', ex_date, ...none, ...split },
      })),
      ...dividends.map(({ exDay: ex_date, ...paid }) => ({
        ...{ symbol, type: paid.isUnlikely ? UNLIKELY : paidType(paid), ex_date, ...none, ...paid },
      })),
    ].sort((a, b) => a.ex_date - b.ex_date),
  );
  return columnsFromRows(ACTION_TABLE, rows);
}
