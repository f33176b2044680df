/**
 * Publishes a log with the parts of the program that publish: the writer lock, a publication, its
 * swap, compactions and the status. `jobs/publish` does the same from DuckDB.
 */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { isDiskFull } from '../../src/base/disk-full.ts';
import { CorruptDataError, StoreBusyError } from '../../src/base/errors.ts';
import { snapshotId } from '../../src/store/arrow/format/manifest.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import {
  isStatusOf,
  servingStatus,
  writeServingStatus,
} from '../../src/store/arrow/read/serving-status.ts';
import { addToBase, compact, neededCompaction } from '../../src/store/arrow/write/compact.ts';
import { Publication } from '../../src/store/arrow/write/publication.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { factsOf, INDICATORS, type Log, quotesOf, rowsOf, SYMBOLS } from './log.ts';
import { simulation } from './simulation.ts';

const CURRENT_YEAR = 2025;

/** Rows of a correction go into a patch; newer ones into a slice. */
const SLICE_ROWS = 5;

export interface Published {
  version: number;
  epoch: number;
  seq: number;
  id: string;
}

interface PublisherOptions {
  paths: ModePaths;
  log: Log;
  verb: string;
  /** Fencing number of the holder. */
  epoch: number;
  nowMs: number;
  /** True to write everything again, as `compact --full` does. */
  isWhole: boolean;
}

/** Publishes what was accepted, and returns the version that is acknowledged. */
export async function publishLog(options: PublisherOptions): Promise<Published | undefined> {
  const { paths, isWhole, verb } = options;
  using _lock = await acquireWriterLock(paths, { verb });
  const before = isWhole ? undefined : openPublished(paths.serving)?.requireWhole();
  const seq = options.log.seq;
  if (!before) await publishBase(options, seq);
  else if (before.manifest.seq < seq) await publishLayer(options, before, seq);
  const isChanged = !before || before.manifest.seq < seq;
  const published = isChanged ? openPublished(paths.serving)! : before;
  const { nowMs: createdMs, epoch } = options;
  const due = neededCompaction(published, CURRENT_YEAR);
  if (due)
    await compact(paths.serving, published, due, { createdMs, currentYear: CURRENT_YEAR, epoch });
  const version = due ? openPublished(paths.serving)! : published;
  if (!isStatusOf(paths.serving, version.id)) {
    await writeServingStatus(paths.serving, servingStatus(version));
  }
  const { manifest } = version;
  return { ...manifest, id: snapshotId(manifest) };
}

async function publishBase({ paths, log, epoch, nowMs, isWhole }: PublisherOptions, seq: number) {
  const publication = new Publication(paths.serving, {
    indicatorColumns: INDICATORS,
    epoch,
    isWhole,
  });
  const closes = log.fold(seq);
  try {
    closes.forEach((one, number) => {
      addToBase(publication.layer, number, '1d', rowsOf(one), CURRENT_YEAR);
    });
    await publication.commit({
      ...{ seq, storeMark: `${seq}`, createdMs: nowMs, currentYear: CURRENT_YEAR },
      replacesLayers: true,
      symbols: SYMBOLS.map(factsOf),
      quotes: quotesOf(closes, seq),
    });
  } finally {
    await publication.abandon();
  }
}

async function publishLayer(
  { paths, log, epoch, nowMs }: PublisherOptions,
  { manifest }: PublishedVersion,
  seq: number,
): Promise<void> {
  const publication = new Publication(paths.serving, { indicatorColumns: INDICATORS, epoch });
  const closes = log.fold(seq);
  const changed = log.changedSince(manifest.seq);
  try {
    for (const [number, row] of changed) {
      const rows = rowsOf(closes[number], closes[number].length - row > SLICE_ROWS ? 0 : row);
      if (rows.firstRow > 0) publication.layer.addToSlice(number, '1d', rows);
      else publication.layer.addBatch(number, '1d', 'patches', rows);
    }
    await publication.commit({
      ...{ seq, storeMark: `${seq}`, createdMs: nowMs, currentYear: CURRENT_YEAR },
      replacesLayers: false,
      quotes: quotesOf(closes, seq),
    });
  } finally {
    await publication.abandon();
  }
}

/** Returns the way to go on after a failure; a bug of the program is thrown. */
export function remedyOf(error: unknown): 'again' | 'new term' | 'whole' {
  if (error instanceof CorruptDataError) return 'whole';
  if (error instanceof StoreBusyError) return 'new term';
  if (isDiskFull(error)) return 'again';
  throw error;
}

export function tellFailure(error: unknown): void {
  simulation().tell(`failed: ${(error as Error).message}`);
}
