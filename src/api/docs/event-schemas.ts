/** What the bodies of webhooks look like, type by type; see `answer-schemas.ts`. */

import { z } from 'zod';
import { limits } from '../../base/limits/limits.ts';
import type { EventType } from '../../store/sqlite/webhooks/event-record.ts';
import {
  articleSchema,
  balanceSheetRowSchema,
  consensusSchema,
  earningsReportSchema,
  incomeStatementSchema,
  priceTargetSchema,
  ratingChangeSchema,
  transactionSchema,
} from '../routes/records/schemas.ts';
import { dateTime, quoteSchema, screenerRowSchema } from './answer-schemas.ts';

const { symbolsMax, rowsMax } = limits.events;

const named = {
  symbolCount: z.int().min(1).describe('Number of symbols concerned.'),
  symbols: z.array(z.string()).min(1).max(symbolsMax).describe('The first symbols.'),
};

/** What came or was corrected, as the API answers it. */
function rowData<T extends z.ZodType>(dataset: string, row: T) {
  return z.strictObject({ dataset: z.literal(dataset), symbol: z.string(), row });
}

const DATA = {
  'quote.updated': z.strictObject({
    ...named,
    quotes: z.array(quoteSchema).max(rowsMax).describe('For the first symbols.'),
  }),
  'candles.updated': z.strictObject({
    interval: z.enum(['1d', '1m', '5m']),
    source: z.string(),
    from: dateTime.describe('No bar before this time has changed.'),
    ...named,
  }),
  'news.published': z.strictObject({ dataset: z.literal('news'), row: articleSchema }),
  'insider.transaction_created': rowData('insider', transactionSchema),
  'fundamentals.statement_created': z.union([
    rowData('statements', incomeStatementSchema),
    rowData('balance-sheet', balanceSheetRowSchema),
  ]),
  'earnings.updated': rowData('earnings-calendar', earningsReportSchema),
  'analyst.rating_changed': z.union([
    rowData('upgrades-downgrades', ratingChangeSchema),
    rowData('analyst-targets', priceTargetSchema),
    rowData('analyst-consensus', consensusSchema),
  ]),
  'screener.matched': z.strictObject({
    screener: z.string().describe('The query of the webhook.'),
    total: z.int().min(1).describe('Number of symbols that match now.'),
    ...named,
    rows: z.array(screenerRowSchema).max(rowsMax).describe('For the first symbols.'),
  }),
  'data.ready': z.strictObject({
    mode: z.enum(['live', 'sandbox']),
    version: z.int(),
    datasets: z.array(z.string()).describe('Datasets loaded since the last such event.'),
  }),
  'ingest.failed': z.strictObject({
    source: z.string(),
    dataset: z.string().nullable(),
    failures: z.int().min(1),
    kind: z.string().describe('Kind of the first failure; `reason` is from the same one.'),
    reason: z.string(),
  }),
  'webhook.test': z.strictObject({ webhookId: z.string(), message: z.string() }),
} as const satisfies Record<EventType, z.ZodType>;

/** `news.published` → `NewsPublishedEvent`. */
function schemaId(type: string): string {
  const words = type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function bodySchema(type: string, data: z.ZodType) {
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
    .meta({ id: schemaId(type) });
}

export const EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => [type, bodySchema(type, data)] as const),
) as unknown as Readonly<Record<EventType, z.ZodType>>;
