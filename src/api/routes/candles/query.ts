/** Query of a bulk request for candles, checked and in canonical form. */

import { z } from 'zod';
import { BASES } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { INTERVALS, type Interval } from '../../../base/time/intervals.ts';
import { chosenFormat, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  integerField,
  momentField,
  SYMBOL_TEXT,
  symbolsField,
  windowFromTexts,
} from '../../http/query-fields.ts';
import { type AsOf, asOfField, asOfFromText } from '../../responses/as-of.ts';
import { checkSession, sessionField } from '../../responses/sessions.ts';
import { asOfUniverse, symbolsFromList, universeOfList } from '../../responses/symbols.ts';
import type { CandleWindow } from './series.ts';

/** Formats, the default one first. JSON is not available: a client could not hold the response. */
export const BULK_FORMATS = ['arrow', 'csv', 'parquet'] as const satisfies readonly Format[];

const ALL_SYMBOLS = '*';

export const candlesParameters = z.strictObject({
  symbols: symbolsField(
    'must be *, @ and a universe, or a comma-separated list of symbols',
    new RegExp(`^\\*$|^@[A-Za-z0-9_]+$|${SYMBOL_TEXT.source}`),
  ).describe(
    '`*` for every symbol with bars; `@sp500` for every security that was a member of this ' +
      '[universe](#listUniverses) on any day from `from` to `to`; or at most 2000 symbols. An ' +
      'unknown symbol gets 404, because these formats have no place to list it.',
  ),
  interval: choiceField(INTERVALS).default('1d').describe('Length of a bar.'),
  from: momentField.describe('Earliest `timestamp`: a date or a date-time.').optional(),
  to: momentField
    .describe('Latest `timestamp`, inclusive; a date means that whole day in UTC.')
    .optional(),
  limit: integerField(1, limits.bulk.newestRowsMax)
    .describe('Only the newest bars of each symbol in the window, at most this many.')
    .optional(),
  adjustment: choiceField(BASES)
    .describe(
      'Prices of all symbols as traded (`raw`), adjusted for splits, or for splits and dividends ' +
        '(`all`). Default, for each symbol: `split` if it can be derived, else as stored. 400 if ' +
        'the stored bars of a symbol do not allow it.',
    )
    .optional(),
  session: sessionField,
  as_of: asOfField,
  format: choiceField(BULK_FORMATS)
    .describe('Overrides the header `Accept`; default: Arrow.')
    .optional(),
});

export interface CandlesQuery extends CandleWindow {
  /** Canonical, distinct, in the requested order; undefined: all. */
  symbols: readonly string[] | undefined;
  /** A universe whose members are the symbols; undefined without one. */
  universe: string | undefined;
  /** True if only the newest row of each symbol counts: then of the members of the last day. */
  isLatest?: boolean;
  /** Undefined: now. */
  asOf: AsOf | undefined;
  format: Format;
  /** The same text for every spelling of a query. */
  canonical: string;
}

/**
 * @throws {ParameterError} A parameter breaks a rule, or two contradict each other.
 * @throws {HttpError} 406: no format is acceptable.
 */
export const parsedQuery = cachedParser((query, accept) =>
  candlesQuery(checkedQuery(candlesParameters, query), accept),
);

/** Converts checked parameters; errors as of `parsedQuery`. */
export function candlesQuery<I extends Interval>(
  requested: Omit<z.infer<typeof candlesParameters>, 'interval'> & { interval: I },
  accept: string | undefined,
): CandlesQuery & { interval: I } {
  const { interval, adjustment, limit, session } = requested;
  checkSession(session, interval);
  const universe = universeOfList(requested.symbols);
  const isAll = requested.symbols === ALL_SYMBOLS || universe !== undefined;
  const symbols = isAll ? undefined : symbolsFromList(requested.symbols, limits.bulk.symbolsMax);
  const { fromUs, toUs } = windowFromTexts(requested.from, requested.to);
  const format = chosenFormat(requested.format, accept, BULK_FORMATS);
  const list = symbols?.join() ?? requested.symbols.toLowerCase();
  const asOf = asOfFromText(requested.as_of);
  if (asOf && universe !== undefined) throw asOfUniverse('as_of', universe);
  const bounds = [fromUs, toUs, limit, adjustment, session, asOf?.timeMs];
  const canonical = [format, interval, ...bounds, list].join(' ');
  return {
    symbols,
    universe,
    interval,
    fromUs,
    toUs,
    rowsMax: limit,
    adjustment,
    session,
    asOf,
    format,
    canonical,
  };
}
