/** The files of a segment that are read exactly: at once, or when the fast way lost a row. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { assert, ParameterError } from '../errors.ts';
import type {
  CandleFile,
  CandleGroup,
  ExaminedFile,
  SymbolActions,
} from '../store/market/candle-segment.ts';
import { canonicalSymbol, symbolFromFileName } from '../symbols.ts';
import { type ExactResult, type Identity, readExactly } from './exact-read.ts';
import type { FetchContext } from './fetch-context.ts';
import { actionsFromJudged } from './file-actions.ts';
import { landFile } from './land-file.ts';
import type { CandleFileSource, CandleInput } from './prepare-files.ts';
import { countReasons, writeQuarantine } from './quarantine.ts';
import type { Scratch } from './scratch.ts';
import { isAsked, type SourceOptions } from './source-options.ts';
import { sqlFile } from './sql-text.ts';

/** What the reads of one segment share. */
export interface FileReading {
  source: CandleFileSource;
  options: SourceOptions;
  context: FetchContext;
  /** Stays open while the segment is used. */
  scratch: Scratch;
  /** Of the segment. */
  id: string;
  /** The inputs by file index: first those of the fast way, then the others. */
  ordered: CandleInput[];
  fastCount: number;
  rejectedByReason: Map<string, number>;
}

/** What the files beyond the fast ones became: a file of the segment for each symbol in each. */
export interface LandedFiles {
  files: CandleFile[];
  groups: CandleGroup[];
  rejectedLines: number;
  actions: SymbolActions[];
}

/** Lands all files beyond the fast ones as one Parquet file, among the segments with `--keep`. */
export async function landExactFiles(reading: FileReading): Promise<LandedFiles> {
  const { options, ordered, fastCount, scratch, context, id } = reading;
  const indexes = [...ordered.keys()].slice(fastCount);
  if (indexes.length === 0) return { files: [], groups: [], rejectedLines: 0, actions: [] };
  // Rows of two files never meet here: which of them counts is settled where they are stored.
  const landed: { symbol: string; input: CandleInput }[] = [];
  const seriesByKey = new Map<string, number>();
  const identify = (index: number, symbolText: string | null): Identity => {
    const named = symbolOfRow(reading, ordered[index], symbolText);
    if ('reason' in named) return named;
    if (!isAsked(named.symbol, options)) return 'left out';
    const key = `${index} ${named.symbol}`;
    const series = seriesByKey.get(key) ?? landed.length;
    if (series === landed.length) landed.push({ symbol: named.symbol, input: ordered[index] });
    seriesByKey.set(key, series);
    return { series };
  };
  const unfinished = join(scratch.folder, `${id}.parquet`);
  const result = await readFiles(reading, indexes, identify, unfinished);
  const kept = join(context.paths.segments, `${id}.parquet`);
  if (options.keep) await landFile(unfinished, kept);
  const stating = [...landed.entries()].filter(([, { input }]) => statesActions(input));
  return {
    files: landed.map(({ symbol, input }, series) => {
      const dataLines = result.acceptedBySeries.get(series) ?? 0;
      return { path: input.name, symbol, dataLines, sha256: input.sha256 };
    }),
    groups: [
      {
        selectSql: `SELECT file_index, ts, open, high, low, close, volume
          FROM read_parquet(${sqlFile(options.keep ? kept : unfinished)})`,
        fileIndexes: landed.map((_, series) => fastCount + series),
      },
    ],
    rejectedLines: sumOf(result.rejectedByFile),
    actions: await actionsFromJudged(
      scratch,
      new Map(stating.map(([series, { symbol }]) => [series, symbol])),
      ordered[fastCount].basis,
    ),
  };
}

/** What `CandleSegment.examine` promises, for files of the fast way. */
export async function examineFiles(
  reading: FileReading,
  fileIndexes: readonly number[],
): Promise<ExaminedFile[]> {
  const { ordered, fastCount, scratch } = reading;
  assert(
    fileIndexes.every((index) => index < fastCount),
    'rows that were read exactly are as promised',
  );
  const identify = (index: number, symbolText: string | null): Identity => {
    const named = symbolOfRow(reading, ordered[index], symbolText);
    return 'reason' in named ? named : { series: index };
  };
  const parquetPath = join(scratch.folder, `${randomUUID()}.parquet`);
  const result = await readFiles(reading, fileIndexes, identify, parquetPath);
  return fileIndexes.map((fileIndex) => ({
    fileIndex,
    parquetPath,
    accepted: result.acceptedByFile.get(fileIndex) ?? 0,
    rejected: result.rejectedByFile.get(fileIndex) ?? 0,
  }));
}

async function readFiles(
  { ordered, scratch, context, options, source, id, rejectedByReason }: FileReading,
  indexes: readonly number[],
  identify: (index: number, symbolText: string | null) => Identity,
  parquetPath: string,
): Promise<ExactResult> {
  const result = await readExactly(scratch, {
    files: indexes.map((index) => ({ index, ...ordered[index] })),
    identify,
    nowMs: context.nowMs,
    window: options,
    parquetPath,
  });
  for (const [reason, count] of await countReasons(scratch)) rejectedByReason.set(reason, count);
  if (rejectedByReason.size > 0) {
    const names = ordered.map(({ name }) => name);
    await writeQuarantine(scratch, source.id, names, join(context.paths.quarantine, `${id}.csv`));
  }
  return result;
}

/** Whose row it is: its own column says, else `--symbol`, else the file's name. */
function symbolOfRow(
  { source, options }: FileReading,
  { symbol, dialect }: CandleInput,
  symbolText: string | null,
): { symbol: string } | { reason: string } {
  const isChecked = dialect.columns.ticker !== undefined && options.symbol === undefined;
  if (symbol !== undefined && !isChecked) return { symbol };
  if (symbolText === null) return { reason: 'symbol is missing' };
  try {
    if (symbol === undefined) return { symbol: canonicalSymbol(symbolText, source.symbolForm) };
    const isTheFiles = symbolFromFileName(symbolText, source.symbolForm) === symbol;
    return isTheFiles ? { symbol } : { reason: 'ticker is not the one of the file name' };
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    return { reason: 'symbol is not a ticker' };
  }
}

/** True when a file says all about its symbol's actions: both kinds have a column. */
function statesActions({ dialect }: CandleInput): boolean {
  return dialect.columns.dividend !== undefined && dialect.columns.split !== undefined;
}

function sumOf(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
