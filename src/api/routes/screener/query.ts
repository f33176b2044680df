/** Parses the query of a screener request into checked conditions in canonical form. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  SCREENER_FILTERS,
  SCREENER_TEXTS,
  type ScreenerNumber,
} from '../../../base/quote-fields.ts';
import { quoted } from '../../../base/quoted.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { ScreenerConditions } from '../../../compute/screener/filters.ts';
import type { SortDirection } from '../../../compute/screener/sort-order.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  cursorField,
  dateField,
  exchangeField,
  formatField,
  integerField,
  listField,
  numberField,
} from '../../http/query-fields.ts';

const { sizeDefault, screenerSizeMax } = limits.page;

/** Columns that screens can be sorted by, by the name in the parameter. */
const SORT_COLUMNS = new Map(
  SCREENER_FILTERS.filter(({ isSortable }) => isSortable).map(({ name, column }) => [name, column]),
);

/** Parameters of the ranges: a minimum of each column, and a maximum if the column has one. */
const rangeParameters = Object.fromEntries(
  SCREENER_FILTERS.flatMap(({ name, min, max }) => [
    [`${name}_min`, numberField.describe(min).optional()] as const,
    ...(max === undefined ? [] : [[`${name}_max`, numberField.describe(max).optional()] as const]),
  ]),
);

const COUNTRY = /^[a-z]{2}$/;

export const screenerParameters = z.strictObject({
  ...rangeParameters,
  sector: listField('must be a comma-separated list of sectors')
    .describe('One or more; case does not matter.')
    .optional(),
  industry: listField('must be a comma-separated list of industries')
    .describe('One or more; case does not matter.')
    .optional(),
  country: listField('must be a comma-separated list of two-letter codes', COUNTRY, {
    type: 'string',
    pattern: '^[A-Za-z]{2}$',
  })
    .describe('One or more two-letter country codes (ISO 3166).')
    .optional(),
  exchange: exchangeField.optional(),
  active_since: dateField.describe('The newest bar is on this day or later.').optional(),
  sort: choiceField([...SORT_COLUMNS.keys()])
    .default('market_cap')
    .describe('Field to sort by.'),
  order: choiceField(['asc', 'desc'])
    .default('desc')
    .describe('Nulls come last in both orders; ties are sorted by symbol.'),
  limit: integerField(1, screenerSizeMax).default(sizeDefault).describe('Rows per page.'),
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

export interface ScreenerRequest extends ScreenerConditions {
  sort: ScreenerNumber;
  direction: SortDirection;
  limit: number;
  cursor: string | undefined;
  format: Format;
  /** The same text for every spelling of the same query, as cursors need it. */
  question: string;
}

type Parameters = z.infer<typeof screenerParameters>;

/**
 * @throws {ParameterError} A parameter breaks a rule, or a minimum lies above its maximum.
 * @throws {HttpError} 406: no format is acceptable.
 */
export function screenerQuery(query: string, accept: string | undefined): ScreenerRequest {
  const asked = checkedQuery(screenerParameters, query);
  const { limit, cursor, order: direction } = asked;
  const ranges = rangesOf(asked);
  const texts = SCREENER_TEXTS.flatMap((column) => {
    const accepted = asked[column];
    return accepted ? [{ column, accepted }] : [];
  });
  const activeSinceDay =
    asked.active_since === undefined ? undefined : dayFromDate(asked.active_since);
  const sort = SORT_COLUMNS.get(asked.sort)!;
  const format = chosenFormat(asked.format, accept, FORMATS);
  const filters = [
    ...ranges.map(({ column, min, max }) => [column, String(min), String(max)]),
    ...texts.map(({ column, accepted }) => [column, ...accepted]),
  ];
  const question = JSON.stringify(['screener', filters, activeSinceDay ?? null, sort, direction]);
  return { ranges, texts, activeSinceDay, sort, direction, limit, cursor, format, question };
}

function rangesOf(asked: Parameters): ScreenerRequest['ranges'] {
  const bounds: Record<string, unknown> = asked;
  return SCREENER_FILTERS.flatMap(({ name, column }) => {
    const [min, max] = [bounds[`${name}_min`], bounds[`${name}_max`]] as (number | undefined)[];
    if (min === undefined && max === undefined) return [];
    if (min !== undefined && max !== undefined && min > max) {
      throw new ParameterError(
        `${name}_min`,
        `${name}_min must not be above ${name}_max ${quoted(String(max))}, got ${quoted(String(min))}`,
      );
    }
    return [{ column, min: min ?? -Infinity, max: max ?? Infinity }];
  });
}
