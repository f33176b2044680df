import { join } from 'node:path';
import { uploadsPath } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import type {
  Backfill,
  BackfillOrder,
} from '../../src/store/accounts/backfills/backfill-record.ts';
import type { BackfillRequest } from '../runner/request.ts';

/** Returns the folder of an uploaded file. */
export function uploadFolder(dataDir: string, id: string): string {
  return join(uploadsPath(dataDir), id);
}

/** Converts a backfill to a request. Its id is the tick, so that it becomes one run. */
export function requestFromBackfill({ id, order }: Backfill, dataDir: string): BackfillRequest {
  const { source, accept } = order;
  const options = order.file ? fileOptions(id, order, dataDir) : sourceOptions(order);
  return { mode: 'live', source, options, accept, tick: id };
}

function sourceOptions({ source, dataset, symbols, from, to }: BackfillOrder): SourceOptions {
  // Only some sources have a choice, in which bars are the default.
  const hasChoice = sourceNamed(source)?.command?.argument?.option === 'dataset';
  return {
    ...(hasChoice && dataset !== 'candles' && { dataset }),
    ...(symbols && { symbols }),
    ...daysOf(from, to),
  };
}

function fileOptions(id: string, order: BackfillOrder, dataDir: string): SourceOptions {
  const { dataset, symbols, from, to, file } = order;
  const { name = '', bytes, sha256, ...options } = file ?? {};
  return {
    ...options,
    dataset,
    path: join(uploadFolder(dataDir, id), name),
    ...(symbols && { symbols }),
    ...daysOf(from, to),
    // The file is removed, so a rebuild needs the copy.
    keep: true,
  };
}

function daysOf(from: string | null, to: string | null): SourceOptions {
  return {
    ...(from !== null && { fromDay: dayFromDate(from) }),
    ...(to !== null && { toDay: dayFromDate(to) }),
  };
}
