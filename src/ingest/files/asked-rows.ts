/** Reads the requested rows of files outside the fast way of the store, and stages them. */

import { join } from 'node:path';
import type { Hours } from '../../base/time/intervals.ts';
import type {
  ActionType,
  CandleFile,
  CandleGroup,
  SymbolActions,
} from '../../store/duckdb/connection/candle-segment.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { isAsked } from '../contract/source-options.ts';
import type { Scratch } from '../segments/scratch.ts';
import { stageAccepted, sumOf } from '../segments/settle-rows.ts';
import { SEVERAL } from '../segments/several-securities.ts';
import { sqlFile, sqlString } from '../segments/sql-text.ts';
import type { FaultsOfDays } from '../timing/false-days.ts';
import { actionsFromJudged } from './actions.ts';
import {
  addNotes,
  areDatesRight,
  candleFile,
  countRefused,
  type FileReading,
  faultsOfFileDays,
  keepRefused,
  mayHoldLonger,
  readFiles,
  symbolOfRow,
} from './exact-files.ts';
import type { Identify } from './exact-read.ts';
import type { CandleInput } from './prepare.ts';
import { isOfOtherMarket } from './ticker-column.ts';
import { isTypedDays, type Named, readTypedDays, type TypedDaysResult } from './typed-days.ts';
import { isTypedMinutes, readTypedMinutes } from './typed-minutes.ts';

/** Result of the files outside the fast way. Each symbol in a file is a file of the segment. */
export interface ExactFiles {
  files: CandleFile[];
  groups: CandleGroup[];
  rejectedLines: number;
  actions: SymbolActions[];
}

/** The rows of one symbol in one input. The position in a list is the series. */
interface SymbolRows {
  symbol: string;
  input: CandleInput;
  refusedLines?: number;
}

/** Good rows, staged or in the scratch table `judged`, and the number of refused ones. */
export interface AskedRows {
  /** First those of `typed`, in its order; `judged` has the others. */
  series: SymbolRows[];
  typed: TypedDaysResult['groups'];
  rejectedLines: number;
}

/** Reads the requested rows outside the fast way. Plain files try a typed reader first. */
export async function readAskedRows(reading: FileReading): Promise<AskedRows> {
  const { options, ordered, fastCount, scratch, context } = reading;
  const indexes = [...ordered.keys()].slice(fastCount);
  // Rows of two files are never merged here. The store decides which of them wins.
  const series: SymbolRows[] = [];
  const seriesByKey = new Map<string, number>();
  const seriesOf = (index: number, symbol: string) => {
    const key = `${index} ${symbol}`;
    const known = seriesByKey.get(key) ?? series.length;
    if (known === series.length) series.push({ symbol, input: ordered[index] });
    seriesByKey.set(key, known);
    return { series: known };
  };
  const nameOf = (index: number, text: string | null) => symbolAsked(reading, index, text);
  const identify: Identify = (index, text) => {
    const named = nameOf(index, text);
    return typeof named === 'object' && 'symbol' in named ? seriesOf(index, named.symbol) : named;
  };
  // A range of days leaves rows out, which the typed readers do not.
  const isWhole = options.fromDay === undefined && options.toDay === undefined;
  const plain = isWhole ? indexes : [];
  const areRight = areDatesRight(options);
  const request = { inputs: ordered, nowMs: context.nowMs, areDatesRight: areRight };
  const faultsOfDays: FaultsOfDays = (...found) => faultsOfFileDays(reading, ...found);
  const days = plain.filter((index) => isTypedDays(ordered[index]));
  const typed = await readTypedDays(scratch, { ...request, indexes: days, nameOf, faultsOfDays });
  for (const { index, symbol } of typed.groups.flatMap(({ symbols }) => symbols)) {
    seriesOf(index, symbol);
  }
  const minutes = plain.filter((index) => isTypedMinutes(ordered[index]));
  const done =
    minutes.length > 0
      ? await readTypedMinutes(scratch, {
          ...request,
          ...{ indexes: minutes, identify, mayHoldLonger: mayHoldLonger(reading, minutes) },
        })
      : new Set<number>();
  const typedDays = new Set(days);
  const others = indexes.filter(
    (index) => !done.has(index) && (!typedDays.has(index) || typed.left.has(index)),
  );
  const parts = [...typed.left].flatMap(([index, left]) =>
    left === 'whole' ? [] : [[index, left] as const],
  );
  let rejectedLines = 0;
  if (others.length > 0) {
    const judged = await readFiles(
      reading,
      others,
      { identify, symbolOf: (at) => series[at]?.symbol },
      new Map(parts),
    );
    rejectedLines = sumOf(judged.rejectedByFile);
    const refused = rejectedLines > 0 ? await countRefused(reading, series) : [];
    for (const [at, count] of refused) series[at].refusedLines = count;
    await nameRefusedSymbols(reading, series);
  }
  if (done.size > 0) await addTypedRows(scratch, others.length > 0);
  return { series, typed: typed.groups, rejectedLines };
}

/**
 * Reports symbols of a file that are refused by what their rows are together, beside others. They
 * don't hold the others: their rows are no sign that the file is damaged.
 */
async function nameRefusedSymbols(
  { ordered, scratch, skipped, refusedLines }: FileReading,
  series: readonly SymbolRows[],
): Promise<void> {
  const found = await selectRows<{ series: number; reason: string; count: number }>(
    await scratch.connect(),
    `WITH faults AS (SELECT series, any_value(reason) AS fault FROM (
       SELECT series, reason FROM series_of WHERE series IS NOT NULL AND reason IS NOT NULL
       UNION ALL
       SELECT series, reason FROM judged WHERE starts_with(reason, ${sqlString(SEVERAL)}))
     GROUP BY series)
     SELECT series, fault AS reason, count(reason)::DOUBLE AS count
     FROM faults LEFT JOIN judged USING (series) GROUP BY ALL ORDER BY series`,
  );
  for (const { series: at, reason, count } of found) {
    const { symbol, input } = series[at];
    const file = ordered.indexOf(input);
    if (refusedLines.has(file)) continue;
    refusedLines.set(`${file} ${symbol}`, count);
    skipped.push({ name: `${symbol} of ${input.name}`, reason, isRefused: true });
  }
}

/** Returns the symbol of a row's text if it was requested. */
function symbolAsked(reading: FileReading, index: number, text: string | null): Named {
  const { ordered, options } = reading;
  const { dialect, isOfOther } = ordered[index];
  if (isOfOther?.(text ?? '') || isOfOtherMarket(dialect, text)) return 'left out';
  const named = symbolOfRow(reading, ordered[index], text);
  return 'reason' in named || isAsked(named.symbol, options) ? named : 'left out';
}

/** Turns `typed_rows` into the table `judged`, or adds it there if other files have rows. */
async function addTypedRows(scratch: Scratch, hasOthers: boolean): Promise<void> {
  const connection = await scratch.connect();
  await connection.run(
    hasOthers
      ? 'INSERT INTO judged BY NAME FROM typed_rows; DROP TABLE typed_rows'
      : 'DROP TABLE IF EXISTS judged; ALTER TABLE typed_rows RENAME TO judged',
  );
}

/** Stages the rows of `readAskedRows` that are in `judged` as one Parquet file in the scratch folder. */
export async function stageAskedRows(
  { fastCount, scratch, options }: FileReading,
  { series, typed }: Pick<AskedRows, 'series' | 'typed'>,
  id: string,
  hours?: Hours,
): Promise<Pick<ExactFiles, 'files' | 'groups'>> {
  const typedCounts = typed.flatMap(({ symbols }) => symbols.map(({ rowCount }) => rowCount));
  const first = typedCounts.length;
  const groups: CandleGroup[] = [];
  const addGroup = (selectSql: string, count: number) => {
    const at = fastCount + groups.reduce((sum, { fileIndexes }) => sum + fileIndexes.length, 0);
    groups.push({ selectSql, fileIndexes: Array.from({ length: count }, (_, i) => at + i) });
  };
  for (const { selectSql, symbols } of typed) addGroup(selectSql, symbols.length);
  const accepted = new Map(typedCounts.entries());
  if (series.length > first) {
    const parquetPath = join(scratch.folder, `${id}.parquet`);
    const staged = await stageAccepted(scratch, parquetPath, hours);
    for (const [place, count] of staged) accepted.set(place, count);
    const rows = `SELECT file_index${first > 0 ? ` - ${first}` : ''} AS file_index, ts, open, high, low, close, volume
      FROM read_parquet(${sqlFile(parquetPath)})`;
    addGroup(rows, series.length - first);
  }
  const files = series.map(({ symbol, input, refusedLines }, index) => ({
    ...candleFile(input, symbol, accepted.get(index) ?? 0, options),
    refusedLines,
  }));
  return { files, groups };
}

export async function stageExactFiles(reading: FileReading): Promise<ExactFiles> {
  const { ordered, fastCount, scratch, id } = reading;
  if (ordered.length === fastCount) {
    return { files: [], groups: [], rejectedLines: 0, actions: [] };
  }
  const asked = await readAskedRows(reading);
  await keepRefused(reading, id);
  const stating = [...asked.series.entries()].flatMap(([series, { symbol, input }]) => {
    const types = statedTypes(input);
    return types.length > 0 ? [[series, { symbol, types }] as const] : [];
  });
  const { actions, notes } = await actionsFromJudged(
    scratch,
    new Map(stating),
    ordered[fastCount].dialect.basis,
  );
  addNotes(reading, notes);
  return {
    ...(await stageAskedRows(reading, asked, id)),
    rejectedLines: asked.rejectedLines,
    actions,
  };
}

/** Returns the types of actions that have a column: a file says all about those of its days. */
function statedTypes({ dialect: { columns } }: CandleInput): ActionType[] {
  return [
    ...(columns.split === undefined ? [] : (['split'] as const)),
    ...(columns.dividend === undefined ? [] : (['dividend'] as const)),
  ];
}
