/** Completions of a word in an expression. */

import type { Indicator } from '../../../clients/typescript/operations.js';
import { SCREEN_FIELD_NAMES, screenField } from '../../base/fields.ts';

export interface Suggestion {
  /** Text that replaces the word. */
  text: string;
  kind: 'column' | 'indicator' | 'output' | 'function' | 'field' | 'word';
  detail: string;
  /** Part of `text` that is selected afterwards, to be typed over. */
  selected?: [start: number, end: number];
}

/** The word at the caret, and what may stand there. */
export interface Completion {
  start: number;
  end: number;
  suggestions: readonly Suggestion[];
}

const SHOWN_MAX = 8;

const COLUMNS: Readonly<Record<string, string>> = {
  close: 'Close of the newest bar',
  open: 'Open of the newest bar',
  high: 'High of the newest bar',
  low: 'Low of the newest bar',
  volume: 'Volume of the newest bar',
  hl2: 'Mean of high and low',
  hlc3: 'Mean of high, low and close',
  ohlc4: 'Mean of open, high, low and close',
};

const FUNCTIONS: Readonly<Record<string, string>> = {
  'avg(volume, 20)': 'Mean of the last values',
  'sum(volume, 20)': 'Sum of the last values',
  'stddev(close, 20)': 'Standard deviation of the last values',
  'highest(high, 252)': 'Highest of the last values',
  'lowest(low, 252)': 'Lowest of the last values',
  'change(close, 1)': 'Difference from some bars before',
  'pct_change(close, 21)': 'Change from some bars before, in percent',
  'abs(change(close))': 'Size without the sign',
  'min(open, close)': 'The smaller one',
  'max(open, close)': 'The larger one',
  'log(close)': 'Natural logarithm',
  'weekly(rsi(14))': 'Computes over weekly bars',
  'monthly(close)': 'Computes over monthly bars',
};

const WORDS: Readonly<Record<string, string>> = {
  and: 'Both conditions',
  or: 'One condition at least',
  not: 'The opposite',
  between: 'close between 10 and 20',
  in: "sector in ('energy', 'utilities')",
  'is null': 'The value is unknown',
  'is not null': 'The value is known',
  'crosses above': 'close crosses above sma(50)',
  'crosses below': 'close crosses below sma(50)',
  within: 'close > sma(50) within 5: on any of 5 bars',
  for: 'close > sma(50) for 5: on each of 5 bars',
};

/** Selects what is in the parentheses. */
function inside(text: string): [number, number] | undefined {
  const open = text.indexOf('(');
  return open < 0 ? undefined : [open + 1, text.length - 1];
}

function indicatorSuggestion({ name, title, params }: Indicator): Suggestion {
  // A parameter whose default depends on the interval is left out, to be right in `weekly(…)`.
  const values = params.flatMap((param) => (param.defaults ? [] : [String(param.default)]));
  const text = params.length === 0 ? name : `${name}(${values.join(', ')})`;
  const names = params.map((param) => param.name.replaceAll('_', ' '));
  const detail = names.length === 0 ? title : `${title}: ${names.join(', ')}`;
  const selected = inside(text);
  return { text, kind: 'indicator', detail, ...(selected && { selected }) };
}

function fromTable(
  table: Readonly<Record<string, string>>,
  kind: Suggestion['kind'],
): Suggestion[] {
  return Object.entries(table).map(([text, detail]) => {
    const selected = inside(text);
    return { text, kind, detail, ...(selected && { selected }) };
  });
}

/** Returns every word of the language with the indicators of the catalogue. */
export function vocabulary(catalogue: readonly Indicator[]): Suggestion[] {
  const taken = new Set([...Object.keys(COLUMNS), ...catalogue.map(({ name }) => name)]);
  const functions = fromTable(FUNCTIONS, 'function');
  const fields = SCREEN_FIELD_NAMES.filter((name) => !taken.has(name));
  const inFunctions = new Set(functions.map(({ text }) => nameOf(text)));
  return [
    ...fromTable(COLUMNS, 'column'),
    ...functions,
    ...catalogue.filter(({ name }) => !inFunctions.has(name)).map(indicatorSuggestion),
    ...fields.map(
      (text): Suggestion => ({
        text,
        kind: 'field',
        detail: screenField(text).description!.replaceAll('`', ''),
      }),
    ),
    ...fromTable(WORDS, 'word'),
  ];
}

function nameOf(text: string): string {
  return text.split('(', 1)[0];
}

function isInQuotes(text: string): boolean {
  let quote = '';
  for (const char of text) {
    if (quote === '') {
      if (char === "'" || char === '"') quote = char;
    } else if (char === quote) quote = '';
  }
  return quote !== '';
}

/** Better matches have lower ranks; undefined matches not at all. */
function rankOf({ text, detail, kind }: Suggestion, typed: string): number | undefined {
  const name = nameOf(text);
  if (name === typed) return 0;
  if (name.startsWith(typed)) return kind === 'field' ? 2 : 1;
  if (name.split('_').some((part) => part.startsWith(typed))) return 3;
  if (typed.length > 2 && kind !== 'word' && detail.toLowerCase().includes(typed)) return 4;
  return undefined;
}

/** @returns undefined if no word is at the caret, or none fits. */
export function completionAt(
  text: string,
  caret: number,
  words: readonly Suggestion[],
  catalogue: readonly Indicator[],
): Completion | undefined {
  const before = text.slice(0, caret);
  if (isInQuotes(before)) return undefined;
  const rest = /^\w*/.exec(text.slice(caret))![0].length;
  const dotted = /([a-z_]\w*)(?:\([^()]*\))?\.(\w*)$/i.exec(before);
  if (dotted) {
    const spec = catalogue.find(({ name }) => name === dotted[1].toLowerCase());
    if (!spec || spec.outputs.length < 2) return undefined;
    const typed = dotted[2].toLowerCase();
    const suggestions = spec.outputs
      .filter(({ name }) => name.startsWith(typed))
      .map(({ name }): Suggestion => ({ text: name, kind: 'output', detail: `of ${spec.title}` }));
    if (suggestions.length === 0) return undefined;
    return { start: caret - dotted[2].length, end: caret + rest, suggestions };
  }
  const typed = /(?<![\w.])[a-z_]\w*$/i.exec(before)?.[0].toLowerCase();
  if (typed === undefined) return undefined;
  const ranked = words
    .map((word) => ({ word, rank: rankOf(word, typed) }))
    .filter((one): one is { word: Suggestion; rank: number } => one.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN_MAX);
  if (ranked.length === 0) return undefined;
  const end = caret + rest;
  return { start: caret - typed.length, end, suggestions: ranked.map(({ word }) => word) };
}

/** Returns true if the word is complete as it stands, so that Enter need not complete it. */
export function isComplete(text: string, { start, end, suggestions }: Completion): boolean {
  const typed = text.slice(start, end).toLowerCase();
  return suggestions.some((one) => one.text === typed || nameOf(one.text) === typed);
}
