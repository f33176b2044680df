/** Body of a new backfill. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { REQUESTED_SOURCES } from '../../../base/sources.ts';
import type { BackfillOrder } from '../../../store/accounts/backfills/backfill-record.ts';
import { bodySymbolsField, canonicalSymbols } from '../../http/body-symbols.ts';
import { dateField } from '../../http/query-fields.ts';

const SOURCES = Object.keys(REQUESTED_SOURCES);

const SOURCE_RULE = `must be one of ${SOURCES.join(', ')} (a file is uploaded to /svc/backfills/files)`;

const ACCEPT = 'Load the data even if a sanity check would hold it. Default: false.';

export const newBackfillBody = z
  .strictObject({
    source: z
      .enum(SOURCES, { error: SOURCE_RULE })
      .describe(
        'Vendor to request the data from. `any` tries the configured vendors of bars in a fixed ' +
          'order, and takes each symbol from the first one that has it.',
      ),
    dataset: z
      .string({ error: 'must be a text' })
      .optional()
      .describe(
        'Default: `candles`, or the only dataset of the source. `yahoo` also has `analysts` and ' +
          '`expirations`.',
      ),
    symbols: bodySymbolsField(limits.backfills.symbolsMax).describe('Symbols to load.'),
    from: dateField.optional().describe('First day. Default: all that is missing.'),
    to: dateField.optional().describe('Last day. Default: the latest completed session.'),
    accept: z.boolean({ error: 'must be true or false' }).optional().describe(ACCEPT),
  })
  .meta({ id: 'NewBackfill' });

export type NewBackfillBody = z.infer<typeof newBackfillBody>;

/** @throws {ParameterError} Names the field that breaks a rule. */
export function orderFromBody(body: NewBackfillBody): BackfillOrder {
  const { source, from = null, to = null, accept = false } = body;
  const known = REQUESTED_SOURCES[source];
  const { dataset = known[0] } = body;
  if (!known.includes(dataset)) {
    const rule = `must be ${known.length === 1 ? '' : 'one of '}${known.join(', ')}`;
    throw new ParameterError('dataset', `dataset ${rule} for ${source}, got ${quoted(dataset)}`);
  }
  requireDayOrder(from, to);
  const symbols = canonicalSymbols(body.symbols);
  return { source, dataset, symbols, from, to, accept, file: null };
}

/** @throws {ParameterError} `from` is after `to`. */
export function requireDayOrder(from: string | null, to: string | null): void {
  if (from === null || to === null || from <= to) return;
  throw new ParameterError('from', `from must not be after to, got ${quoted(from)}`);
}
