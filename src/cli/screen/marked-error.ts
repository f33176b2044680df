/** Errors of expressions, with the expression and a mark under the position. */

import { UsageError } from '../../base/errors.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import { ExpressionError } from '../../screens/language/expression-error.ts';

const WIDTH = 76;
/** Characters before the position that are shown of a long expression. */
const BEFORE = 50;

/** Returns what `compile` returns. @throws {UsageError} an expression is wrong. */
export function markingErrors<T>(texts: ScreenTexts, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const text = texts[error.field as keyof ScreenTexts] ?? '';
    const lines = markedLines(text, error.position).map((line) => `\n  ${line}`);
    throw new UsageError(error.message + lines.join(''), { cause: error });
  }
}

/**
 * Returns a text, or a part of a long one, and a line with a mark.
 *
 * @param position Character of the text, from 1 on.
 */
export function markedLines(text: string, position: number): [string, string] {
  // A line break or a tab would move the mark.
  const characters = [...text.trim()].map((one) => (/\s/.test(one) ? ' ' : one));
  const place = position - 1;
  const start = characters.length <= WIDTH ? 0 : Math.max(0, place - BEFORE);
  const shown = characters.slice(start, start + WIDTH).join('');
  const head = start > 0 ? '…' : '';
  const tail = start + WIDTH < characters.length ? '…' : '';
  return [`${head}${shown}${tail}`, `${' '.repeat(head.length + place - start)}^`];
}
