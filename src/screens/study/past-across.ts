/**
 * Values compared across symbols on every session of a study: a table of sessions for each group of
 * `LANES` symbols, whose values of a session stand side by side.
 */

import { ParameterError } from '../../base/errors.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import type {
  AcrossExpression,
  SymbolExpression,
  SymbolValues,
} from '../../base/symbol-expression.ts';
import { LANES } from '../../compute/columns/layout.ts';
import { compareAcross } from '../plan/across.ts';
import { evaluator } from '../plan/evaluate.ts';
import type { StudyMarket } from './study-market.ts';

/** Sessions compared before other work may run. */
const COMPARED_AT_ONCE = 4;

/** Cells of a table made empty before other work may run: some 1 ms. */
const CELLS_AT_ONCE = 2 ** 20;

/** Gives the group of a symbol by row of a table; undefined if it is unknown. */
type GroupOfDays = (row: number) => string | undefined;

export class PastAcross {
  readonly #market: StudyMarket;
  readonly #expressions: readonly AcrossExpression[];
  /** By session, its row of a table; −1 for one that is not needed. */
  readonly #rows: Int32Array;
  /** Sessions of a table, and its cells. */
  readonly #rowCount: number;
  readonly #cells: number;
  /** By number of the symbol, its column of a table. */
  readonly #columns = new Map<number, number>();
  readonly #tables = new Map<AcrossExpression, Float64Array>();
  readonly #free: Float64Array[];

  /**
   * @param sessions Numbers of the sessions whose values are needed.
   * @param free     Tables that nobody uses any more.
   * @throws {ParameterError} The tables take too much memory.
   */
  constructor(
    market: StudyMarket,
    expressions: readonly AcrossExpression[],
    sessions: ReadonlySet<number>,
    free: Float64Array[],
  ) {
    this.#market = market;
    this.#expressions = expressions;
    this.#free = free;
    this.#rows = new Int32Array(market.sessions.length).fill(-1);
    for (const [row, session] of [...sessions].sort((a, b) => a - b).entries()) {
      this.#rows[session] = row;
    }
    for (const [column, number] of market.order.entries()) this.#columns.set(number, column);
    this.#rowCount = sessions.size;
    this.#cells = sessions.size * Math.ceil(market.order.length / LANES) * LANES;
    if (this.bytes > limits.study.acrossBytesMax) throw tooLarge(this.bytes);
  }

  get bytes(): number {
    return this.#expressions.length * this.#cells * Float64Array.BYTES_PER_ELEMENT;
  }

  /** Fills the tables. @param of Gives the values of symbols. */
  *fill(of: (numbers: Int32Array) => SymbolValues[]): Generator<undefined> {
    const empty = new Set(this.#expressions);
    for (const expression of empty) {
      const free = this.#free.at(-1)?.length === this.#cells ? this.#free.pop() : undefined;
      const table = free ?? new Float64Array(this.#cells);
      for (let start = 0; start < table.length; start += CELLS_AT_ONCE) {
        table.fill(Number.NaN, start, start + CELLS_AT_ONCE);
        yield;
      }
      this.#tables.set(expression, table);
    }
    while (empty.size > 0) {
      const ready = [...empty].filter(
        ({ of, among }) => !(reads(of, empty) || reads(among, empty)),
      );
      yield* this.#fill(ready, of);
      for (const expression of ready) empty.delete(expression);
    }
  }

  /** Gives the memory of the tables back. */
  release(): void {
    this.#free.push(...this.#tables.values());
    this.#tables.clear();
  }

  *#fill(
    expressions: readonly AcrossExpression[],
    of: (numbers: Int32Array) => SymbolValues[],
  ): Generator<undefined> {
    const { order } = this.#market;
    const groups = expressions.map((): GroupOfDays[] => []);
    for (let at = 0; at < order.length; at += LANES) {
      const numbers = order.subarray(at, at + LANES);
      const values = of(numbers);
      const evaluators = values.map(evaluator);
      for (const [place, expression] of expressions.entries()) {
        for (const [i, evaluate] of evaluators.entries()) {
          const symbol = { column: at + i, number: numbers[i] };
          this.#put(expression, this.#tables.get(expression)!, symbol, evaluate);
          if (expression.by)
            groups[place].push(this.#groupOf(values[i], expression.by, numbers[i]));
        }
      }
      yield;
    }
    for (const [place, expression] of expressions.entries()) {
      const { name, by } = expression;
      const table = this.#tables.get(expression)!;
      const session = new Float64Array(order.length);
      for (let row = 0; row < this.#rowCount; row++) {
        for (let i = 0; i < session.length; i++) session[i] = table[this.#cellOf(i) + row * LANES];
        compareAcross(name, session, by ? (symbol) => groups[place][symbol](row) : undefined);
        for (let i = 0; i < session.length; i++) table[this.#cellOf(i) + row * LANES] = session[i];
        if (row % COMPARED_AT_ONCE === 0) yield;
      }
    }
  }

  /** Returns the texts of a field by row of a table. */
  #groupOf({ text }: SymbolValues, by: ScreenFieldName, number: number): GroupOfDays {
    const texts = text(by);
    const [first] = texts;
    // Most symbols have one text for all days, which takes no memory.
    if (texts.every((one) => one === first)) return () => first ?? undefined;
    const ofDays = new Map<number, string | undefined>();
    for (const [row, session] of this.#market.sessionsOf(number).entries()) {
      ofDays.set(this.#rows[session], texts[row] ?? undefined);
    }
    return (row) => ofDays.get(row);
  }

  /** Returns the first cell of a symbol by its column; the next session's is `LANES` cells later. */
  #cellOf(column: number): number {
    const lane = column % LANES;
    return (column - lane) * this.#rowCount + lane;
  }

  #put(
    { of, among }: AcrossExpression,
    table: Float64Array,
    { column, number }: { column: number; number: number },
    evaluate: (expression: SymbolExpression) => Float64Array,
  ): void {
    const values = evaluate(of);
    const isMember = among && evaluate(among);
    const sessions = this.#market.sessionsOf(number);
    const cell = this.#cellOf(column);
    for (let row = 0; row < sessions.length; row++) {
      const place = this.#rows[sessions[row]];
      if (place < 0 || (isMember && isMember[row] !== 1)) continue;
      table[cell + place * LANES] = values[row];
    }
  }

  /** Returns the values of a symbol by row of its series; NaN on sessions that are not needed. */
  valuesOf(expression: AcrossExpression, number: number): Float64Array {
    const table = this.#tables.get(expression)!;
    const cell = this.#cellOf(this.#columns.get(number)!);
    const sessions = this.#market.sessionsOf(number);
    const values = new Float64Array(sessions.length).fill(Number.NaN);
    for (let row = 0; row < sessions.length; row++) {
      const place = this.#rows[sessions[row]];
      if (place >= 0) values[row] = table[cell + place * LANES];
    }
    return values;
  }
}

/** Returns true if a part has one of some comparisons in it. */
function reads(
  part: SymbolExpression | undefined,
  comparisons: ReadonlySet<SymbolExpression>,
): boolean {
  if (part === undefined) return false;
  if (part.kind === 'operation') return part.operands.some((one) => reads(one, comparisons));
  if (part.kind !== 'across') return false;
  return comparisons.has(part) || reads(part.of, comparisons) || reads(part.among, comparisons);
}

function tooLarge(bytes: number): ParameterError {
  const megabytes = (count: number) => Math.ceil(count / 1024 ** 2);
  const most = megabytes(limits.study.acrossBytesMax);
  return new ParameterError(
    'from',
    `from and to have too many sessions for rank, demean and standard, which take ${megabytes(bytes)} MB of at most ${most}: narrow from and to`,
  );
}
