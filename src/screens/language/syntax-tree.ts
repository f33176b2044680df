/** The parts of an expression as they stand in its text, before names and types are checked. */

/** Place of a part: from the character at `start` to the one before `end`, spaces behind it included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type NumberNode = Span & { kind: 'number'; value: number };
export type TextNode = Span & { kind: 'text'; value: string };

/** `sma`, `sma(volume, 50)`, `bollinger(20).lower`, `bollinger:20:2_lower`; in lower case. */
export type ReferenceNode = Span & {
  kind: 'reference';
  name: string;
  /** Numbers behind colons. */
  params: readonly NumberNode[];
  /** Null without parentheses, or with empty ones. */
  args: readonly SyntaxNode[] | null;
  outputs: readonly (Span & { text: string })[];
  /** Behind the dot of `symbol('SPY').close`. */
  of?: ReferenceNode;
  /** A field after `by`, and a condition after `among`, as last arguments. */
  by?: ReferenceNode;
  among?: SyntaxNode;
};

export type ArithmeticSign = '+' | '-' | '*' | '/';
export type Comparator = '>' | '>=' | '<' | '<=' | '=' | '!=';
export type CrossDirection = 'above' | 'below' | 'either';
export type WindowWord = 'within' | 'for';

export type SyntaxNode =
  | NumberNode
  | TextNode
  | ReferenceNode
  | (Span & { kind: 'group'; of: SyntaxNode })
  | (Span & { kind: 'offset'; of: SyntaxNode; bars: NumberNode })
  | (Span & { kind: 'negate'; of: SyntaxNode })
  /** Operators of equal precedence, which group from the left. */
  | (Span & {
      kind: 'arithmetic';
      first: SyntaxNode;
      rest: readonly { operator: ArithmeticSign; operand: SyntaxNode }[];
    })
  | (Span & { kind: 'compare'; operator: Comparator; left: SyntaxNode; right: SyntaxNode })
  | (Span & { kind: 'cross'; direction: CrossDirection; left: SyntaxNode; right: SyntaxNode })
  | (Span & {
      kind: 'between';
      left: SyntaxNode;
      low: SyntaxNode;
      high: SyntaxNode;
      isNot: boolean;
    })
  | (Span & {
      kind: 'in';
      left: SyntaxNode;
      list: readonly (NumberNode | TextNode)[];
      isNot: boolean;
    })
  /** `in universe('sp500')`. */
  | (Span & { kind: 'universe'; name: TextNode })
  | (Span & { kind: 'isNull'; left: SyntaxNode; isNot: boolean })
  | (Span & { kind: 'window'; word: WindowWord; of: SyntaxNode; bars: NumberNode })
  | (Span & { kind: 'not'; of: SyntaxNode })
  | (Span & { kind: 'and' | 'or'; of: readonly SyntaxNode[] });
