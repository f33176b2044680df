import { BASES, type Basis } from '../../base/bars.ts';
import { ParameterError, SourceEmptyError } from '../../base/errors.ts';
import { BASE_INTERVALS } from '../../base/time/intervals.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import type { Answer } from '../contract/reading.ts';
import { whyNothing } from '../contract/skipped-notes.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { openScratch, type Scratch } from '../segments/scratch.ts';
import { sqlString } from '../segments/sql-text.ts';
import { basisFromHeader } from './basis.ts';
import { readingsOfFiles } from './describe-reading.ts';
import { BYTE_ORDER_MARK } from './exact-read.ts';
import { type CandleFileSource, type CandleInput, prepareFiles } from './prepare.ts';
import { intradaySegmentsOfFiles, segmentOfFiles } from './segment.ts';
import { statedByColumn } from './settle-basis.ts';
import { linesSql, textSql } from './survey-stamps.ts';

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
    const groups = alikeFiles(await inputsByBasis(scratch, prepared.files));
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

/** Returns an input for each basis that symbols of a file state; a file of one basis as it is. */
async function inputsByBasis(
  scratch: Scratch,
  files: readonly CandleInput[],
): Promise<CandleInput[]> {
  const inputs: CandleInput[] = [];
  for (const file of files) inputs.push(...(await dividedFile(scratch, file)));
  return inputs;
}

async function dividedFile(scratch: Scratch, file: CandleInput): Promise<CandleInput[]> {
  const { dialect } = file;
  const { alone } = dialect;
  if (alone !== undefined) {
    const isAlone = (key: string) => key === alone.symbol;
    return [
      { ...withBasis(file, alone.answer), isOfOther: (key) => !isAlone(key) },
      { ...withBasis(file, dialect.reading.basis as Answer<Basis>), isOfOther: isAlone },
    ];
  }
  const symbols = await statedBases(scratch, file);
  const stated = new Set([dialect.basis, ...symbols.flatMap(({ bases }) => bases)]);
  if (stated.size === 1) return [file];
  const basisOf = new Map<string, Basis>();
  for (const { key, bases } of symbols) {
    const own = bases.length > 0 ? bases : [basisFromHeader(dialect.header)];
    // Rows of a symbol that states two are refused one by one.
    const basis = [dialect.basis, ...BASES].find((one) => own.includes(one))!;
    if (stated.has(basis)) basisOf.set(key, basis);
  }
  return [...stated].map((basis) => ({
    ...withBasis(file, statedByColumn(basis)),
    isOfOther: (key: string) => (basisOf.get(key) ?? dialect.basis) !== basis,
  }));
}

function withBasis(file: CandleInput, basis: Answer<Basis>): CandleInput {
  const { dialect } = file;
  const reading = { ...dialect.reading, basis };
  // Rows that are parsed already are those of one basis.
  return { ...file, dialect: { ...dialect, basis: basis.value, reading }, parsedAs: undefined };
}

/** Reads the bases that rows state, by the text of their symbol. The header is none of them. */
async function statedBases(
  scratch: Scratch,
  { dialect, diskPath }: CandleInput,
): Promise<{ key: string; bases: Basis[] }[]> {
  const { symbol, adjustment } = dialect.columns;
  if (symbol === undefined || adjustment === undefined) return [];
  const bases = BASES.map(sqlString).join(', ');
  return selectRows(
    await scratch.connect(),
    `SELECT key, coalesce(list(DISTINCT basis) FILTER (basis IN (${bases})), []) AS bases
     FROM (SELECT replace(coalesce(trim(${textSql(dialect, symbol)}), ''), chr(${BYTE_ORDER_MARK}), '') AS key,
         lower(trim(${textSql(dialect, adjustment)})) AS basis
       FROM ${linesSql(dialect, [diskPath])})
     GROUP BY key`,
  );
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
