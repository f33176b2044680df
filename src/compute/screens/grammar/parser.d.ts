/** The parser that `screen.peggy` gives. */

import type { SyntaxNode } from '../syntax-tree.ts';

interface Expectation {
  type: string;
  /** Name of a word or sign, as the grammar has it; the end of the text has none. */
  description?: string;
}

export class SyntaxError extends Error {
  readonly expected: readonly Expectation[];
  readonly location: { start: { offset: number } };
}

export function parse(text: string, options: { startRule: 'Expression' }): SyntaxNode;
export function parse(text: string, options: { startRule: 'List' }): SyntaxNode[];
