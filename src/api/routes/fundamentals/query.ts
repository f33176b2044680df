/** Query parameters of statements and ratios. */

import { z } from 'zod';
import { newYorkMidnightMs } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { RouteContract } from '../../contract/route.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  dateField,
  formatField,
  pageLimitField,
  symbolPath,
} from '../../http/query-fields.ts';

const PERIODS = ['annual', 'quarterly', 'ttm'] as const;

const parameters = z.strictObject({
  period: choiceField(PERIODS)
    .default('annual')
    .describe(
      "`ttm`: the four quarters up to each quarter's end; for a balance sheet, the latest.",
    ),
  limit: pageLimitField.describe('Maximum number of periods.'),
  as_of: dateField
    .describe('Only filings known by the end of that day in New York, without later restatements.')
    .optional(),
  format: formatField.optional(),
});

export interface FundamentalsQuery {
  period: (typeof PERIODS)[number];
  limit: number;
  /** Filings after this time are ignored. */
  knownByMs: number;
  /** Last day that counts; undefined for the newest. */
  asOfDay: number | undefined;
  format: Format;
  /** The same text for every spelling of a query. */
  canonical: string;
}

export const parsedQuery = cachedParser((query, accept): FundamentalsQuery => {
  const { period, limit, as_of, format: requested } = checkedQuery(parameters, query);
  const format = chosenFormat(requested, accept, FORMATS);
  const asOfDay = as_of === undefined ? undefined : dayFromDate(as_of, 'as_of');
  const knownByMs =
    asOfDay === undefined ? Number.POSITIVE_INFINITY : newYorkMidnightMs(asOfDay + 1) - 1;
  const canonical = [format, period, limit, as_of].join(' ');
  return { period, limit, knownByMs, asOfDay, format, canonical };
});

/** Part of the contract that all of them share. */
export const SHARED = {
  tag: 'Fundamentals',
  path: symbolPath,
  query: parameters,
  formats: FORMATS,
  isTagged: true,
} as const satisfies Partial<RouteContract>;
