/** Parses the texts of a screen. Names and types are checked later, in `resolve.ts`. */

import { limits } from '../../base/limits.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { adviceFor } from './advice/advice.ts';
import { phraseHint } from './advice/phrases.ts';
import { ExpressionError, type TextName } from './expression-error.ts';
import { GrammarError, readExpression, readList } from './grammar.ts';
import { nameOfLetters } from './names.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Words of the grammar that stand for others in messages, in their order. */
const GROUPS: readonly { when: string; says: string; instead: readonly string[] }[] = [
  {
    when: 'a name',
    says: 'an indicator, a column or a number',
    instead: ['a number', 'a text', 'a sign', 'a name', '(', 'not'],
  },
  {
    when: 'a comparison',
    says: 'a comparison',
    instead: ['a comparison', 'crosses', 'is', 'not', 'between', 'in', 'within', 'for'],
  },
];

/** Reported by the parser beside others, and of no use to a reader. */
const SILENT = ['bars', 'by', 'among', '.', '[', '(', 'a sign'];

const OPENING = '([';
const CLOSING = ')]';

/**
 * @param field Names the text in errors.
 * @throws {ExpressionError} the text is not an expression.
 */
export function parseExpression(field: TextName, text: string): SyntaxNode {
  checkText(field, text);
  return parsed(field, text, () => readExpression(text));
}

/** Parses expressions with commas between them. */
export function parseList(field: TextName, text: string): SyntaxNode[] {
  checkText(field, text);
  return parsed(field, text, () => readList(text));
}

function parsed<T>(field: TextName, text: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    throw syntaxError(field, text, error);
  }
}

/** Checks length, nesting and quotes: the parser calls itself for each level. */
function checkText(field: TextName, text: string): void {
  const { charsMax, nestingMax } = limits.screens;
  if (text.length > charsMax) {
    const rule = `exceeds the limit of ${charsMax} characters`;
    throw new ExpressionError(field, text, charsMax, { rule });
  }
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === "'" || sign === '"') {
      const end = text.indexOf(sign, i + 1);
      if (end < 0) {
        const expected = `a closing ${sign}`;
        throw new ExpressionError(field, text, i, {
          rule: `expected ${expected} for the text`,
          expected,
          hint: phraseHint(text, i),
        });
      }
      i = end;
    } else if (OPENING.includes(sign)) {
      depth++;
      if (depth > nestingMax) throw nestingError(field, text, i);
    } else if (CLOSING.includes(sign)) depth--;
  }
}

export function nestingError(field: TextName, text: string, offset: number): ExpressionError {
  const rule = `exceeds the limit of ${limits.screens.nestingMax} levels of nesting`;
  return new ExpressionError(field, text, offset, { rule });
}

function syntaxError(field: TextName, text: string, error: GrammarError): ExpressionError {
  const { offset } = error;
  const found = wordAt(text, offset);
  // A wrong word after "crosses" is read as the name of a column.
  const direction = /\bcrosses\s+(\w+)\s+$/i.exec(text.slice(0, offset))?.[1];
  if (direction !== undefined) {
    const at = text.slice(0, offset).lastIndexOf(direction);
    const nearest = nearestName(direction, ['above', 'below']);
    const expected = '"above", "below" or a number';
    if (nearest !== undefined) {
      const complaint = { rule: `expected ${expected}`, expected, found: direction, nearest };
      return new ExpressionError(field, text, at, complaint);
    }
  }
  let names = error.expected;
  const words = names.filter((name) => /^[a-z]+$/.test(name));
  for (const { when, says, instead } of GROUPS) {
    if (names.includes(when)) names = [says, ...names.filter((name) => !instead.includes(name))];
  }
  const left = [...new Set(names)].filter((name) => !SILENT.includes(name));
  const expected = listed(left.length > 0 ? left : [...new Set(names)]);
  const sign = hintFor(found, names);
  const advice =
    sign === undefined ? adviceFor(text, offset, words, nameOfLetters) : { hint: sign };
  // A percent sign belongs to names such as `%K`.
  const isPercent = found === '%' && !advice.hint && !advice.nearest;
  return new ExpressionError(field, text, offset, {
    rule: `expected ${expected}`,
    found,
    expected,
    ...(isPercent ? { hint: 'percents are plain numbers, as in change_pct > 5' } : advice),
  });
}

/** Advice for two comparisons in one. */
function hintFor(found: string, names: readonly string[]): string | undefined {
  const isSecond = /^(?:[<>]=?|==?|!=)$/.test(found) && names.includes('and');
  return isSecond ? 'write two comparisons, as in close > 1 and close < 5' : undefined;
}

/** Names with commas and an "or"; words of the language in quotation marks. */
function listed(names: readonly string[]): string {
  const shown = names.map((name) => (/^(an? |the )/.test(name) ? name : `"${name}"`));
  const last = shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`;
}

/** The word, number or sign that begins there; empty at the end of the text. */
function wordAt(text: string, offset: number): string {
  const rest = text.slice(offset);
  const word = /^([\p{L}\p{N}_.]+|&&|\|\||[<>=!]+|.)/su.exec(rest);
  return word?.[0] ?? '';
}
