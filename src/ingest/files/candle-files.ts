import { BASES } from '../../base/bars.ts';
import { ParameterError, SourceEmptyError } from '../../base/errors.ts';
import { BASE_INTERVALS } from '../../base/time/intervals.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import { whyNothing } from '../contract/skipped-notes.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { openScratch } from '../segments/scratch.ts';
import { readingsOfFiles } from './describe-reading.ts';
import { type CandleFileSource, type CandleInput, prepareFiles } from './prepare.ts';
import { intradaySegmentsOfFiles, segmentOfFiles } from './segment.ts';

/**
 * Reads candles as one segment for each interval, hours and price basis, several if there are many
 * files. Skipped inputs come with the first segment, whose list grows until the last one.
 * @throws {ParameterError} `path` is missing, or `symbol` was given for several symbols.
 * @throws {SourceEmptyError} no file can be read, or none holds the requested rows.
 */
export async function* fetchCandleFiles(
  source: CandleFileSource,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const { path } = options;
  if (!path)
    throw new ParameterError('path', `path must be a file, folder or zip for ${source.id}`);
  // Keep it until the last segment is loaded: it holds unpacked members and examined rows.
  await using scratch = await openScratch(context);
  const skipped: SkippedInput[] = [];
  let isEmpty = true;
  for await (const prepared of prepareFiles(source, { ...options, path }, scratch, context)) {
    skipped.push(...prepared.skipped);
    const groups = alikeFiles(prepared.files);
    const isPart = prepared.isPart || groups.length > 1;
    for (const inputs of groups) {
      context.signal?.throwIfAborted();
      const job = { source, options, context, scratch, inputs, path, skipped };
      const segments = inputs[0].stamps
        ? await intradaySegmentsOfFiles(job)
        : [await segmentOfFiles(job)];
      let readings = readingsOfFiles(
        inputs,
        segments.flatMap(({ files }) => files),
        options,
      );
      for (const segment of segments) {
        if (lineCount(segment) === 0) continue;
        yield { ...segment, isPart, skipped: isEmpty ? skipped : [], readings };
        isEmpty = false;
        readings = [];
      }
    }
  }
  if (isEmpty) throw nothingToRead(path, skipped);
}

/** Groups files by interval, basis and side of their stamps, since a segment holds one of each. */
function alikeFiles(files: readonly CandleInput[]): CandleInput[][] {
  return BASE_INTERVALS.flatMap((interval) =>
    BASES.flatMap((basis) =>
      [false, true].map((isAtEnd) =>
        files.filter(
          ({ stamps, dialect }) =>
            (stamps?.interval ?? '1d') === interval &&
            dialect.basis === basis &&
            (stamps?.isAtEnd ?? false) === isAtEnd,
        ),
      ),
    ).filter((alike) => alike.length > 0),
  );
}

function lineCount({ files, rejectedLines = 0 }: FetchedSegment): number {
  return files.reduce((sum, { dataLines }) => sum + dataLines, rejectedLines);
}

function nothingToRead(path: string, skipped: readonly SkippedInput[]): SourceEmptyError {
  const reasons = whyNothing(skipped) || 'nothing of the symbols and days asked for';
  return new SourceEmptyError(`"${path}" holds no candles that can be read: ${reasons}`);
}
