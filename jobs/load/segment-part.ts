/**
 * Parts of a segment of candles or actions: its symbols without the held ones, and held ones that
 * were accepted later. A part is a segment of its own. Its id follows from the id of the whole and the choice of
 * symbols, so a repeated input finds its loaded parts.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { Fetched, FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import { placeFile } from '../../src/ingest/segments/place-file.ts';
import { fetchedFromStaged, stagedFrom } from '../../src/ingest/segments/staged-segment.ts';
import type { SymbolActions } from '../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { sqlString } from '../../src/store/duckdb/connection/sql-rows.ts';

export const choiceSchema = z.strictObject({
  /** True for the symbols of the list, false for all others. */
  isOnly: z.boolean(),
  symbols: z.array(z.string()),
});

/** Symbols of a whole segment, as its files name them. */
export type Choice = z.infer<typeof choiceSchema>;

export function isChosen({ isOnly, symbols }: Choice, symbol: string): boolean {
  return symbols.includes(symbol) === isOnly;
}

/** Returns true if some symbols of the segment can be loaded without the others. */
export function hasParts(segment: Fetched): segment is FetchedSegment {
  return 'files' in segment && symbolsOf(segment).size > 1;
}

export function symbolsOf({ files, actions = [] }: FetchedSegment): Set<string> {
  const filled = files.filter(({ dataLines }) => dataLines > 0);
  // A segment of bars holds those symbols that have some; one of actions has no files.
  return new Set((files.length > 0 ? filled : actions).map(({ symbol }) => symbol));
}

/** Reads each file once, however often its segment is loaded in parts. */
export function examinedOnce(segment: FetchedSegment): FetchedSegment {
  type Examined = Awaited<ReturnType<FetchedSegment['examine']>>;
  const known = new Map<number, Examined[number]>();
  const examine = async (fileIndexes: readonly number[]): Promise<Examined> => {
    const fresh = fileIndexes.filter((index) => !known.has(index));
    if (fresh.length > 0 || fileIndexes.length === 0) {
      for (const file of await segment.examine(fresh)) known.set(file.fileIndex, file);
    }
    return fileIndexes.map((index) => known.get(index)!);
  };
  return { ...segment, examine };
}

/**
 * Returns the part of a segment that reads only its chosen symbols. Its files keep their places;
 * those of other symbols have no lines.
 */
export function partOf(segment: FetchedSegment, choice: Choice): FetchedSegment {
  const sorted = { ...choice, symbols: [...choice.symbols].sort() };
  const isIn = new Set(choice.symbols);
  const isKept = segment.files.map(({ symbol }) => isIn.has(symbol) === choice.isOnly);
  const id = createHash('sha256')
    .update(JSON.stringify([segment.id, sorted.isOnly, sorted.symbols]))
    .digest('hex');
  const files = segment.files.map((file, i) =>
    isKept[i] ? file : { ...file, dataLines: 0, refusedLines: 0 },
  );
  const groups = segment.groups.flatMap((group) => {
    const kept = group.fileIndexes.map((index) => isKept[index]);
    if (kept.every((one) => one)) return [group];
    if (!kept.some((one) => one)) return [];
    const selectSql = `SELECT * FROM (${group.selectSql}) WHERE [${kept.join(',')}][file_index + 1]`;
    return [{ ...group, selectSql }];
  });
  const actions = segment.actions?.filter(({ symbol }) => isIn.has(symbol) === choice.isOnly);
  // Refused lines that are of no known symbol count with the others.
  const refused = chosenRefused(segment, choice);
  const rejectedLines = choice.isOnly
    ? refused
    : segment.rejectedLines && segment.rejectedLines - refused;
  const refusedFileLines = choice.isOnly ? undefined : segment.refusedFileLines;
  const rejectedByReason = new Map(refusedReasons(segment, choice));
  return {
    ...segment,
    ...{ id, files, groups, actions, rejectedLines, refusedFileLines, rejectedByReason },
    async examine(fileIndexes) {
      const examined = await segment.examine(fileIndexes);
      for (const [reason, count] of refusedReasons(segment, choice)) {
        rejectedByReason.set(reason, count);
      }
      return examined;
    },
    acceptedLines: segment.acceptedLines && actions && countActions(actions),
    part: { of: segment.id, ...sorted },
    isPart: true,
    // The whole may be read again, but a rebuild needs the part.
    isKept: true,
  };
}

/** Counts refused lines of the symbols that a choice names. */
function chosenRefused({ files }: FetchedSegment, { symbols }: Choice): number {
  const named = files.filter(({ symbol }) => symbols.includes(symbol));
  return named.reduce((sum, { refusedLines = 0 }) => sum + refusedLines, 0);
}

/** Returns the refused rows of chosen symbols by reason. Those of no known symbol are of the others. */
function refusedReasons(segment: FetchedSegment, { isOnly, symbols }: Choice): [string, number][] {
  const named = segment.refusedOf?.(symbols) ?? new Map<string, number>();
  if (isOnly) return [...named];
  return [...segment.rejectedByReason]
    .map(([reason, count]): [string, number] => [reason, count - (named.get(reason) ?? 0)])
    .filter(([, count]) => count > 0);
}

function countActions(actions: readonly SymbolActions[]): number {
  return actions.reduce((sum, { splits, dividends }) => sum + splits.length + dividends.length, 0);
}

/** Returns true for a part whose whole is staged. */
export function isStagedPart(segment: Fetched): segment is FetchedSegment {
  return 'part' in segment && segment.part !== undefined && segment.kind === 'parquet';
}

/** Stages a part of a staged segment as a file of its own. */
export async function stagePart(
  { connection }: MarketDb,
  paths: Pick<ModePaths, 'segments' | 'scratch'>,
  part: FetchedSegment,
): Promise<FetchedSegment> {
  const destination = join(paths.segments, `${part.id}.parquet`);
  if (!existsSync(destination)) {
    const path = join(paths.scratch, `${scratchName('segment')}-${part.id}.parquet`);
    const rows = part.groups.map(({ selectSql }) => selectSql).join(' UNION ALL ');
    failpoint('write file', `${part.id}.parquet`);
    await connection.run(`COPY (${rows}) TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`);
    await placeFile(path, destination);
  }
  const described = { ...stagedFrom({ ...part, parquetSha256: undefined }), id: part.id };
  const staged = fetchedFromStaged(described as never, paths.segments) as FetchedSegment;
  return { ...staged, part: part.part, isPart: part.isPart, notes: part.notes };
}
