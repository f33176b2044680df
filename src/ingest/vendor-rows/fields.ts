/** Fields that vendors' answers share, as schemas and as values of ours. Pure. */

import { z } from 'zod';
import { RATING_ACTIONS } from '../../datasets-analysts.ts';
import { dayFromDate } from '../../dates.ts';
import { ParameterError } from '../../errors.ts';

export const text = z.string().nullish();

/** Plain, or with the text that a page shows beside it; an empty object is an unknown one. */
export const figure = z
  .union([z.number(), z.looseObject({ raw: z.number().optional() })])
  .nullish()
  .transform((value) => (typeof value === 'number' ? value : (value?.raw ?? null)));

type RatingAction = (typeof RATING_ACTIONS)[number];

const ACTIONS: ReadonlyMap<string, RatingAction> = new Map<string, RatingAction>([
  ...RATING_ACTIONS.map((action) => [action, action] as const),
  ['up', 'upgrade'],
  ['down', 'downgrade'],
  ['init', 'initiate'],
  ['initialise', 'initiate'],
  ['initialize', 'initiate'],
  ['main', 'maintain'],
  ['hold', 'maintain'],
  ['reit', 'reiterate'],
]);

/** Undefined for a word that none of the vendors is known to use. */
export function ratingAction(word: string | null | undefined): RatingAction | undefined {
  return ACTIONS.get(word?.trim().toLowerCase() ?? '');
}

/** Null for a text of blanks only, and where there is none. */
export function wordsOrNull(words: string | null | undefined): string | null {
  return words?.trim() || null;
}

/** The day of `2026-11-20`, with or without a time behind it; undefined for another text. */
export function dayOfText(date: string | null | undefined): number | undefined {
  try {
    return dayFromDate(date?.slice(0, 10) ?? '');
  } catch (error) {
    if (error instanceof ParameterError) return undefined;
    throw error;
  }
}
