import { z } from 'zod';
import {
  BACKFILL_STATES,
  backfillProgressSchema,
  backfillResultSchema,
} from '../../../store/accounts/backfills/backfill-record.ts';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

const day = z.iso.date().nullable();
const id = z.string().regex(/^bf_[0-9a-f]{30}$/);
const state = z.enum(BACKFILL_STATES);

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
    progress: backfillProgressSchema
      .nullable()
      .describe('Units done in the current step: `fetch`, `load`, then steps of the publish.'),
    waitsFor: z.string().nullable().describe('Whom or what it waits for; null if for nothing.'),
    result: backfillResultSchema.nullable().describe('Present once the run has ended.'),
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
