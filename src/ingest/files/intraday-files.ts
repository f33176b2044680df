import { assert } from '../../base/errors.ts';
import type { Hours } from '../../base/time/intervals.ts';
import type { FetchedSegment } from '../contract/fetch-context.ts';
import { startQuarantine } from '../segments/quarantine.ts';
import { INCOMPLETE_BAR } from '../segments/row-rules.ts';
import { HOURS, segmentIdOfHours } from '../segments/session-hours.ts';
import {
  type AskedRows,
  type FileReading,
  keepRefused,
  landAskedRows,
  readAskedRows,
  sumOf,
} from './exact-files.ts';
import type { FileSegmentJob } from './segment.ts';
import { externalSegmentId } from './segment-id.ts';
import { isTypedMinutes } from './typed-minutes.ts';

/**
 * Reads files of one intraday interval. Lines read = bars of both segments + `rejectedLines`. The
 * first segment that has bars states them for both, or the regular one if neither has bars.
 */
export async function intradaySegmentsOfFiles(job: FileSegmentJob): Promise<FetchedSegment[]> {
  const { source, options, context, scratch, inputs } = job;
  await startQuarantine(scratch);
  const reading: FileReading = {
    source,
    options,
    context,
    scratch,
    id: externalSegmentId(source.id, inputs, options, context.nowMs),
    ordered: [...inputs],
    fastCount: 0,
    rejectedByReason: new Map(),
    skipped: job.skipped,
    refusedLines: new Map(),
  };
  const isPartial = options.fromDay !== undefined || options.toDay !== undefined;
  const asked = await readAskedRows(reading, isPartial ? undefined : isTypedMinutes);
  // The files make another segment once their incomplete bars are complete.
  const incomplete = reading.rejectedByReason.get(INCOMPLETE_BAR) ?? 0;
  const landed: FetchedSegment[] = [];
  for (const hours of HOURS) {
    const id = segmentIdOfHours(`${reading.id} ${incomplete}`, hours);
    landed.push(await segmentOfHours(job, reading, asked, id, hours));
  }
  // All needed rows are staged. Dropping the tables frees as much memory as the store's load takes.
  const connection = await scratch.connect();
  await connection.run('DROP TABLE judged');
  const first = landed.find(hasBars) ?? landed[0];
  first.rejectedLines = asked.rejectedLines;
  first.refusedFileLines = () => sumOf(reading.refusedLines);
  first.rejectedByReason = reading.rejectedByReason;
  await keepRefused(reading, first.id);
  return landed.filter((segment) => segment === first || hasBars(segment));
}

function hasBars({ files }: FetchedSegment): boolean {
  return files.some(({ dataLines }) => dataLines > 0);
}

async function segmentOfHours(
  { source, options, inputs, path }: FileSegmentJob,
  reading: FileReading,
  asked: AskedRows,
  id: string,
  hours: Hours,
): Promise<FetchedSegment> {
  return {
    id,
    dataset: 'candles',
    source: source.id,
    interval: inputs[0].stamps!.interval,
    hours,
    basis: inputs[0].basis,
    asOfUs: options.asOfUs,
    origin: path,
    kind: 'external',
    isKept: options.keep,
    ...(await landAskedRows(reading, asked, id, hours)),
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'rows that were read exactly are as promised');
      return [];
    },
    skipped: [],
    rejectedByReason: new Map(),
  };
}
