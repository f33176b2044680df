import { z } from 'zod';
import { BACKFILL_STATES } from '../../../store/accounts/backfills/backfill-record.ts';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

const day = z.iso.date().nullable();
const id = z.string().regex(/^bf_[0-9a-f]{30}$/);
const state = z.enum(BACKFILL_STATES);

const triedSchema = z.strictObject({
  source: z.string(),
  outcome: z.string().describe('`not configured`, `unknown symbol`, `rate limited`, …'),
  message: z.string().describe('Cause and remedy in words.'),
});

const resultSchema = z
  .strictObject({
    accepted: z.int().min(0).describe('Rows that were loaded.'),
    refused: z.int().min(0).describe('Rows that break a rule; they are in the quarantine.'),
    refusedByReason: z
      .array(z.strictObject({ reason: z.string(), count: z.int() }))
      .describe('Most frequent first.'),
    loaded: z
      .array(
        z.strictObject({
          dataset: z.string(),
          interval: z.string().nullable().describe('Interval of bars; null for other rows.'),
          rows: z.int(),
          symbols: z.int(),
          from: day,
          to: day,
          lastSymbol: z.string().nullable().describe('Symbol with a row of the last day.'),
        }),
      )
      .describe('Loaded rows by dataset.'),
    sources: z
      .array(
        z.strictObject({
          symbol: z.string(),
          source: z.string().nullable().describe('Source that has its bars; null: none has.'),
          isUpToDate: z.boolean().describe('True if all its bars were stored before.'),
          tried: z.array(triedSchema).describe('Sources before that one, and what each said.'),
        }),
      )
      .describe('For the source `any`: where each symbol comes from.'),
    skipped: z
      .array(z.strictObject({ name: z.string(), reason: z.string() }))
      .describe('Symbols and files that gave nothing.'),
    failures: z
      .array(z.strictObject({ title: z.string(), reason: z.string() }))
      .describe('Parts that failed, in the words of the source.'),
    readings: z
      .array(z.string())
      .describe('How each kind of file was read, with the facts that decided.'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'BackfillResult' });

export const backfillSchema = z
  .strictObject({
    id,
    state: state.describe(
      '`waiting`, `running`, then `done`, `failed` if nothing was loaded, or `cancelled`.',
    ),
    source: z.string(),
    dataset: z.string(),
    symbols: z.array(z.string()).nullable().describe('Null: all symbols of the file.'),
    from: day,
    to: day,
    file: z
      .strictObject({ name: z.string(), bytes: z.int() })
      .nullable()
      .describe('The uploaded file; null for other sources.'),
    progress: z
      .strictObject({ step: z.string(), done: z.int(), total: z.int() })
      .nullable()
      .describe('Units done in the current step: `fetch`, `load`, then steps of the publish.'),
    waitsFor: z.string().nullable().describe('Whom or what it waits for; null if for nothing.'),
    result: resultSchema.nullable().describe('Present once the run has ended.'),
    error: z.string().nullable().describe('Why it failed, in the words of the source.'),
    createdAt: dateTime,
    startedAt: dateTime.nullable(),
    endedAt: dateTime.nullable(),
  })
  .meta({ id: 'Backfill' });

export const acceptedBackfillSchema = z
  .strictObject({ id, state })
  .meta({ id: 'AcceptedBackfill' });

export const backfillPageSchema = pageSchema('BackfillPage', backfillSchema);

export const ID = 'bf_5f0c6a1b2c3d4e5f60718293a4b5c6';

export const UNKNOWN_BACKFILL = `No backfill "${ID}" in live mode`;

export const BACKFILL = {
  id: ID,
  state: 'done',
  source: 'any',
  dataset: 'candles',
  symbols: ['AAPL'],
  from: null,
  to: null,
  file: null,
  progress: { step: 'publish', done: 1, total: 1 },
  waitsFor: null,
  result: {
    accepted: 2511,
    refused: 0,
    refusedByReason: [],
    loaded: [
      {
        dataset: 'candles',
        interval: '1d',
        rows: 2511,
        symbols: 1,
        from: '2016-11-21',
        to: '2026-11-17',
        lastSymbol: 'AAPL',
      },
    ],
    sources: [{ symbol: 'AAPL', source: 'alpaca', isUpToDate: false, tried: [] }],
    skipped: [],
    failures: [],
    readings: [],
    notes: [],
  },
  error: null,
  createdAt: '2026-11-18T12:00:00.000Z',
  startedAt: '2026-11-18T12:00:00.210Z',
  endedAt: '2026-11-18T12:00:04.870Z',
};

export const ACCEPTED = { id: ID, state: 'waiting' };
