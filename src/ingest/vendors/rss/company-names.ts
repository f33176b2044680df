/**
 * Finds companies that a text names. Pure.
 *
 * A wrong company is worse than a missing one, so the whole name must stand in the text, with
 * capital letters. A name that two companies share counts for neither.
 */

import type { NamedSecurity } from '../../contract/source-options.ts';
import { COMMON_WORDS } from './common-words.ts';

/** Returns symbols of the companies named, in the order of the text, each once. */
export type CompanyFinder = (text: string) => string[];

/** Words for the legal form of a company, which are not part of its name. */
const LEGAL = new Set(
  'inc incorporated corp corporation co company companies ltd limited plc llc lp sa nv ag se ab asa spa oyj bv'.split(
    ' ',
  ),
);
const DROPPED_AT_END = new Set([...LEGAL, 'holdings', 'holding', 'group', 'reit', 'com', 'and']);
const DROPPED_AT_START = new Set(['the']);
const SMALL_WORDS = new Set(['of', 'and', 'the', 'for', 'de', 'on', 'in']);

/** Words that turn the name before them into another company's: `Apple Bank`. */
const OTHER_COMPANY = new Set(
  'bank bancorp bancshares financial capital energy partners therapeutics pharmaceuticals pharma biosciences hospitality trust fund funds etf reit insurance resources industries motors foundation university park records'.split(
    ' ',
  ),
);

interface Word {
  text: string;
  lower: string;
  /** True if only a blank, an apostrophe, a hyphen or `&` lies before it. */
  isJoined: boolean;
}

interface Name {
  words: readonly Word[];
  symbols: string[];
  /** Undefined as soon as two companies have the name. */
  company: string | undefined;
  isGuarded: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
const JOINT = /^(?:[\s'’.&-]|\s&\s)$/;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const between = text.slice(end, index);
    const isInitial = words.at(-1)?.text.length === 1 && between === '. ';
    words.push({
      text: word,
      lower: word.toLowerCase(),
      isJoined: isInitial || JOINT.test(between),
    });
    end = index + word.length;
  }
  return words;
}

/** Words of the name without articles, legal forms and brackets. May be empty. */
function coreOf(companyName: string): Word[] {
  const words = wordsOf(companyName.replace(/\([^)]*\)/g, ' '));
  let start = 0;
  let end = words.length;
  while (start < end && DROPPED_AT_START.has(words[start].lower)) start++;
  while (end > start && DROPPED_AT_END.has(words[end - 1].lower)) end--;
  return words.slice(start, end);
}

function isGuarded(words: readonly Word[]): boolean {
  return words.every(({ lower }) => COMMON_WORDS.has(lower) || SMALL_WORDS.has(lower));
}

/** Returns true for short names (Gap, Box) and numbers (500.com), which any headline has. */
function isTooShort(words: readonly Word[]): boolean {
  const [{ text }] = words;
  if (!words.some((word) => /\p{L}/u.test(word.text))) return true;
  return words.length === 1 && (text.length < 2 || (text.length <= 3 && !isAllCaps(text)));
}

function isAllCaps(text: string): boolean {
  return text === text.toUpperCase();
}

/** @param securities Common shares. Those of one company have one name. */
export function companyFinder(securities: Iterable<NamedSecurity>): CompanyFinder {
  const names = namesByFirstWord(securities);
  return (text) => {
    const found = new Set<string>();
    // In a headline of capitals only, names and words look the same.
    if (isAllCaps(text)) return [];
    const words = wordsOf(text);
    for (let at = 0; at < words.length; at++) {
      const name = names.get(words[at].lower)?.find((one) => stands(one, words, at));
      if (!name) continue;
      if (isMeant(name, words, at)) for (const symbol of name.symbols) found.add(symbol);
      at += name.words.length - 1;
    }
    return [...found];
  };
}

/** Groups names by first word, the longest names first. */
function namesByFirstWord(securities: Iterable<NamedSecurity>): Map<string, Name[]> {
  const names = new Map<string, Name>();
  for (const { symbol, companyName } of securities) {
    const words = coreOf(companyName);
    if (words.length === 0 || isTooShort(words)) continue;
    const key = words.map(({ lower }) => lower).join(' ');
    const company = companyName.toLowerCase();
    const name = names.get(key);
    if (!name) names.set(key, { words, symbols: [symbol], company, isGuarded: isGuarded(words) });
    else if (name.company === company) name.symbols.push(symbol);
    else name.company = undefined;
  }
  const byFirst = Map.groupBy(names.values(), ({ words }) => words[0].lower);
  for (const list of byFirst.values()) list.sort((a, b) => b.words.length - a.words.length);
  return byFirst;
}

function stands({ words }: Name, text: readonly Word[], at: number): boolean {
  return words.every((word, i) => {
    const there = text[at + i];
    if (there?.lower !== word.lower || (i > 0 && !there.isJoined)) return false;
    const isShort = words.length === 1 && word.text.length <= 3;
    if (isShort) return there.text === word.text;
    // The s of McDonald's is small too.
    const maybeSmall = SMALL_WORDS.has(word.lower) || (i > 0 && word.text.length === 1);
    return maybeSmall || /^[\p{Lu}\p{N}]/u.test(there.text);
  });
}

function isMeant(name: Name, text: readonly Word[], at: number): boolean {
  if (name.company === undefined) return false;
  const next = text[at + name.words.length];
  const follows = next?.isJoined || next?.lower === 'inc' ? next : undefined;
  if (name.isGuarded) return follows !== undefined && LEGAL.has(follows.lower);
  const isOther = follows && /^\p{Lu}/u.test(follows.text) && OTHER_COMPANY.has(follows.lower);
  return !isOther;
}
