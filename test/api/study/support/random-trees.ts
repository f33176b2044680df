/** Random conditions of the language of screens, as trees for another program and as texts. */

export type Tree = readonly (string | number | Tree)[];

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'];

/** Numbers with which no comparison of prices in cents is a tie. */
const oddNumber = (random: () => number, from: number, to: number) =>
  Number((from + (to - from) * random()).toFixed(5)) + 0.0000137;

export class RandomTrees {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)];
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  odd(from: number, to: number): number {
    return oddNumber(this.#random, from, to);
  }

  /** A number in the currency of prices; `depth` bounds how far it is nested. */
  price(depth: number): Tree {
    const column: Tree = [this.pick(COLUMNS.slice(0, 4))];
    if (depth === 0 || this.#random() < 0.2) return column;
    switch (this.whole(0, 6)) {
      case 0:
        return [this.pick(['avg', 'highest', 'lowest']), this.price(depth - 1), this.whole(2, 25)];
      case 1:
        return ['offset', this.price(depth - 1), this.whole(1, 12)];
      case 2:
        return ['ema', column, this.whole(2, 20)];
      case 3:
        return [this.pick(['max', 'min']), this.price(depth - 1), this.price(depth - 1)];
      case 4:
        return ['if', this.condition(0), this.price(depth - 1), this.price(depth - 1)];
      case 5:
        return ['/', ['+', this.price(depth - 1), this.price(depth - 1)], ['number', 2]];
      default:
        return column;
    }
  }

  /** A number without a unit. */
  ratio(depth: number): Tree {
    switch (this.whole(0, 4)) {
      case 0:
        return ['pct_change', this.price(depth), this.whole(1, 15)];
      case 1:
        return ['/', ['volume'], [this.pick(['avg', 'sum']), ['volume'], this.whole(2, 15)]];
      case 2:
        return ['rsi', ['close'], this.whole(2, 14)];
      case 3:
        return ['/', ['stddev', this.price(depth), this.whole(3, 15)], ['close']];
      default:
        return ['/', ['change', this.price(depth), this.whole(1, 9)], ['abs', ['open']]];
    }
  }

  #comparison(depth: number): Tree {
    const sign = this.pick(['>', '<', '>=', '<=']);
    if (this.#random() < 0.6) {
      const scaled: Tree = ['*', ['number', this.odd(0.93, 1.07)], this.price(depth)];
      return [sign, this.price(depth), scaled];
    }
    const [from, to] = this.pick([
      [-3, 3],
      [0, 2],
      [30, 70],
    ]);
    return [sign, this.ratio(depth), ['number', this.odd(from, to)]];
  }

  condition(depth: number): Tree {
    if (depth === 0) return this.#comparison(0);
    const inner = () => this.condition(depth - 1);
    switch (this.whole(0, 8)) {
      case 0:
      case 1:
        return [this.pick(['and', 'or']), inner(), inner()];
      case 2:
        return ['not', inner()];
      case 3:
        return [this.pick(['within', 'for']), inner(), this.whole(1, 5)];
      case 4:
        return ['>', ['count', inner(), this.whole(2, 9)], ['number', this.odd(0, 5)]];
      case 5: {
        const scaled: Tree = ['*', ['number', this.odd(0.97, 1.03)], this.price(1)];
        return [this.pick(['crosses above', 'crosses below']), ['close'], scaled];
      }
      case 6:
        return ['<', ['bars_since', ['>', ['close'], ['open']]], ['number', this.odd(0, 4)]];
      case 7:
        return this.pick<Tree>([
          ['<', ['weekday'], ['number', this.odd(1, 5)]],
          ['>', ['listed_bars'], ['number', this.odd(10, 200)]],
          ['>', ['year_to_date'], ['number', this.odd(-9, 9)]],
          ['is null', this.ratio(0)],
        ]);
      default:
        return this.#comparison(depth);
    }
  }

  /** A comparison of symbols. */
  across(): Tree {
    const of: Tree = [this.pick(['rank', 'demean', 'standard']), this.ratio(1)];
    return this.#random() < 0.3 ? [...of, this.condition(0)] : of;
  }
}

const INFIX = [
  'and',
  'or',
  '+',
  '-',
  '*',
  '/',
  '>',
  '<',
  '>=',
  '<=',
  'crosses above',
  'crosses below',
];

/** Returns a tree in the language of screens. */
export function textOf([op, ...parts]: Tree): string {
  if (op === 'number') return String(parts[0]);
  const [first, second, third] = parts.map((part) =>
    typeof part === 'number' ? String(part) : textOf(part as Tree),
  );
  if (first === undefined) return String(op);
  if (INFIX.includes(String(op))) return `(${first} ${op} ${second})`;
  if (op === 'offset') return `(${first})[${second}]`;
  if (op === 'within' || op === 'for') return `(${first} ${op} ${second})`;
  if (op === 'is null') return `(${first} is null)`;
  if (op === 'not') return `(not ${first})`;
  if (op === 'if') return `if(${first}, ${second}, ${third})`;
  if (['rank', 'demean', 'standard'].includes(String(op))) {
    return second === undefined ? `${op}(${first})` : `${op}(${first}, among ${second})`;
  }
  return `${op}(${first}, ${second})`.replace(/, undefined\)$/, ')');
}
