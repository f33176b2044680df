/** Fields that vendors' responses share, as schemas and as values of ours. Pure. */

import { z } from 'zod';
import { RATING_ACTIONS } from '../../base/datasets/analysts.ts';
import type { DatasetRow } from '../../base/datasets/dataset.ts';
import { validOr } from '../../base/errors.ts';
import { dayFromDate } from '../../base/time/dates.ts';

export const text = z.string().nullish();

/** A number, plain or with its display text. An empty object means unknown. */
export const figure = z
  .union([z.number(), z.looseObject({ raw: z.number().optional() })])
  .nullish()
  .transform((value) => (typeof value === 'number' ? value : (value?.raw ?? null)));

const COUNTS = ['strongBuy', 'buy', 'hold', 'sell', 'strongSell'] as const;

/** Schemas of the numbers of analysts by opinion. */
export const ratingCounts = {
  strongBuy: figure,
  buy: figure,
  hold: figure,
  sell: figure,
  strongSell: figure,
};

type RatingCounts = Record<(typeof COUNTS)[number], number | null>;

/** Picks the counts; all are null where there are none. */
export function countsOf(from: RatingCounts | undefined): RatingCounts {
  return Object.fromEntries(COUNTS.map((name) => [name, from?.[name] ?? null])) as RatingCounts;
}

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

/** Returns undefined for a word that no vendor is known to use. */
function ratingAction(word: string | null | undefined): RatingAction | undefined {
  return ACTIONS.get(word?.trim().toLowerCase() ?? '');
}

/** Makes a row of `upgrades-downgrades` of a vendor's texts; undefined for an unknown action. */
export function gradeRow(
  symbol: string,
  publishedAt: number,
  told: Partial<Record<'action' | 'firm' | 'fromGrade' | 'toGrade', string | null>>,
): DatasetRow | undefined {
  const action = ratingAction(told.action);
  if (!action) return undefined;
  return {
    symbol,
    firm: wordsOrNull(told.firm),
    analystName: null,
    action,
    fromGrade: wordsOrNull(told.fromGrade),
    toGrade: wordsOrNull(told.toGrade),
    publishedAt,
  };
}

/** Returns null for an absent text, or one with blanks only. */
export function wordsOrNull(words: string | null | undefined): string | null {
  return words?.trim() || null;
}

/** Day of `2026-11-20`, with or without a time after it; undefined for another text. */
export function dayOfText(date: string | null | undefined): number | undefined {
  return validOr(() => dayFromDate(date?.slice(0, 10) ?? ''), undefined);
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/;

/** Milliseconds of `2026-11-20T14:02:00Z`, or of `2026-11-20 14:02:00` in UTC; else undefined. */
export function millisOfText(moment: string | null | undefined): number | undefined {
  const match = MOMENT.exec(moment?.trim() ?? '');
  if (!match) return undefined;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`);
  return Number.isNaN(ms) ? undefined : ms;
}
