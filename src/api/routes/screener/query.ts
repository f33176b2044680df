/** What a screener request asks, checked and in canonical form. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { ScreenerNumber, SortDirection } from '../../../compute/screener/columns.ts';
import type { ScreenerConditions } from '../../../compute/screener/conditions.ts';
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

const SORT_COLUMNS = {
  market_cap: 'marketCap',
  pe_ratio: 'peRatio',
  dividend_yield: 'dividendYield',
  volume: 'volume',
  change_pct: 'changePct',
} as const satisfies Record<string, ScreenerNumber>;

const SORTS = Object.keys(SORT_COLUMNS) as (keyof typeof SORT_COLUMNS)[];

/** Columns that a minimum, and where there is one a maximum, bounds. */
const RANGES = [
  ['market_cap', 'marketCap'],
  ['pe_ratio', 'peRatio'],
  ['dividend_yield', 'dividendYield'],
  ['volume', 'volume'],
  ['price', 'price'],
  ['change_pct', 'changePct'],
  ['rsi14', 'rsi14'],
] as const satisfies readonly (readonly [string, ScreenerNumber])[];

const COUNTRY = /^[a-z]{2}$/;

export const screenerParameters = z.strictObject({
  market_cap_min: numberField.describe('Smallest `marketCap`. Null passes no filter.').optional(),
  market_cap_max: numberField.describe('Largest `marketCap`.').optional(),
  pe_ratio_min: numberField.describe('Smallest `peRatio`.').optional(),
  pe_ratio_max: numberField.describe('Largest `peRatio`.').optional(),
  dividend_yield_min: numberField
    .describe('Smallest `dividendYield`, a fraction: 0.02 is two percent.')
    .optional(),
  volume_min: numberField.describe('Smallest `volume`.').optional(),
  price_min: numberField.describe('Smallest `price`.').optional(),
  price_max: numberField.describe('Largest `price`.').optional(),
  change_pct_min: numberField.describe('Smallest `changePct`, in percent.').optional(),
  change_pct_max: numberField.describe('Largest `changePct`, in percent.').optional(),
  rsi14_min: numberField.describe('Smallest `rsi14`.').optional(),
  rsi14_max: numberField.describe('Largest `rsi14`.').optional(),
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
  sort: choiceField(SORTS).default('market_cap').describe('Field to sort by.'),
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
  /** The same text for every spelling of the same question, as a walk needs it. */
  question: string;
}

type Parameters = z.infer<typeof screenerParameters>;

/**
 * @throws {ParameterError} a parameter breaks a rule, or a minimum lies above its maximum.
 * @throws {HttpError} 406: no format is acceptable.
 */
export function screenerQuery(query: string, accept: string | undefined): ScreenerRequest {
  const asked = checkedQuery(screenerParameters, query);
  const { limit, cursor, order: direction } = asked;
  const ranges = rangesOf(asked);
  const texts = (['sector', 'industry', 'country', 'exchange'] as const).flatMap((column) => {
    const accepted = asked[column];
    return accepted ? [{ column, accepted }] : [];
  });
  const activeSinceDay =
    asked.active_since === undefined ? undefined : dayFromDate(asked.active_since);
  const sort = SORT_COLUMNS[asked.sort];
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
  return RANGES.flatMap(([name, column]) => {
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
