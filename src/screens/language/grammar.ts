/**
 * Reads the grammar of screens: a text to the nodes of `syntax-tree.ts`.
 *
 * Every choice is made by the next word or sign, so no part of a text is read twice. From loosest
 * to tightest: or, and, not, within and for, comparisons, sums, products, signs, offsets.
 */

import type {
  ArithmeticSign,
  Comparator,
  CrossDirection,
  NumberNode,
  ReferenceNode,
  Span,
  SyntaxNode,
  TextNode,
  WindowWord,
} from './syntax-tree.ts';

/** Words that cannot be names. */
const RESERVED = /(?:and|or|not|between|in|is|null|crosses|within|for)(?![a-z0-9_])/iy;
const SPACES = /[ \t\r\n\u00a0]*/y;
const NAME = /[a-z][a-z0-9_]*/iy;
/** Names of functions in Pine begin with `ta.`, and mean the same without it. */
const FUNCTION_NAME = /(?:ta\.(?=[a-z]))?[a-z][a-z0-9_]*/iy;
const SHORT_NUMBER = /[0-9]+(?:\.[0-9]+)?/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*|(?!\.))|\.[0-9]+)(?:e[+-]?[0-9]+|[kmbt])?(?![a-z0-9_])/iy;
const TEXT = /'(?:[^']|'')*'|"(?:[^"]|"")*"/y;
const COMPARATOR = />=|<=|<>|==|!=|[><=]/y;
const EXPONENTS: Readonly<Record<string, string>> = { k: 'e3', m: 'e6', b: 'e9', t: 'e12' };

const WORDS = {
  and: wordPattern('and'),
  or: wordPattern('or'),
  not: wordPattern('not'),
  between: wordPattern('between'),
  in: wordPattern('in'),
  is: wordPattern('is'),
  null: wordPattern('null'),
  crosses: wordPattern('crosses'),
  above: wordPattern('above'),
  below: wordPattern('below'),
  within: wordPattern('within'),
  for: wordPattern('for'),
  bars: wordPattern('bars?'),
  by: wordPattern('by'),
  among: wordPattern('among'),
  universe: wordPattern('universe'),
  ',': /,/y,
  '.': /\./y,
  '(': /\(/y,
  ')': /\)/y,
  '[': /\[/y,
  ']': /\]/y,
} as const;

type Word = keyof typeof WORDS;

/** Returns true for a word that can't be a name, or that stands beside names. */
export function isReserved(name: string): boolean {
  return Object.hasOwn(WORDS, name);
}

/** A text breaks the grammar. */
export class GrammarError extends Error {
  readonly offset: number;
  /** Words, signs and kinds of parts that may stand there, in the order of the grammar. */
  readonly expected: readonly string[];

  constructor(offset: number, expected: readonly string[]) {
    super(`expected ${expected.join(', ')} at offset ${offset}`);
    this.offset = offset;
    this.expected = expected;
  }
}

/** @throws {GrammarError} the text is not an expression. */
export function readExpression(text: string): SyntaxNode {
  const reader = new Reader(text);
  const expression = reader.or();
  reader.end();
  return expression;
}

/** Reads expressions with commas between them. */
export function readList(text: string): SyntaxNode[] {
  const reader = new Reader(text);
  const list = reader.list();
  reader.end();
  return list;
}

function wordPattern(word: string): RegExp {
  return new RegExp(`${word}(?![a-z0-9_])`, 'iy');
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** Parts that could stand at `#at`, and do not. */
  #expected: string[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#spaces();
  }

  end(): void {
    if (this.#at === this.#text.length) return;
    this.#expected.push('the end');
    this.#fail();
  }

  list(): SyntaxNode[] {
    const list = [this.or()];
    while (this.#has(',')) list.push(this.or());
    return list;
  }

  or(): SyntaxNode {
    const start = this.#at;
    const of = [this.#and()];
    while (this.#has('or')) of.push(this.#and());
    return of.length === 1 ? of[0] : { kind: 'or', of, ...this.#from(start) };
  }

  #and(): SyntaxNode {
    const start = this.#at;
    const of = [this.#not()];
    while (this.#has('and')) of.push(this.#not());
    return of.length === 1 ? of[0] : { kind: 'and', of, ...this.#from(start) };
  }

  #not(): SyntaxNode {
    const starts: number[] = [];
    for (let start = this.#at; this.#has('not'); start = this.#at) starts.push(start);
    let node = this.#comparison();
    for (let word = this.#tryWindow(); word; word = this.#tryWindow()) {
      const bars = this.#count();
      this.#has('bars');
      node = { kind: 'window', word, bars, of: node, ...this.#from(node.start) };
    }
    const { end } = node;
    return starts.reduceRight<SyntaxNode>((of, start) => ({ kind: 'not', of, start, end }), node);
  }

  #tryWindow(): WindowWord | undefined {
    if (this.#has('within')) return 'within';
    return this.#has('for') ? 'for' : undefined;
  }

  #comparison(): SyntaxNode {
    WORDS.in.lastIndex = this.#at;
    if (WORDS.in.test(this.#text)) return this.#universe();
    const left = this.#sum();
    const { start } = left;
    const sign = this.#try(COMPARATOR, 'a comparison');
    if (sign !== undefined) {
      const operator = (sign === '==' ? '=' : sign === '<>' ? '!=' : sign) as Comparator;
      return { kind: 'compare', operator, left, right: this.#sum(), ...this.#from(start) };
    }
    if (this.#has('crosses')) {
      const direction = this.#direction();
      return { kind: 'cross', direction, left, right: this.#sum(), ...this.#from(start) };
    }
    if (this.#has('is')) {
      const isNot = this.#has('not');
      this.#need('null');
      return { kind: 'isNull', left, isNot, ...this.#from(start) };
    }
    const isNot = this.#has('not');
    if (this.#has('between')) {
      const low = this.#sum();
      this.#need('and');
      return { kind: 'between', left, low, high: this.#sum(), isNot, ...this.#from(start) };
    }
    if (this.#has('in')) {
      this.#need('(');
      const list = [this.#choice()];
      while (this.#has(',')) list.push(this.#choice());
      this.#need(')');
      return { kind: 'in', left, list, isNot, ...this.#from(start) };
    }
    return isNot ? this.#fail() : left;
  }

  #universe(): SyntaxNode {
    const start = this.#at;
    this.#need('in');
    this.#need('universe');
    this.#need('(');
    const name = this.#tryText() ?? this.#fail();
    this.#need(')');
    return { kind: 'universe', name, ...this.#from(start) };
  }

  #direction(): CrossDirection {
    if (this.#has('above')) return 'above';
    return this.#has('below') ? 'below' : 'either';
  }

  #choice(): TextNode | NumberNode {
    return this.#tryText() ?? this.#count();
  }

  #sum(): SyntaxNode {
    return this.#terms(/[+-]/y, () => this.#terms(/[*/]/y, () => this.#signed()));
  }

  /** Reads operands with operators of one precedence between them. */
  #terms(signs: RegExp, operandOf: () => SyntaxNode): SyntaxNode {
    const start = this.#at;
    const first = operandOf();
    const rest: { operator: ArithmeticSign; operand: SyntaxNode }[] = [];
    for (;;) {
      const operator = this.#try(signs, 'an operator') as ArithmeticSign | undefined;
      if (operator === undefined) break;
      rest.push({ operator, operand: operandOf() });
    }
    return rest.length === 0 ? first : { kind: 'arithmetic', first, rest, ...this.#from(start) };
  }

  #signed(): SyntaxNode {
    const starts = this.#minuses();
    let node = this.#primary();
    while (this.#has('[')) {
      const bars = this.#count();
      this.#need(']');
      node = { kind: 'offset', bars, of: node, ...this.#from(node.start) };
    }
    const { end } = node;
    return starts.reduceRight<SyntaxNode>(
      (of, start) => ({ kind: 'negate', of, start, end }),
      node,
    );
  }

  /** Reads signs, and returns the places of those that negate. */
  #minuses(): number[] {
    const starts: number[] = [];
    for (;;) {
      const start = this.#at;
      const sign = this.#try(/[+-]/y, 'a sign');
      if (sign === undefined) return starts;
      if (sign === '-') starts.push(start);
    }
  }

  #primary(): SyntaxNode {
    const start = this.#at;
    const literal = this.#tryNumber() ?? this.#tryText();
    if (literal !== undefined) return literal;
    if (this.#has('(')) {
      const of = this.or();
      this.#need(')');
      return { kind: 'group', of, ...this.#from(start) };
    }
    return this.#reference();
  }

  /** Reads a name, and the numbers and outputs behind it, in both spellings. */
  #reference(): ReferenceNode {
    const start = this.#at;
    RESERVED.lastIndex = start;
    const name = RESERVED.test(this.#text)
      ? undefined
      : this.#tryWhole(FUNCTION_NAME)?.replace(/^ta\./i, '');
    if (name === undefined) return this.#fail('a name');
    const params: NumberNode[] = [];
    while (this.#text[this.#at] === ':') params.push(this.#shortNumber());
    const outputs = this.#text[this.#at] === '_' ? [this.#shortOutput()] : [];
    this.#spaces();
    const { args, ...clauses } = this.#has('(') ? this.#arguments() : { args: null };
    if (args && name.toLowerCase() === 'symbol' && this.#has('.')) {
      const of = this.#reference();
      return { kind: 'reference', name: 'symbol', params, args, outputs, of, ...this.#from(start) };
    }
    if (this.#has('.')) {
      const from = this.#at;
      const text = this.#try(NAME, 'an output') ?? this.#fail();
      outputs.push({ text: text.toLowerCase(), ...this.#from(from) });
    }
    return {
      kind: 'reference',
      name: name.toLowerCase(),
      params,
      args,
      outputs,
      ...clauses,
      ...this.#from(start),
    };
  }

  /** Reads arguments, and the clauses that may be the last ones. */
  #arguments(): Pick<ReferenceNode, 'args' | 'by' | 'among'> {
    if (this.#has(')')) return { args: null };
    const args = [this.or()];
    let [by, among]: [ReferenceNode?, SyntaxNode?] = [];
    while (this.#has(',')) {
      if (!by && this.#has('by')) by = this.#reference();
      else if (!among && this.#has('among')) among = this.or();
      else if (!by && !among) args.push(this.or());
      else this.#fail();
    }
    this.#need(')');
    return { args, ...(by && { by }), ...(among && { among }) };
  }

  #shortNumber(): NumberNode {
    const start = ++this.#at;
    const text = this.#tryWhole(SHORT_NUMBER) ?? this.#fail('a number');
    return { kind: 'number', value: Number(text), ...this.#from(start) };
  }

  #shortOutput(): Span & { text: string } {
    const start = this.#at++;
    const text = this.#tryWhole(NAME) ?? this.#fail('an output');
    return { text: text.toLowerCase(), ...this.#from(start) };
  }

  #count(): NumberNode {
    const start = this.#at;
    const isNegative = this.#minuses().length % 2 === 1;
    const { value } = this.#tryNumber() ?? this.#fail();
    return { kind: 'number', value: isNegative ? -value : value, ...this.#from(start) };
  }

  #tryNumber(): NumberNode | undefined {
    const start = this.#at;
    const text = this.#try(NUMBER, 'a number');
    if (text === undefined) return undefined;
    const value = Number(text.toLowerCase().replace(/[kmbt]$/, (suffix) => EXPONENTS[suffix]));
    return { kind: 'number', value, ...this.#from(start) };
  }

  #tryText(): TextNode | undefined {
    const start = this.#at;
    const text = this.#try(TEXT, 'a text');
    if (text === undefined) return undefined;
    const value = text.slice(1, -1).replaceAll(text[0].repeat(2), text[0]);
    return { kind: 'text', value, ...this.#from(start) };
  }

  #need(word: Word): void {
    if (!this.#has(word)) this.#fail();
  }

  #has(word: Word): boolean {
    return this.#try(WORDS[word], word) !== undefined;
  }

  /** Reads a word or sign and the spaces behind it. */
  #try(pattern: RegExp, expected: string): string | undefined {
    const text = this.#tryWhole(pattern);
    if (text === undefined) this.#expected.push(expected);
    else this.#spaces();
    return text;
  }

  /** Reads a pattern without spaces behind it. */
  #tryWhole(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined) return undefined;
    this.#at += text.length;
    this.#expected = [];
    return text;
  }

  #spaces(): void {
    SPACES.lastIndex = this.#at;
    SPACES.test(this.#text);
    this.#at = SPACES.lastIndex;
  }

  #from(start: number): Span {
    return { start, end: this.#at };
  }

  #fail(...expected: string[]): never {
    throw new GrammarError(this.#at, [...this.#expected, ...expected]);
  }
}
