/** Query parameters of statements and ratios. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
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

export const PERIODS = ['annual', 'quarterly', 'semiannual', 'ttm'] as const;

/** Parameters of statements and ratios. */
export const STATEMENT_QUERY = z.strictObject({
  period: choiceField(PERIODS)
    .default('annual')
    .describe(
      '`semiannual`: half years, of companies that file no quarters. `ttm`: the four quarters, or ' +
        "two halves, up to each one's end; for a balance sheet, the latest.",
    ),
  limit: pageLimitField.describe('Maximum number of periods.'),
  as_of: dateField
    .describe('Only filings known by the end of that day in New York, without later restatements.')
    .optional(),
  explain: choiceField(['true', 'false'])
    .describe("`true` adds each figure's lines, filing and verdict, or why it is null, in JSON.")
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
  isExplained: boolean;
  format: Format;
  /** The same text for every spelling of a query. */
  canonical: string;
}

type Parameters = z.infer<typeof STATEMENT_QUERY>;

function parsed(parameters: Parameters, accept: string | undefined): FundamentalsQuery {
  const { period, limit, as_of, explain, format: requested } = parameters;
  const format = chosenFormat(requested, accept, FORMATS);
  const isExplained = explain === 'true';
  if (isExplained && format !== 'json') {
    throw new ParameterError('explain', 'explain=true needs the format json');
  }
  const asOfDay = as_of === undefined ? undefined : dayFromDate(as_of, 'as_of');
  const knownByMs =
    asOfDay === undefined ? Number.POSITIVE_INFINITY : newYorkMidnightMs(asOfDay + 1) - 1;
  const canonical = [format, period, limit, as_of, isExplained].join(' ');
  return { period, limit, knownByMs, asOfDay, isExplained, format, canonical };
}

export const statementQuery = cachedParser((query, accept) =>
  parsed(checkedQuery(STATEMENT_QUERY, query), accept),
);

/** Part of the contract that all of them share. */
export const SHARED = {
  tag: 'Fundamentals',
  path: symbolPath,
  formats: FORMATS,
  isTagged: true,
} as const satisfies Partial<RouteContract>;
