import { assert } from '../../base/errors.ts';
import type { CandleFile, CandleGroup } from '../../store/duckdb/connection/candle-segment.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { startQuarantine } from '../segments/quarantine.ts';
import type { Scratch } from '../segments/scratch.ts';
import { examineFiles, type FileReading, landExactFiles, sumOf } from './exact-files.ts';
import { fastGroupKey, fastSelectSql, isFastDialect } from './fast-select.ts';
import type { CandleFileSource, CandleInput } from './prepare.ts';
import { externalSegmentId } from './segment-id.ts';

export interface FileSegmentJob {
  source: CandleFileSource;
  options: SourceOptions;
  context: FetchContext;
  scratch: Scratch;
  /** Files of one interval and basis, at least one. */
  inputs: readonly CandleInput[];
  path: string;
  /** Reported with the source's first segment. Receives files without a good row. */
  skipped: SkippedInput[];
}

/** Makes one segment of daily files: fast if a file allows it, exactly otherwise. */
export async function segmentOfFiles(job: FileSegmentJob): Promise<FetchedSegment> {
  const { source, options, context, scratch, inputs } = job;
  const { fast, exact } = splitByReader(inputs, options);
  let hasQuarantine = false;
  // If the store reads all files, rows are examined only after some are lost.
  const beforeReading = async () => {
    if (!hasQuarantine) await startQuarantine(scratch);
    hasQuarantine = true;
  };
  if (exact.length > 0) await beforeReading();
  const reading: FileReading = {
    source,
    options,
    context,
    scratch,
    id: externalSegmentId(source.id, inputs, options, context.nowMs),
    ordered: [...fast, ...exact],
    fastCount: fast.length,
    rejectedByReason: new Map(),
    skipped: job.skipped,
    refusedLines: new Map(),
  };
  const landed = await landExactFiles(reading);
  return {
    id: reading.id,
    dataset: 'candles',
    source: source.id,
    interval: '1d',
    basis: inputs[0].basis,
    asOfUs: options.asOfUs,
    origin: job.path,
    kind: 'external',
    isKept: options.keep,
    files: [...fast.map(candleFile), ...landed.files],
    groups: [...fastGroups(fast, context.nowMs), ...landed.groups],
    rejectedLines: landed.rejectedLines,
    refusedFileLines: () => sumOf(reading.refusedLines),
    ...(landed.actions.length > 0 && { actions: landed.actions }),
    notes: landed.notes,
    async examine(fileIndexes) {
      await beforeReading();
      return examineFiles(reading, fileIndexes);
    },
    skipped: [],
    rejectedByReason: reading.rejectedByReason,
  };
}

function splitByReader(
  inputs: readonly CandleInput[],
  { fromDay, toDay }: SourceOptions,
): { fast: CandleInput[]; exact: CandleInput[] } {
  const isPartial = fromDay !== undefined || toDay !== undefined;
  if (isPartial) return { fast: [], exact: [...inputs] };
  const isFast = ({ isPlain, dialect }: CandleInput) => isPlain && isFastDialect(dialect);
  // The store keeps rows in this order.
  const keyOf = ({ symbol, name }: CandleInput) => `${symbol} ${name}`;
  const fast = inputs.filter(isFast).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { fast, exact: inputs.filter((input) => !isFast(input)) };
}

function candleFile({ name, symbol, dataLines, sha256, modifiedUs }: CandleInput): CandleFile {
  assert(symbol !== undefined, 'a file of the fast path holds one symbol');
  return { path: name, symbol, dataLines, sha256, modifiedUs };
}

function fastGroups(fast: readonly CandleInput[], nowMs: number): CandleGroup[] {
  const groups = Map.groupBy(fast.keys(), (index) => fastGroupKey(fast[index].dialect));
  return [...groups.values()].map((fileIndexes) => {
    const paths = fileIndexes.map((index) => fast[index].diskPath);
    const { dialect } = fast[fileIndexes[0]];
    return { selectSql: fastSelectSql(dialect, paths, nowMs), fileIndexes };
  });
}
