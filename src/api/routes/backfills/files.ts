/** `/svc/backfills/files`: a file in the body, which is written to disk as it arrives. */

import { join } from 'node:path';
import { z } from 'zod';
import { datasets } from '../../../base/datasets/datasets.ts';
import { OWN_NAME } from '../../../base/datasets/universes.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { isVisible, quoted } from '../../../base/quoted.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import { zoneNamed } from '../../../base/time/zones.ts';
import { mkdir, rm } from '../../../base/world/file-promises.ts';
import type { BackfillOrder } from '../../../store/accounts/backfills/backfill-record.ts';
import { newBackfillId } from '../../../store/accounts/backfills/backfill-store.ts';
import { shareUpload } from '../../../store/shared/shared-segments.ts';
import type { Route } from '../../contract/route.ts';
import { checkType } from '../../http/body.ts';
import { listedSymbol } from '../../http/body-symbols.ts';
import { checkedQuery } from '../../http/query.ts';
import { choiceField, SYMBOL_TEXT, symbolsField } from '../../http/query-fields.ts';
import { createPool } from '../../responses/pool.ts';
import { receive, TOO_LONG } from './receive.ts';
import { acceptBackfill, loading, REFUSALS, requireJobs } from './route.ts';
import { ACCEPTED, acceptedBackfillSchema } from './schema.ts';

const { fileBytesMax, fileIdleMs, nameCharsMax, uploadsMax } = limits.backfills;
const MEGABYTE = 1024 * 1024;

/** Types of files. None of them is one that a form of another site can send. */
const TYPES =
  /^(?:application\/(?:octet-stream|(?:x-)?(?:ndjson|jsonl|gzip|zip|zip-compressed)|json|jsonlines|vnd\.apache\.parquet)|text\/(?:csv|tab-separated-values))\s*(?:;|$)/i;
const TYPE_NAMES =
  'application/octet-stream, application/json, application/x-ndjson, application/gzip, application/zip, application/vnd.apache.parquet or text/csv';

/** Matches a plain name: no path, and no hidden file. */
const NAME = new RegExp(`^[^./\\\\][^/\\\\]{0,${nameCharsMax - 1}}$`, 'u');
const NAME_RULE = `must be the name of a file, of 1 to ${nameCharsMax} characters, without a folder`;

const uploadQuery = z.strictObject({
  name: z
    .string({ error: NAME_RULE })
    .refine((name) => NAME.test(name) && isVisible(name) && name.isWellFormed(), {
      error: NAME_RULE,
    })
    .meta({ minLength: 1, maxLength: nameCharsMax })
    .describe('Name of the file. A file of bars without a column of symbols has their symbol.'),
  dataset: choiceField(['candles', ...datasets.map(({ name }) => name)])
    .default('candles')
    .describe('Dataset in the file.'),
  symbol: z
    .string()
    .regex(SYMBOL_TEXT, { error: 'must be a symbol' })
    .optional()
    .describe('Symbol of the file, instead of its name.'),
  interval: choiceField(['1d', '1m', '5m'])
    .optional()
    .describe('Interval of the bars, if their times do not show it.'),
  zone: z.string().optional().describe('Time zone of times without one: `America/New_York`.'),
  stamps: choiceField(['start', 'end'])
    .optional()
    .describe('Times mark the start or the end of a bar. Default: start.'),
  dates: choiceField(['written', 'next', 'previous'])
    .optional()
    .describe('Session of a daily bar: its date as written, the next day or the day before.'),
  basis: choiceField(['raw', 'split', 'all'])
    .optional()
    .describe('Price adjustment of the file, if its columns do not show it.'),
  date_format: choiceField(['mdy', 'dmy', 'ymd']).optional().describe('Order of ambiguous dates.'),
  decimal: choiceField(['point', 'comma'])
    .optional()
    .describe('Decimal mark of numbers like `12,345`, if no other number of the file shows it.'),
  complete: choiceField(['true', 'false'])
    .optional()
    .describe('Corporate actions of one type: there are none of the other. Default: false.'),
  complete_for: symbolsField()
    .optional()
    .describe('Corporate actions are complete for these symbols, too; `*`: all without any.'),
  column: z
    .string()
    .regex(OWN_NAME, { error: 'must be a lower-case letter and up to 39 letters, digits or _' })
    .optional()
    .describe('Values: name of the column, which screens then have.'),
  accept: choiceField(['true', 'false'])
    .optional()
    .describe('Load the data even if a sanity check would hold it. Default: false.'),
});

function orderFromQuery(query: z.infer<typeof uploadQuery>): BackfillOrder {
  const { name, dataset, symbol, interval, stamps, dates, basis, decimal, column } = query;
  const { date_format: dateOrder } = query;
  const zone = query.zone === undefined ? undefined : zoneNamed(query.zone);
  if (query.zone !== undefined && zone === undefined) {
    const rule = 'must be the name of a zone like America/New_York';
    throw new ParameterError('zone', `zone ${rule}, got ${quoted(query.zone)}`);
  }
  const options = {
    ...(symbol !== undefined && { symbol: canonicalSymbol(symbol) }),
    ...{ interval, zone, stamps, dates, basis, decimal, dateOrder, column },
    ...completeness(query),
  };
  return {
    ...{ source: 'files', dataset, symbols: null, from: null, to: null },
    accept: query.accept === 'true',
    file: { name, bytes: 0, ...options },
  };
}

function completeness({ dataset, complete, complete_for: list }: z.infer<typeof uploadQuery>) {
  const name = list === undefined ? 'complete' : 'complete_for';
  if ((list ?? complete) !== undefined && dataset !== 'corporate-actions') {
    throw new ParameterError(name, `${name} is for corporate-actions, got ${quoted(dataset)}`);
  }
  const symbolOf = (text: string) => listedSymbol(text, name, 'tickers like AAPL,BRK.B, or *');
  return {
    ...(complete === 'true' && { complete: true }),
    ...(list && { completeFor: list === '*' ? ['*'] : list.split(',').map(symbolOf) }),
  };
}

/** Uploads that this thread receives now. */
const uploads = createPool('uploads', uploadsMax);

const uploadFile: Route = {
  method: 'POST',
  template: '/svc/backfills/files',
  access: loading,
  contract: {
    operationId: 'uploadBackfillFile',
    tag: 'Backfills',
    summary: 'Create a backfill of a file',
    description:
      'Loads the file in the body into live mode, as the command `backfill files` does: CSV, ' +
      `JSON, JSON lines, Parquet, gzip or zip, of at most ${fileBytesMax / MEGABYTE} MiB. Rows ` +
      'that break a rule go to the quarantine, and the rest is published. The server removes the ' +
      'file when the backfill has ended, and a day after one that has failed.',
    query: uploadQuery,
    upload: true,
    status: 202,
    response: acceptedBackfillSchema,
    errors: {
      ...REFUSALS,
      400: `name ${NAME_RULE}, it is missing`,
      408: `body must not pause for more than ${fileIdleMs / 1000} seconds`,
      413: TOO_LONG,
      415: `Content-Type must be ${TYPE_NAMES}, got "text/plain"`,
    },
    examples: [
      {
        title: 'Upload daily bars',
        query: { name: 'AAPL.csv', dataset: 'candles' },
        response: ACCEPTED,
      },
    ],
  },
  async respond(context, sources) {
    checkType(context, TYPES, TYPE_NAMES);
    const order = orderFromQuery(checkedQuery(uploadQuery, context.query));
    requireJobs(context, sources);
    await sources.accounts.checkBackfillRoom(context.key.account);
    const leave = uploads.enter(context.key.account);
    const id = newBackfillId();
    const folder = join(sources.uploads, id);
    const { file } = order;
    const { sharedUploads: place } = sources;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, file?.name ?? '');
      const bytes = await receive(context, path);
      const sha256 = place && (await shareUpload(place, id, path));
      const whole = { ...order, file: file && { ...file, bytes, sha256 } };
      const response = await acceptBackfill(context, sources, { id, order: whole });
      if (place) await rm(folder, { recursive: true, force: true });
      return response;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    } finally {
      leave();
    }
  },
};

export const uploadRoutes = [uploadFile];
