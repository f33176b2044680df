/** Webhook events in the API description: requests that a receiver implements. */

import { z } from 'zod';
import { exampleRow, statementDatasets } from '../../../base/datasets/statement.ts';
import { limits } from '../../../base/limits.ts';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
} from '../../../store/accounts/webhooks/event-record.ts';
import { MEDIA_TYPES } from '../../http/format.ts';
import { dateTime } from '../../responses/schema-fields.ts';
import {
  consensusSchema,
  priceTargetSchema,
  ratingChangeSchema,
  TARGET,
} from '../../routes/analysts/schema.ts';
import { earningsReportSchema, REPORT } from '../../routes/earnings/schema.ts';
import { STATEMENT_ROWS } from '../../routes/fundamentals/schema.ts';
import { TRANSACTION, transactionSchema } from '../../routes/insider/schema.ts';
import { ARTICLE, articleSchema } from '../../routes/news/schema.ts';
import { QUOTE, quoteSchema } from '../../routes/quotes/schema.ts';
import { SCREENER_EXAMPLE, screenerRowSchema } from '../../routes/screener/schema.ts';
import type { EventOperation, JsonSchema, Parameter } from './document-types.ts';

const { symbolsMax, rowsMax } = limits.events;

const named = {
  symbolCount: z.int().min(1).describe('Number of symbols concerned.'),
  symbols: z.array(z.string()).min(1).max(symbolsMax).describe('The first symbols.'),
};

const namedExample = { symbolCount: 1, symbols: ['QXAA'] };

/** Returns the schema of an event about a new or corrected record. */
function recordData<T extends z.ZodType>(dataset: string, row: T) {
  return z.strictObject({ dataset: z.literal(dataset), symbol: z.string(), row });
}

interface EventSpec {
  /** Schema of the field `data` of the body. */
  data: z.ZodType;
  example: unknown;
}

const EVENTS: Readonly<Record<EventType, EventSpec>> = {
  'quote.updated': {
    data: z.strictObject({
      ...named,
      quotes: z.array(quoteSchema).max(rowsMax).describe('For the first symbols.'),
    }),
    example: { ...namedExample, quotes: [QUOTE] },
  },
  'candles.updated': {
    data: z.strictObject({
      interval: z.enum(['1d', '1m', '5m']),
      source: z.string(),
      from: dateTime.describe('No bar before this time has changed.'),
      ...named,
    }),
    example: {
      interval: '1d',
      source: 'sandbox',
      from: '2026-11-17T00:00:00.000Z',
      ...namedExample,
    },
  },
  'news.published': {
    data: z.strictObject({ dataset: z.literal('news'), row: articleSchema }),
    example: { dataset: 'news', row: ARTICLE },
  },
  'insider.transaction_created': {
    data: recordData('insider', transactionSchema),
    example: { dataset: 'insider', symbol: 'QXAA', row: TRANSACTION },
  },
  'fundamentals.statement_created': {
    data: z.union([...STATEMENT_ROWS].map(([name, row]) => recordData(name, row))),
    example: {
      dataset: statementDatasets[0].name,
      symbol: 'QXAA',
      row: exampleRow(statementDatasets[0]),
    },
  },
  'earnings.updated': {
    data: recordData('earnings-calendar', earningsReportSchema),
    example: { dataset: 'earnings-calendar', symbol: REPORT.symbol, row: REPORT },
  },
  'analyst.rating_changed': {
    data: z.union([
      recordData('upgrades-downgrades', ratingChangeSchema),
      recordData('analyst-targets', priceTargetSchema),
      recordData('analyst-consensus', consensusSchema),
    ]),
    example: { dataset: 'analyst-targets', symbol: 'QXAA', row: TARGET },
  },
  'screener.matched': {
    data: z.strictObject({
      screener: z.string().describe('The query of the webhook; its first 2048 characters.'),
      screen: z
        .strictObject({ id: z.string(), name: z.string() })
        .optional()
        .describe('The saved screen that the query is from, while it exists.'),
      total: z.int().min(1).describe('Number of symbols that match now.'),
      ...named,
      rows: z.array(screenerRowSchema).max(rowsMax).describe('For the first symbols.'),
    }),
    example: {
      screener: 'sector=technology&price_min=100',
      total: 12,
      symbolCount: 1,
      symbols: [SCREENER_EXAMPLE.symbol],
      rows: [SCREENER_EXAMPLE],
    },
  },
  'data.ready': {
    data: z.strictObject({
      mode: z.enum(['live', 'sandbox']),
      version: z.int(),
      datasets: z.array(z.string()).describe('Datasets loaded since the last such event.'),
    }),
    example: { mode: 'sandbox', version: 7, datasets: ['candles', 'news'] },
  },
  'ingest.failed': {
    data: z.strictObject({
      source: z.string(),
      dataset: z.string().nullable(),
      failures: z.int().min(1),
      kind: z.string().describe('Kind of the first failure; `reason` is from the same one.'),
      reason: z.string(),
    }),
    example: {
      source: 'yahoo',
      dataset: null,
      failures: 2,
      kind: 'unavailable',
      reason: 'Yahoo is not available: status 500',
    },
  },
  'webhook.test': {
    data: z.strictObject({ webhookId: z.string(), message: z.string() }),
    example: {
      webhookId: 'wh_5f0c6a1b2c3d4e5f60718293a4b5c6',
      message: 'Asked for by POST /svc/webhooks/{id}/test',
    },
  },
};

/** Converts `news.published` to `NewsPublished`. */
function pascalCase(type: string): string {
  const words = type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1));
  return words.join('');
}

function bodySchema(type: string, { data }: EventSpec) {
  return z
    .strictObject({
      id: z
        .string()
        .regex(/^evt_[0-9A-Za-z]+$/)
        .describe('Identical in every attempt.'),
      type: z.literal(type),
      timestamp: dateTime.describe('When it happened.'),
      data,
    })
    .meta({ id: `${pascalCase(type)}Event` });
}

/** Schemas of bodies. */
export const EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(EVENTS).map(([type, spec]) => [type, bodySchema(type, spec)] as const),
) as unknown as Readonly<Record<EventType, z.ZodType>>;

const EVENT_ID = 'evt_0b6e3a9d41c7f28e5d90a4b1c6372f18';

/** Headers, named by the Standard Webhooks specification. */
export const EVENT_HEADERS: Record<string, Parameter> = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's `id`. An event may arrive more than once.",
    schema: { type: 'string' },
    example: EVENT_ID,
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Unix seconds of the attempt.',
    schema: { type: 'integer' },
    example: 1795005060,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the secret; two of them, ' +
      'with a space between, for 24 hours after a rotation.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

const HEADERS = Object.keys(EVENT_HEADERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** Creates the description of each type. @param schemaOf Converts the schema of a body. */
export function eventOperations(
  schemaOf: (schema: z.ZodType) => JsonSchema,
): Record<string, { post: EventOperation }> {
  const operations = EVENT_TYPE_NAMES.map((type) => {
    const { meaning } = EVENT_TYPES[type];
    const value = {
      id: EVENT_ID,
      type,
      timestamp: '2026-11-18T12:31:00.000Z',
      data: EVENTS[type].example,
    };
    const post: EventOperation = {
      operationId: `on${pascalCase(type)}`,
      tags: ['Webhooks'],
      summary: `${meaning[0].toUpperCase()}${meaning.slice(1)}`,
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          [MEDIA_TYPES.json]: {
            schema: schemaOf(EVENT_SCHEMAS[type]),
            examples: { example1: { summary: meaning, value } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Delivered, if the response comes within 20 seconds.' },
        410: { description: 'The webhook is disabled.' },
        default: { description: 'Tried again later, ten times in three days.' },
      },
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(operations);
}
