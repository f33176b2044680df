/** Finds what to write for a word or spelling that a text can't have. */

import { fieldOfWord, fieldTitle, SCREEN_FIELD_NAMES } from '../../../base/fields.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import type { IndicatorSpec } from '../../../compute/columns/indicator-spec.ts';
import { indicatorByName, indicatorCatalogue } from '../../../compute/indicators/catalogue.ts';
import { OTHER_NAMES } from './other-names.ts';
import { phraseHint } from './phrases.ts';
import { ABSENT_WORDS, squashed, USUAL_WORDS } from './words.ts';

/** The nearest name, or a sentence. */
export interface Advice {
  nearest?: string | undefined;
  hint?: string | undefined;
}

/** Returns the name of the language that has these letters. */
type NameOf = (letters: string) => string | undefined;

/** Words of a spelling in several words, and their letters. */
const WORDS_MAX = 5;
const CHARS_MAX = 64;

/** Parts of names of other programs that don't change what is meant. */
const PREFIXES = /^(?:regularmarket|trailing|ttm|current|latest|cdl|ta|the|daily|simple|calc|get)/;
const SUFFIXES =
  /(?:ttm|mrq|mry|f[yq]|basic|recent|calc|ratio|percent|pct|last|value|values|current|latest|yoy|\d+d(?:ays?)?|\d+y(?:ears?)?|\d+)$/;

/** By squashed title, what to write for an indicator or a field. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ...SCREEN_FIELD_NAMES.map((name) => [squashed(fieldTitle(name) ?? name), name] as const),
  ...indicatorCatalogue.map((spec) => [squashed(spec.title), callOf(spec)] as const),
]);

/** Returns an indicator with its defaults: `rsi(14)`. */
export function callOf({ name, params }: IndicatorSpec): string {
  return params.length === 0 ? name : `${name}(${params.map((one) => one.default).join(', ')})`;
}

/**
 * @param text   The whole text; words around the place may belong to the spelling.
 * @param offset Place of the word in it.
 * @param names  Names that may stand at the place, one of which may be misspelled.
 */
export function adviceFor(
  text: string,
  offset: number,
  names: readonly string[],
  nameOf: NameOf,
): Advice {
  const rest = text.slice(offset, offset + CHARS_MAX);
  const [, prefix = '', word = ''] = /^(ta\.)?([\w%]+)/i.exec(rest) ?? [];
  const own = word.toLowerCase();
  const isOther = (advice: Advice | undefined) => advice && advice.nearest !== own;
  for (const words of [...wordsAround(text, offset), own]) {
    const advice = adviceOn(squashed(words), nameOf);
    if (isOther(advice)) return advice!;
  }
  const hint = phraseHint(text, offset + prefix.length);
  if (hint !== undefined) return { hint };
  const advice = adviceOnPart(squashed(own), nameOf);
  return isOther(advice) ? advice! : { nearest: misspelled(own, names) };
}

/** Returns the spellings around a place that contain its word, the longest first. */
function wordsAround(text: string, offset: number): string[] {
  const from = Math.max(0, offset - CHARS_MAX);
  const pieces = [...text.slice(from, offset + CHARS_MAX).matchAll(/[\w%][\w%/.&'’-]*/g)].map(
    ({ 0: word, index }) => ({ word, start: from + index, end: from + index + word.length }),
  );
  const at = pieces.findIndex(({ end }) => end > offset);
  if (at < 0 || pieces[at].start > offset) return [];
  const spellings: { words: string; count: number }[] = [];
  for (let first = Math.max(0, at - WORDS_MAX); first <= at; first++) {
    for (let last = at; last < Math.min(pieces.length, at + WORDS_MAX); last++) {
      const between = text.slice(pieces[first].start, pieces[last].end);
      // Other signs between two words end a spelling.
      if (/[^\w%/.&'’\s(-]/.test(between)) continue;
      spellings.push({ words: between, count: last - first });
    }
  }
  return spellings.sort((a, b) => b.count - a.count).map(({ words }) => words);
}

function adviceOn(word: string, nameOf: NameOf): Advice | undefined {
  if (word === '') return undefined;
  const usual = USUAL_WORDS.get(word);
  if (usual !== undefined) return written(usual);
  if (ABSENT_WORDS.has(word)) return { hint: 'no source here has it, and no indicator is like it' };
  const other = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  const spec = indicatorByName(other ?? '');
  if (spec) return { hint: `write ${callOf(spec)}` };
  if (other !== undefined) return { hint: `write ${other}(…)` };
  const name = nameOf(word) ?? TITLES.get(word) ?? fieldOfWord(word);
  return name === undefined ? undefined : written(name);
}

/** Tries a word without what programs put before and behind it. */
function adviceOnPart(word: string, nameOf: NameOf): Advice | undefined {
  let part = word;
  for (let step = 0; step < 4; step++) {
    const shorter = part.replace(SUFFIXES, '');
    part = shorter === part || shorter === '' ? part.replace(PREFIXES, '') : shorter;
    const advice = adviceOn(part, nameOf);
    if (advice) return advice;
  }
  return undefined;
}

function written(text: string): Advice {
  return /^\w+$/.test(text) ? { nearest: text } : { hint: `write ${text}` };
}

/** Share of the letters that may be wrong: one of four. Short names differ in one and mean others. */
const MISSPELLED_MAX = 0.26;

/** Shortest word, and most missing letters, of a name that was not typed to its end. */
const BEGINNING_MIN = 4;
const MISSING_MAX = 2;

function misspelled(word: string, names: readonly string[]): string | undefined {
  // `oper` is no `operating_income`, but `enterprise` is an `enterprise_value`.
  const isCompletion = (name: string) =>
    word.length >= BEGINNING_MIN &&
    (name[word.length] === '_' || name.length - word.length <= MISSING_MAX);
  const possible = names.filter((name) => !name.startsWith(word) || isCompletion(name));
  return nearestName(word, possible, MISSPELLED_MAX);
}
