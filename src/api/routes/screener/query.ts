/** Parses the query of a screener request into checked conditions in canonical form. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import {
  type FilterName,
  SCREENER_FILTERS,
  SCREENER_TEXTS,
  type ScreenerNumber,
} from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { SymbolExpression } from '../../../base/symbol-expression.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { ScreenTexts } from '../../../screens/language/expression-error.ts';
import type { SortDirection } from '../../../screens/plan/sort-order.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  cursorField,
  dateField,
  digitsField,
  exchangeField,
  formatField,
  integerField,
  listField,
  listMeta,
  numberField,
  requireText,
  symbolsField,
} from '../../http/query-fields.ts';
import { symbolsFromList } from '../../responses/symbols.ts';
import type { DaysRequest } from '../../study/screened-days.ts';

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

const { charsMax } = limits.screens;

/** Returns the schema of a text whose syntax the thread that runs screens checks. */
export function expressionField(what: string) {
  const error = `must be ${what} of at most ${charsMax} characters`;
  return z.string({ error }).trim().min(1, { error }).max(charsMax, { error });
}

const SORT_DEFAULT = 'market_cap';
const ORDER_DEFAULT = 'desc';

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
  symbols: symbolsField()
    .describe(`Only these symbols, at most ${limits.bulk.symbolsMax}. Unknown ones have no row.`)
    .optional(),
  where: expressionField('an expression')
    .describe(
      'A condition over bars, indicators and fields of the company, for example ' +
        '`rsi(14) < 30 and close > sma(200)`. Rows must pass it and all filters.',
    )
    .optional(),
  columns: expressionField('a comma-separated list of expressions')
    .meta({ ...listMeta({ type: 'string', minLength: 1 }), maxLength: undefined })
    .describe('Further values of each row, for example `sma(50), volume / avg(volume, 20)`.')
    .optional(),
  explain: choiceField(['true', 'false'])
    .describe(
      '`true`: rows need not pass `where`. Each row says whether it does, and gives the result ' +
        'and the values of each condition. JSON only.',
    )
    .optional(),
  as_of: dateField
    .describe(
      'Runs the screen as of the close of that day: with its bars, prices and securities, and ' +
        'with the filings known by then.',
    )
    .optional(),
  from: dateField
    .describe(
      'Rows over days: one for each symbol and day, from this one on, on which `where` is true as ' +
        'of that day. With `from` or `to`, rows have `symbol`, `date` and `columns`, by day and ' +
        'symbol.',
    )
    .optional(),
  to: dateField.describe('Last day of rows over days.').optional(),
  begins: choiceField(['true', 'false'])
    .describe('`true`: over days, only those on which `where` begins to be true.')
    .optional(),
  current_fields: choiceField(['true', 'false'])
    .describe('`true`: over days, fields that are known as of today alone may be used.')
    .optional(),
  sort: expressionField('a field or an expression')
    .default(SORT_DEFAULT)
    .describe(`One of ${[...SORT_COLUMNS.keys()].join(', ')}, or an expression with a number.`),
  order: choiceField(['asc', 'desc'])
    .default(ORDER_DEFAULT)
    .describe('Nulls come last in both orders; ties are sorted by symbol.'),
  limit: integerField(1, screenerSizeMax)
    .default(sizeDefault)
    .describe('Rows per page. Over days it bounds JSON alone; other formats have a million rows.'),
  cursor: cursorField.optional(),
  digits: digitsField
    .describe(
      'Significant digits of `columns` and of the values of `explain`, rounded to the nearest. ' +
        'Prices, volumes and amounts keep all of theirs, and so do the fields of a row. JSON and ' +
        'CSV only. Default: all digits.',
    )
    .optional(),
  format: formatField.optional(),
});

/** Part of a screen that needs the thread of screens. */
export interface ScreenOfRequest {
  texts: ScreenTexts;
  isExplained: boolean;
  /** Days since the epoch; undefined: now. */
  asOfDay: number | undefined;
}

export interface ScreenerRequest {
  /** Expressions that the parameters of ranges, texts and the newest bar stand for. */
  filters: readonly SymbolExpression[];
  /** Canonical; undefined: all. */
  symbols: string[] | undefined;
  /** Undefined for filters alone. */
  screen: ScreenOfRequest | undefined;
  /** Undefined unless rows are over days. */
  days: DaysRequest | undefined;
  /** Column to sort by, unless an expression of the screen decides. */
  sort: ScreenerNumber;
  direction: SortDirection;
  limit: number;
  cursor: string | undefined;
  /** Significant digits of computed columns; undefined: all. */
  digits: number | undefined;
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
  const { limit, cursor, digits, order: direction } = asked;
  const filters = filtersOf(asked);
  const symbols =
    asked.symbols === undefined
      ? undefined
      : symbolsFromList(asked.symbols, limits.bulk.symbolsMax);
  const format = chosenFormat(asked.format, accept, FORMATS);
  requireText(digits, format);
  const days = daysOf(asked, { filters, symbols, format });
  const screen = days ? undefined : screenOf(asked, format);
  const sort = SORT_COLUMNS.get(asked.sort) ?? 'marketCap';
  const question = JSON.stringify([
    ...['screener', filters.map(textOfFilter), sort, direction],
    ...(symbols ? ['symbols', ...symbols.toSorted()] : []),
    ...(screen ? ['screen', screen] : []),
    ...(days ? ['days', { ...days, format: '', limit: 0 }] : []),
  ]);
  const shape = { limit, cursor, digits, format };
  return { filters, symbols, screen, days, sort, direction, ...shape, question };
}

/** @throws {ParameterError} A parameter is missing, or has no meaning over days. */
function daysOf(
  asked: Parameters,
  { filters, symbols, format }: Pick<ScreenerRequest, 'filters' | 'symbols' | 'format'>,
): DaysRequest | undefined {
  const { from, to, where, columns } = asked;
  if (from === undefined && to === undefined) {
    const alone = (['begins', 'current_fields'] as const).find((name) => asked[name]);
    if (alone)
      throw new ParameterError(alone, `${alone} needs from or to: it is for rows over days`);
    return undefined;
  }
  if (where === undefined) {
    throw new ParameterError('where', 'where must be an expression with from or to: it is missing');
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw new ParameterError('from', `from must not be after to "${to}", got "${from}"`);
  }
  const refused = [
    ...(filters.length > 0 ? ['a filter'] : []),
    ...(asked.as_of !== undefined ? ['as_of'] : []),
    ...(asked.explain === 'true' ? ['explain'] : []),
    ...(asked.digits !== undefined ? ['digits'] : []),
    ...(asked.sort !== SORT_DEFAULT ? ['sort'] : []),
    ...(asked.order !== ORDER_DEFAULT ? ['order'] : []),
  ];
  if (refused.length > 0) {
    const rule = `from and to give rows by day and symbol and can't stand with ${refused[0]}`;
    throw new ParameterError(
      from === undefined ? 'to' : 'from',
      refused[0] === 'a filter' ? `${rule}: write it in where` : `${rule}: leave one out`,
    );
  }
  return {
    ...{ rows: 'matches', where, columns, symbols, format, place: undefined },
    mode: asked.begins === 'true' ? 'begins' : 'matches',
    fromDay: from === undefined ? undefined : dayFromDate(from),
    toDay: to === undefined ? undefined : dayFromDate(to),
    hasCurrentFields: asked.current_fields === 'true',
    limit: format === 'json' ? asked.limit : limits.study.rowsMax,
  };
}

/** JSON has no infinite bounds. */
function textOfFilter(filter: SymbolExpression): unknown {
  return filter.kind === 'range'
    ? [filter.name, String(filter.min), String(filter.max)]
    : Object.values(filter);
}

function screenOf(asked: Parameters, format: Format): ScreenOfRequest | undefined {
  const { where, columns, as_of: asOf } = asked;
  const sort = SORT_COLUMNS.has(asked.sort) ? undefined : asked.sort;
  const isExplained = asked.explain === 'true';
  if (isExplained && format !== 'json') {
    throw new ParameterError('explain', `explain needs the format json, got "${format}"`);
  }
  const isPlain = [where, columns, sort, asOf].every((text) => text === undefined);
  if (isPlain && !isExplained) return undefined;
  const asOfDay = asOf === undefined ? undefined : dayFromDate(asOf);
  return { texts: { where, columns, sort }, isExplained, asOfDay };
}

function filtersOf(asked: Parameters): SymbolExpression[] {
  const since = asked.active_since;
  return [
    ...rangesOf(asked),
    ...SCREENER_TEXTS.flatMap((name): SymbolExpression[] => {
      const accepted = asked[name];
      return accepted ? [{ kind: 'text', name, accepted }] : [];
    }),
    ...(since === undefined ? [] : [range('last_bar_day', dayFromDate(since))]),
  ];
}

function range(name: FilterName, min = -Infinity, max = Infinity): SymbolExpression {
  return { kind: 'range', name, min, max };
}

function rangesOf(asked: Parameters): SymbolExpression[] {
  const bounds: Record<string, unknown> = asked;
  return SCREENER_FILTERS.flatMap(({ name }) => {
    const [min, max] = [bounds[`${name}_min`], bounds[`${name}_max`]] as (number | undefined)[];
    if (min === undefined && max === undefined) return [];
    if (min !== undefined && max !== undefined && min > max) {
      throw new ParameterError(
        `${name}_min`,
        `${name}_min must not be above ${name}_max ${quoted(String(max))}, got ${quoted(String(min))}`,
      );
    }
    return [range(name as FilterName, min, max)];
  });
}
