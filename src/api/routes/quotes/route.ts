/** `GET /svc/quotes/{symbol}` and `GET /svc/quotes/batch`. */

import { z } from 'zod';
import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { jsonFromQuote } from '../../../store/arrow/snapshot/quote.ts';
import type { Quote, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { charge } from '../../access/charge.ts';
import { quoteBatchSchema, quoteSchema } from '../../docs/answer-schemas.ts';
import { quoteBatchExample, quoteExample } from '../../docs/examples/prices.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import { formatField, symbolsField } from '../../http/query-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import { symbolsFromList } from '../../responses/symbol-list.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';
import { tableFromQuotes } from './table.ts';

export const quoteParameters = z.strictObject({ format: formatField.optional() });

export const quoteBatchParameters = z.strictObject({
  symbols: symbolsField().describe('At most 100; a repeated symbol is returned once.'),
  format: formatField.optional(),
});

const parsedQuoteQuery = rememberParsed((query, accept) =>
  chosenFormat(checkedQuery(quoteParameters, query).format, accept, FORMATS),
);

interface BatchQuery {
  /** Canonical, distinct, in the requested order. */
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
  if (!quote) throw new HttpError(404, `${symbol} has no bars and so no quote in ${mode} data`);
  return quote;
}

function writtenQuote(quote: Quote, format: Format): Answer | Promise<Answer> {
  if (format === 'json') return createAnswer(200, CONTENT_TYPES.json, jsonFromQuote(quote));
  const table = tableFromQuotes([quote]);
  return format === 'csv' ? csvAnswer(table, []) : arrowAnswer(table, []);
}

/** Writes a batch. In CSV and Arrow a header replaces the field `notFound`. */
function writtenBatch(snapshot: Snapshot, query: BatchQuery): Answer | Promise<Answer> {
  const quotes = new Map<string, Quote>();
  const notFound: string[] = [];
  for (const name of query.symbols) {
    const symbol = snapshot.resolve(name);
    const quote = symbol === undefined ? undefined : snapshot.quote(symbol);
    // A security named twice, by its symbol and a former one, comes once.
    if (quote) quotes.set(quote.symbol, quote);
    else notFound.push(name);
  }
  const found = [...quotes.values()];
  if (query.format === 'json') {
    const missing = notFound.length > 0 ? `,"notFound":${JSON.stringify(notFound)}` : '';
    return createAnswer(
      200,
      CONTENT_TYPES.json,
      `{"data":[${found.map(jsonFromQuote).join(',')}]${missing}}`,
    );
  }
  const table = tableFromQuotes(found);
  const headers = notFound.length > 0 ? ['X-SVC-Not-Found', notFound.join(',')] : [];
  return query.format === 'csv' ? csvAnswer(table, headers) : arrowAnswer(table, headers);
}

export function quoteRoutes({ readers, answers }: RouteSources): Route[] {
  return [
    {
      template: '/svc/quotes/batch',
      contract: {
        operationId: 'getQuotes',
        tag: 'Quotes',
        summary: 'Get quotes of many symbols',
        description:
          'Returns the quote of each symbol, as `/svc/quotes/{symbol}` does, in the order ' +
          'requested. `notFound` lists unknown symbols and those without bars.',
        query: quoteBatchParameters,
        answer: quoteBatchSchema,
        formats: FORMATS,
        isTagged: true,
        headers: ['X-SVC-Not-Found'],
        errors: { 400: 'symbols must be a comma-separated list of symbols, it is missing' },
        examples: [quoteBatchExample],
      },
      answer(exchange) {
        const { key, query, headers } = exchange;
        const asked = parsedBatchQuery(query, headers.accept);
        charge(exchange, asked.symbols.length);
        const snapshot = readers[key.mode].current();
        const question = `quotes ${asked.format} ${asked.symbols.join(',')}`;
        return answers(key.mode, snapshot.id, question, () => writtenBatch(snapshot, asked));
      },
    },
    {
      template: '/svc/quotes/{symbol}',
      contract: {
        operationId: 'getQuote',
        tag: 'Quotes',
        summary: 'Get a quote',
        description:
          'Returns the latest session so far, compared with the session before. A listed symbol ' +
          'without bars gets 404.',
        path: symbolPath,
        query: quoteParameters,
        answer: quoteSchema,
        formats: FORMATS,
        isTagged: true,
        examples: [quoteExample],
      },
      answer({ key, query, params, headers }) {
        const format = parsedQuoteQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const symbol = knownSymbol(snapshot, key.mode, params.symbol);
        return answers(key.mode, snapshot.id, `quote ${format} ${symbol}`, () =>
          writtenQuote(quoteOf(snapshot, key.mode, symbol), format),
        );
      },
    },
  ];
}
