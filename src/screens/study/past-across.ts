/** Values compared across symbols on every session of a study: a table of sessions and symbols. */

import { ParameterError } from '../../base/errors.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import type { AcrossExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { LANES } from '../../compute/columns/layout.ts';
import { compareAcross } from '../plan/across.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import type { StudyMarket } from './study-market.ts';

/** Sessions compared before other work may run. */
const COMPARED_AT_ONCE = 4;

export class PastAcross {
  readonly #market: StudyMarket;
  readonly #expressions: readonly AcrossExpression[];
  /** By session, its row of a table; −1 for one that is not needed. */
  readonly #rows: Int32Array;
  /** By number of the symbol, its column of a table. */
  readonly #columns = new Map<number, number>();
  readonly #tables = new Map<AcrossExpression, Float64Array>();

  /**
   * @param sessions Numbers of the sessions whose values are needed.
   * @throws {ParameterError} The tables take too much memory.
   */
  constructor(
    market: StudyMarket,
    expressions: readonly AcrossExpression[],
    sessions: ReadonlySet<number>,
  ) {
    this.#market = market;
    this.#expressions = expressions;
    this.#rows = new Int32Array(market.sessions.length).fill(-1);
    for (const [row, session] of [...sessions].sort((a, b) => a - b).entries()) {
      this.#rows[session] = row;
    }
    for (const [column, number] of market.order.entries()) this.#columns.set(number, column);
    const cells = sessions.size * market.order.length;
    const bytes = expressions.length * cells * Float64Array.BYTES_PER_ELEMENT;
    if (bytes > limits.study.acrossBytesMax) throw tooLarge(bytes);
    for (const expression of expressions) {
      this.#tables.set(expression, new Float64Array(cells).fill(Number.NaN));
    }
  }

  /** Fills the tables, inner ones first. @param of Gives the values of symbols. */
  *fill(of: (numbers: Int32Array) => SymbolValues[]): Generator<undefined> {
    for (const expression of this.#expressions) yield* this.#fill(expression, of);
  }

  *#fill(
    expression: AcrossExpression,
    of: (numbers: Int32Array) => SymbolValues[],
  ): Generator<undefined> {
    const { name, of: compared, among, by } = expression;
    const table = this.#tables.get(expression)!;
    const { order } = this.#market;
    const groups: (string | undefined)[] = [];
    for (let at = 0; at < order.length; at += LANES) {
      const numbers = order.subarray(at, at + LANES);
      for (const [i, values] of of(numbers).entries()) {
        const column = evaluateExpression(compared, values);
        const isMember = among && evaluateExpression(among, values);
        const sessions = this.#market.sessionsOf(numbers[i]);
        for (let row = 0; row < values.count; row++) {
          const place = this.#rows[sessions[row]];
          if (place < 0 || (isMember && isMember[row] !== 1)) continue;
          table[place * order.length + at + i] = column[row];
        }
        if (by) groups.push(groupOf(values, by));
      }
      yield;
    }
    const count = table.length / order.length;
    for (let row = 0; row < count; row++) {
      const session = table.subarray(row * order.length, (row + 1) * order.length);
      compareAcross(name, session, by ? (place) => groups[place] : undefined);
      if (row % COMPARED_AT_ONCE === 0) yield;
    }
  }

  /** Returns the values of a symbol by row of its series; NaN on sessions that are not needed. */
  valuesOf(expression: AcrossExpression, number: number): Float64Array {
    const table = this.#tables.get(expression)!;
    const column = this.#columns.get(number)!;
    const width = this.#market.order.length;
    return Float64Array.from(this.#market.sessionsOf(number), (session) => {
      const row = this.#rows[session];
      return row < 0 ? Number.NaN : table[row * width + column];
    });
  }
}

/** Returns the text of a field that has one for all days. */
function groupOf(values: SymbolValues, by: ScreenFieldName): string | undefined {
  return values.text(by)[0] ?? undefined;
}

function tooLarge(bytes: number): ParameterError {
  const megabytes = (count: number) => Math.ceil(count / 1024 ** 2);
  const most = megabytes(limits.study.acrossBytesMax);
  return new ParameterError(
    'from',
    `from and to have too many sessions for rank, demean and standard, which take ${megabytes(bytes)} MB of at most ${most}: narrow from and to`,
  );
}
