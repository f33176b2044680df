/** `GET /svc/quotes/{symbol}` and `GET /svc/quotes/batch`. */

import { z } from 'zod';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { quoteField } from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';
import { ratioReasons } from '../../../screens/run/priced-ratios.ts';
import { FIELDS_OF_QUOTE, jsonFromQuote } from '../../../store/arrow/snapshot/quote.ts';
import type { BarsSnapshot, Quote, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { charge } from '../../access/admission.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import { choiceField, formatField, symbolPath, symbolsField } from '../../http/query-fields.ts';
import { type ApiResponse, createResponse } from '../../http/response.ts';
import { type AsOf, asOfField, asOfFromText, snapshotAsOf } from '../../responses/as-of.ts';
import { sessionHeader } from '../../responses/sessions.ts';
import { knownSymbol, symbolsFromList } from '../../responses/symbols.ts';
import type { Table, TableColumn } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { explainedQuoteSchema, OTHER_QUOTE, QUOTE, quoteBatchSchema } from './schema.ts';

const quoteParameters = z.strictObject({
  as_of: asOfField,
  explain: choiceField(['true', 'false'])
    .describe('`true` adds `reasons`: why the market cap is null, in JSON and without `as_of`.')
    .optional(),
  format: formatField.optional(),
});

const batchParameters = z.strictObject({
  symbols: symbolsField().describe('At most 100; a repeated symbol is returned once.'),
  as_of: asOfField,
  format: formatField.optional(),
});

const parsedQuote = cachedParser((query, accept) => {
  const { as_of, explain, format: requested } = checkedQuery(quoteParameters, query);
  const asOf = asOfFromText(as_of);
  const format = chosenFormat(requested, accept, FORMATS);
  const isExplained = explain === 'true';
  if (isExplained && (asOf || format !== 'json')) {
    throw new ParameterError('explain', 'explain=true needs the format json, and no as_of');
  }
  return { asOf, format, isExplained };
});

interface BatchQuery {
  /** Canonical, distinct, in the requested order. */
  symbols: string[];
  /** Undefined: now. */
  asOf: AsOf | undefined;
  format: Format;
}

const parsedBatch = cachedParser((query, accept): BatchQuery => {
  const { symbols, as_of, format } = checkedQuery(batchParameters, query);
  return {
    symbols: symbolsFromList(symbols, limits.batch.symbolsMax),
    asOf: asOfFromText(as_of),
    format: chosenFormat(format, accept, FORMATS),
  };
});

export function tableFromQuotes(quotes: readonly Quote[]): Table {
  return [
    { name: 'symbol', type: 'text', values: quotes.map(({ symbol }) => symbol) },
    ...FIELDS_OF_QUOTE.map((name): TableColumn => {
      if (name === 'timestamp') {
        const values = BigInt64Array.from(quotes, ({ timestampMs }) =>
          BigInt(timestampMs * MICROS_PER_MILLI),
        );
        return { name, type: 'timestamp', values };
      }
      const type = quoteField(name).kind === 'volume' ? 'volume' : 'number';
      const values = Float64Array.from(quotes, (quote) => quote[name] ?? Number.NaN);
      return { name, type, values };
    }),
  ];
}

function quoteOf(snapshot: BarsSnapshot, mode: Mode, symbol: string): Quote {
  const quote = snapshot.quote(symbol);
  if (!quote) throw new HttpError(404, `${symbol} has no bars and so no quote in ${mode} data`);
  return quote;
}

/** Names the session that quotes are of. */
const REGULAR = sessionHeader();

function quoteResponse(quote: Quote, format: Format): ApiResponse | Promise<ApiResponse> {
  if (format !== 'json') return tableResponse(tableFromQuotes([quote]), format, REGULAR);
  return createResponse(200, CONTENT_TYPES.json, jsonFromQuote(quote), REGULAR);
}

function explainedQuote(snapshot: Snapshot, quote: Quote): ApiResponse {
  const names = quote.marketCap === null ? ['marketCap'] : [];
  const reasons = JSON.stringify(ratioReasons(snapshot, quote.symbol, names));
  const body = `${jsonFromQuote(quote).slice(0, -1)},"reasons":${reasons}}`;
  return createResponse(200, CONTENT_TYPES.json, body, REGULAR);
}

/** Responds with several quotes; in CSV and Arrow a header replaces the field `notFound`. */
function batchResponse(
  snapshot: BarsSnapshot,
  { symbols, format }: BatchQuery,
): ApiResponse | Promise<ApiResponse> {
  const quotes = new Map<string, Quote>();
  const notFound: string[] = [];
  for (const name of symbols) {
    const symbol = snapshot.resolve(name);
    const quote = symbol === undefined ? undefined : snapshot.quote(symbol);
    // A security that is named twice, by its symbol and a former one, is returned once.
    if (quote) quotes.set(quote.symbol, quote);
    else notFound.push(name);
  }
  const found = [...quotes.values()];
  if (format === 'json') {
    const missing = notFound.length > 0 ? `,"notFound":${JSON.stringify(notFound)}` : '';
    const body = `{"data":[${found.map(jsonFromQuote).join(',')}]${missing}}`;
    return createResponse(200, CONTENT_TYPES.json, body, REGULAR);
  }
  const missing = notFound.length > 0 ? ['X-SVC-Not-Found', notFound.join(',')] : [];
  return tableResponse(tableFromQuotes(found), format, [...REGULAR, ...missing]);
}

const batch: Route = {
  template: '/svc/quotes/batch',
  access: { scope: 'quotes:read', tokens: 1, perSymbol: true },
  contract: {
    operationId: 'getQuotes',
    tag: 'Quotes',
    summary: 'Get quotes of many symbols',
    description:
      'Returns the quote of each symbol, as `/svc/quotes/{symbol}` does, in the order ' +
      'requested. `notFound` lists unknown symbols and those without bars.',
    query: batchParameters,
    response: quoteBatchSchema,
    formats: FORMATS,
    isTagged: true,
    headers: ['X-SVC-Not-Found', 'X-SVC-Session'],
    errors: { 400: 'symbols must be a comma-separated list of symbols, it is missing' },
    examples: [
      {
        title: 'Three symbols, one of which is unknown',
        query: { symbols: 'QXAA,QXAX,NONE' },
        response: { data: [QUOTE, OTHER_QUOTE], notFound: ['NONE'] },
      },
    ],
  },
  respond(context, { readers, cached, now }) {
    const { key, query, headers } = context;
    const request = parsedBatch(query, headers.accept);
    charge(context, request.symbols.length);
    const snapshot = snapshotAsOf(readers[key.mode], request.asOf, now());
    const { format, asOf, symbols } = request;
    const canonical = `quotes ${format} ${asOf?.timeMs} ${symbols.join(',')}`;
    return cached(key.mode, snapshot.id, canonical, () => batchResponse(snapshot, request));
  },
};

const quote: Route = {
  template: '/svc/quotes/{symbol}',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'getQuote',
    tag: 'Quotes',
    summary: 'Get a quote',
    description:
      'Returns the latest regular session so far, compared with the one before. A listed symbol ' +
      'without bars gets 404.',
    path: symbolPath,
    query: quoteParameters,
    response: explainedQuoteSchema,
    formats: FORMATS,
    isTagged: true,
    headers: ['X-SVC-Session'],
    examples: [
      {
        title: 'The newest quote of a symbol',
        path: { symbol: 'QXAA' },
        response: QUOTE,
      },
    ],
  },
  respond({ key, query, params, headers }, { readers, cached, now }) {
    const { asOf, format, isExplained } = parsedQuote(query, headers.accept);
    const snapshot = snapshotAsOf(readers[key.mode], asOf, now());
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const canonical = `quote ${format} ${asOf?.timeMs} ${isExplained} ${symbol}`;
    return cached(key.mode, snapshot.id, canonical, () => {
      const found = quoteOf(snapshot, key.mode, symbol);
      if (isExplained) return explainedQuote(readers[key.mode].current(), found);
      return quoteResponse(found, format);
    });
  },
};

/** Express tries routes in this order. */
export const quoteRoutes = [batch, quote];
