/** `backfill files … --plan`: reads local files as a load would, prints how, stores nothing. */

import { join } from 'node:path';
import { countText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { mkdtemp, rm } from '../../base/world/file-promises.ts';
import { tmpdir } from '../../base/world/machine.ts';
import { process } from '../../base/world/process.ts';
import type { FetchContext, Fetched, SkippedInput } from '../../ingest/contract/fetch-context.ts';
import { joinReadings, type ReadingOfFiles } from '../../ingest/contract/reading-of-files.ts';
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
    const context: FetchContext = { paths: work, nowMs: deps.nowMs, settings };
    const plan = await planOf(fetch!(stored, context));
    if (plan.skipped.some(({ isRefused }) => isRefused) || plan.rows === 0) process.exitCode = 1;
    output.result(plan, planLines(plan));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws the error of a source that finds nothing, with its reasons. */
async function planOf(segments: AsyncIterable<Fetched>): Promise<FilePlan> {
  const plan: FilePlan = { rows: 0, readings: [], skipped: [], rejectedByReason: {}, notes: [] };
  const skipped = new Set<SkippedInput>();
  for await (const segment of segments) {
    plan.rows += rowsOf(segment);
    plan.readings = joinReadings([...plan.readings, ...(segment.readings ?? [])]);
    plan.notes.push(...(segment.notes ?? []));
    for (const input of segment.skipped) skipped.add(input);
    for (const [reason, count] of segment.rejectedByReason) plan.rejectedByReason[reason] = count;
  }
  return { ...plan, skipped: [...skipped] };
}

/** Lines that would be loaded. The store looks at the rows of plain files only when it loads them. */
function rowsOf(segment: Fetched): number {
  if ('facts' in segment) return segment.facts.length;
  if ('parquetPath' in segment) return segment.accepted;
  return segment.files.reduce((sum, { dataLines }) => sum + dataLines, 0);
}

function planLines({ rows, readings, skipped, rejectedByReason, notes }: FilePlan): string[] {
  const refused = Object.entries(rejectedByReason).sort(([, a], [, b]) => b - a);
  return [
    ...readingLines(readings),
    `lines that would be loaded: ${countText(rows)}`,
    ...refused.map(([reason, count]) => `would refuse ${countText(count)}: ${reason}`),
    ...skippedLines(skipped),
    ...notes.map((note) => `note: ${note}`),
    'nothing was stored; a load also checks all rows and days, and compares them with stored ones',
  ];
}
