/** `backfill files … --plan`: reads local files as a load would, prints how, stores nothing. */

import { join } from 'node:path';
import { countText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { mkdtemp, rm } from '../../base/world/file-promises.ts';
import { tmpdir } from '../../base/world/machine.ts';
import { process } from '../../base/world/process.ts';
import type { FetchContext, Fetched, SkippedInput } from '../../ingest/contract/fetch-context.ts';
import { joinReadings, type ReadingOfFiles } from '../../ingest/contract/reading-of-files.ts';
import { FILLED_DAY } from '../../ingest/segments/row-rules.ts';
import { servedDaysOf } from '../../store/arrow/read/served-days.ts';
import { openVerb } from '../options.ts';
import { readingLines, skippedLines } from './report.ts';
import { type BackfillOptions, sourceOptions } from './run.ts';

export interface FilePlan {
  /** Lines that would be read as bars, or rows of another dataset. */
  rows: number;
  readings: ReadingOfFiles[];
  skipped: SkippedInput[];
  rejectedByReason: Record<string, number>;
  notes: string[];
}

export async function printFilePlan(source: string, options: BackfillOptions): Promise<void> {
  const { settings, output, paths } = openVerb(options);
  const [{ sourceNamed }, { withStored }] = await Promise.all([
    import('../../ingest/sources/sources.ts'),
    import('../../../jobs/load/stored.ts'),
  ]);
  const deps = {
    paths,
    verb: `backfill ${source}`,
    nowMs: wallMs(),
    onWaiting: output.onWaiting,
  };
  const stored = await withStored(source, sourceOptions(options), deps);
  const folder = await mkdtemp(join(tmpdir(), 'tapeworks-plan-'));
  try {
    const { fetch } = await sourceNamed(source)!.load();
    const work = { segments: folder, quarantine: folder, scratch: folder, feeds: paths.feeds };
    const servedDays = servedDaysOf(paths.serving);
    const context: FetchContext = { paths: work, nowMs: deps.nowMs, settings, servedDays };
    const plan = await planOf(fetch!(stored, context), folder);
    if (plan.skipped.some(({ isRefused }) => isRefused) || plan.rows === 0) process.exitCode = 1;
    output.result(plan, planLines(plan));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws the error of a source that finds nothing, with its reasons. */
async function planOf(segments: AsyncIterable<Fetched>, folder: string): Promise<FilePlan> {
  const plan: FilePlan = { rows: 0, readings: [], skipped: [], rejectedByReason: {}, notes: [] };
  const all: SkippedInput[][] = [];
  for await (const segment of segments) {
    plan.rows += await rowsOf(segment, folder);
    plan.readings = joinReadings([...plan.readings, ...(segment.readings ?? [])]);
    plan.notes.push(...(segment.notes ?? []));
    all.push(segment.skipped);
    for (const [reason, count] of segment.rejectedByReason) plan.rejectedByReason[reason] = count;
  }
  // Read at the end: a source may add skipped inputs after their segment.
  return { ...plan, skipped: [...new Set(all.flat())] };
}

/** Lines that would be loaded. The rows of plain files are checked as the store checks them. */
async function rowsOf(segment: Fetched, folder: string): Promise<number> {
  if ('facts' in segment) return segment.facts.length;
  if ('parquetPath' in segment) return segment.accepted;
  const { countRows } = await import('../../store/duckdb/candles/count-rows.ts');
  const path = join(folder, `${segment.id}.duckdb`);
  try {
    return await countRows(segment, path);
  } finally {
    await rm(path, { force: true });
  }
}

function planLines({ rows, readings, skipped, rejectedByReason, notes }: FilePlan): string[] {
  const refused = Object.entries(rejectedByReason).sort(([, a], [, b]) => b - a);
  return [
    ...readingLines(readings),
    `lines that would be loaded: ${countText(rows)}`,
    ...refused.map(([reason, count]) => {
      const verb = reason === FILLED_DAY ? 'leave out' : 'refuse';
      return `would ${verb} ${countText(count)}: ${reason}`;
    }),
    ...skippedLines(skipped),
    ...notes.map((note) => `note: ${note}`),
    'nothing was stored; a load also compares the bars with stored ones',
  ];
}
