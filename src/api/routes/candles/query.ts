/** What a bulk request for candles asks, checked and in canonical form. */

import { z } from 'zod';
import { BASES } from '../../../base/bars.ts';
import { limits } from '../../../base/limits/limits.ts';
import { INTERVALS } from '../../../base/time/intervals.ts';
import { chosenFormat, type Format } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  momentField,
  SYMBOL_TEXT,
  symbolsField,
  windowFromTexts,
} from '../../http/query-fields.ts';
import { symbolsFromList } from '../../responses/symbol-list.ts';
import type { CandleWindow } from './series.ts';

/** The preferred one first. JSON is not among them: nobody could hold the answer. */
export const BULK_FORMATS = ['arrow', 'csv'] as const satisfies readonly Format[];

const ALL_SYMBOLS = '*';

export const candlesParameters = z.strictObject({
  symbols: symbolsField(
    'must be * or a comma-separated list of symbols',
    new RegExp(`^\\*$|${SYMBOL_TEXT.source}`),
  ).describe(
    '`*` for every symbol with bars, or at most 2000 symbols. An unknown symbol gets 404, because ' +
      'these formats have no place to list it.',
  ),
  interval: choiceField(INTERVALS).default('1d').describe('Length of a bar.'),
  from: momentField.describe('Earliest `timestamp`: a date or a date-time.').optional(),
  to: momentField
    .describe('Latest `timestamp`, inclusive; a date means that whole day in UTC.')
    .optional(),
  adjustment: choiceField(BASES)
    .describe(
      'Prices of all symbols as traded (`raw`), adjusted for splits, or for splits and dividends ' +
        '(`all`). Default, for each symbol: `split` if it can be derived, else as stored. 400 if ' +
        'the stored bars of a symbol do not allow it.',
    )
    .optional(),
  format: choiceField(BULK_FORMATS)
    .describe('Overrides the header `Accept`; default: Arrow.')
    .optional(),
});

export interface CandlesQuery extends CandleWindow {
  /** Canonical, distinct, in the order asked; undefined: all there are. */
  symbols: readonly string[] | undefined;
  format: Format;
  /** The same text for every spelling of the same question. */
  canonical: string;
}

/**
 * @throws {ParameterError} a parameter breaks a rule, or two contradict each other.
 * @throws {HttpError} 406: no format is acceptable.
 */
export function candlesQuery(query: string, accept: string | undefined): CandlesQuery {
  const asked = checkedQuery(candlesParameters, query);
  const { interval, adjustment } = asked;
  const isAll = asked.symbols === ALL_SYMBOLS;
  const symbols = isAll ? undefined : symbolsFromList(asked.symbols, limits.bulk.symbolsMax);
  const { fromUs, toUs } = windowFromTexts(asked.from, asked.to);
  const format = chosenFormat(asked.format, accept, BULK_FORMATS);
  const list = symbols?.join() ?? ALL_SYMBOLS;
  const canonical = [format, interval, fromUs, toUs, adjustment, list].join(' ');
  return { symbols, interval, fromUs, toUs, adjustment, format, canonical };
}
