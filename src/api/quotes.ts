/** `GET /svc/quotes/{symbol}` and `GET /svc/quotes/batch`. */

import { z } from 'zod';
import type { Mode } from '../data-dir.ts';
import { limits } from '../limits.ts';
import type { Quote, Snapshot } from '../store/serving/snapshot.ts';
import { canonicalSymbol } from '../symbols.ts';
import { type Answer, createAnswer } from './answer.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from './format.ts';
import { rememberParsed } from './parsed-queries.ts';
import { checkedQuery } from './query.ts';
import { formatField, textField } from './query-fields.ts';
import { jsonFromQuote, tableFromQuotes } from './quote-text.ts';
import type { Route, RouteSources } from './route.ts';
import { symbolsFromList } from './symbol-list.ts';
import { arrowAnswer, csvAnswer } from './table-answer.ts';
import { unknownSymbol } from './unknown-symbol.ts';

export const quoteParameters = z.strictObject({ format: formatField.optional() });

export const quoteBatchParameters = z.strictObject({
  symbols: textField('must be a comma-separated list of symbols'),
  format: formatField.optional(),
});

const parsedQuoteQuery = rememberParsed((query, accept) =>
  chosenFormat(checkedQuery(quoteParameters, query).format, accept, FORMATS),
);

interface BatchQuery {
  /** Canonical, distinct, in the order asked. */
  symbols: string[];
  format: Format;
}

const parsedBatchQuery = rememberParsed((query, accept): BatchQuery => {
  const parameters = checkedQuery(quoteBatchParameters, query);
  const symbols = symbolsFromList(parameters.symbols, limits.batch.symbolsMax);
  return { symbols, format: chosenFormat(parameters.format, accept, FORMATS) };
});

function quoteOf(snapshot: Snapshot, mode: Mode, symbol: string): Quote {
  const quote = snapshot.quote(symbol);
  if (!quote) throw unknownSymbol(symbol, mode);
  return quote;
}

function writtenQuote(quote: Quote, format: Format): Answer | Promise<Answer> {
  if (format === 'json') return createAnswer(200, CONTENT_TYPES.json, jsonFromQuote(quote));
  const table = tableFromQuotes([quote]);
  return format === 'csv' ? csvAnswer(table, []) : arrowAnswer(table, []);
}

/** In the two tabular formats a header takes the place of the field `notFound`. */
function writtenBatch(snapshot: Snapshot, query: BatchQuery): Answer | Promise<Answer> {
  const quotes: Quote[] = [];
  const notFound: string[] = [];
  for (const symbol of query.symbols) {
    const quote = snapshot.quote(symbol);
    if (quote) quotes.push(quote);
    else notFound.push(symbol);
  }
  if (query.format === 'json') {
    const missing = notFound.length > 0 ? `,"notFound":${JSON.stringify(notFound)}` : '';
    return createAnswer(
      200,
      CONTENT_TYPES.json,
      `{"data":[${quotes.map(jsonFromQuote).join(',')}]${missing}}`,
    );
  }
  const table = tableFromQuotes(quotes);
  const headers = notFound.length > 0 ? ['X-SVC-Not-Found', notFound.join(',')] : [];
  return query.format === 'csv' ? csvAnswer(table, headers) : arrowAnswer(table, headers);
}

export function quoteRoutes({ readers, answers }: RouteSources): Route[] {
  return [
    {
      template: '/svc/quotes/batch',
      answer({ key, query, headers }) {
        const asked = parsedBatchQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const question = `quotes ${asked.format} ${asked.symbols.join(',')}`;
        return answers(key.mode, snapshot, question, () => writtenBatch(snapshot, asked));
      },
    },
    {
      template: '/svc/quotes/{symbol}',
      answer({ key, query, params, headers }) {
        const format = parsedQuoteQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const symbol = canonicalSymbol(params.symbol);
        return answers(key.mode, snapshot, `quote ${format} ${symbol}`, () =>
          writtenQuote(quoteOf(snapshot, key.mode, symbol), format),
        );
      },
    },
  ];
}
