import { assert } from '../../base/errors.ts';
import { HOURS, type Hours } from '../../base/time/intervals.ts';
import type { CandleFile, CandleGroup } from '../../store/duckdb/connection/candle-segment.ts';
import type { FetchedSegment } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { startQuarantine } from '../segments/quarantine.ts';
import { INCOMPLETE_BAR } from '../segments/row-rules.ts';
import { segmentIdOfHours } from '../segments/session-hours.ts';
import { countAccepted, sumOf } from '../segments/settle-rows.ts';
import { type AskedRows, readAskedRows, stageAskedRows, stageExactFiles } from './asked-rows.ts';
import {
  areFalseDays,
  candleFile,
  examineFiles,
  type FileReading,
  type FileSegmentJob,
  keepRefused,
  refusedOf,
  segmentHead,
  startReading,
} from './exact-files.ts';
import { fastGroupKey, fastSelectSql, isFastDialect } from './fast-select.ts';
import type { CandleInput } from './prepare.ts';

/** Makes one segment of daily files: fast if a file allows it, exactly otherwise. */
export async function segmentOfFiles(job: FileSegmentJob): Promise<FetchedSegment> {
  const { context, scratch } = job;
  const fast = fastInputs(job);
  let hasQuarantine = false;
  // If the store reads all files, rows are examined only after some are lost.
  const beforeReading = async () => {
    if (!hasQuarantine) await startQuarantine(scratch);
    hasQuarantine = true;
  };
  if (fast.length < job.inputs.length) await beforeReading();
  const reading = startReading(job, fast);
  const staged = await stageExactFiles(reading);
  return {
    ...segmentHead(job),
    id: reading.id,
    files: [...fast.map((input) => fastFile(input, job.options)), ...staged.files],
    groups: [...fastGroups(fast, context.nowMs), ...staged.groups],
    rejectedLines: staged.rejectedLines,
    refusedFileLines: () => sumOf(reading.refusedLines),
    ...(staged.actions.length > 0 && { actions: staged.actions }),
    notes: reading.notes,
    // Days of the exact way are judged already.
    ...(fast.length > 0 && {
      areFalseDays: (
        index: number,
        ...found: [days: readonly number[], filled: readonly number[]]
      ) => index < fast.length && areFalseDays(reading, index, ...found),
    }),
    async examine(fileIndexes) {
      await beforeReading();
      return examineFiles(reading, fileIndexes);
    },
    rejectedByReason: reading.rejectedByReason,
    refusedOf: (symbols) => refusedOf(reading, symbols),
  };
}

/** Selects plain files of one symbol each, in the order in which the store keeps their rows. */
function fastInputs({ inputs, options }: FileSegmentJob): CandleInput[] {
  if (options.fromDay !== undefined || options.toDay !== undefined) return [];
  const keyOf = ({ symbol, name }: CandleInput) => `${symbol} ${name}`;
  return inputs
    .filter(({ isPlain, dialect }) => isPlain && isFastDialect(dialect))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function fastFile(input: CandleInput, options: SourceOptions): CandleFile {
  const { symbol, dataLines } = input;
  assert(symbol !== undefined, 'a file of the fast path holds one symbol');
  return candleFile(input, symbol, dataLines, options);
}

function fastGroups(fast: readonly CandleInput[], nowMs: number): CandleGroup[] {
  const groups = Map.groupBy(fast.keys(), (index) => fastGroupKey(fast[index].dialect));
  return [...groups.values()].map((fileIndexes) => {
    const paths = fileIndexes.map((index) => fast[index].diskPath);
    const { dialect } = fast[fileIndexes[0]];
    return { selectSql: fastSelectSql(dialect, paths, nowMs), fileIndexes, isText: true };
  });
}

/**
 * Reads files of one intraday interval. Lines read = bars of both segments + `rejectedLines`. The
 * first segment that has bars states them for both, or the regular one if neither has bars.
 */
export async function intradaySegmentsOfFiles(job: FileSegmentJob): Promise<FetchedSegment[]> {
  const { scratch } = job;
  await startQuarantine(scratch);
  const reading = startReading(job);
  const asked = await readAskedRows(reading);
  // The files make another segment once their incomplete bars are complete.
  const incomplete = reading.rejectedByReason.get(INCOMPLETE_BAR) ?? 0;
  const staged: FetchedSegment[] = [];
  let left = await countAccepted(scratch);
  for (const hours of HOURS) {
    // Most files have bars of sessions alone.
    if (left === 0 && staged.length > 0) break;
    const id = segmentIdOfHours(`${reading.id} ${incomplete}`, hours);
    const segment = await segmentOfHours(reading, asked, id, hours);
    left -= segment.files.reduce((sum, { dataLines }) => sum + dataLines, 0);
    staged.push(segment);
  }
  // All needed rows are staged. Dropping the tables frees as much memory as the store's load takes.
  const connection = await scratch.connect();
  await connection.run('DROP TABLE judged');
  const first = staged.find(hasBars) ?? staged[0];
  first.rejectedLines = asked.rejectedLines;
  first.refusedFileLines = () => sumOf(reading.refusedLines);
  first.rejectedByReason = reading.rejectedByReason;
  first.refusedOf = (symbols) => refusedOf(reading, symbols);
  first.notes = reading.notes;
  await keepRefused(reading, first.id);
  return staged.filter((segment) => segment === first || hasBars(segment));
}

function hasBars({ files }: FetchedSegment): boolean {
  return files.some(({ dataLines }) => dataLines > 0);
}

async function segmentOfHours(
  reading: FileReading,
  asked: AskedRows,
  id: string,
  hours: Hours,
): Promise<FetchedSegment> {
  return {
    ...segmentHead(reading),
    id,
    hours,
    ...(await stageAskedRows(reading, asked, id, hours)),
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'rows that were read exactly are as promised');
      return [];
    },
    rejectedByReason: new Map(),
  };
}
