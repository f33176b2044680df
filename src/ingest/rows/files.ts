import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type { Dataset, DatasetRow } from '../../base/datasets/dataset.ts';
import { rowDatasets } from '../../base/datasets/datasets.ts';
import { members } from '../../base/datasets/universes.ts';
import {
  assert,
  MalformedInputError,
  ParameterError,
  SourceEmptyError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { FetchContext, FetchedRows, SkippedInput } from '../contract/fetch-context.ts';
import { whyNothing } from '../contract/skipped-notes.ts';
import { isAsked, type SourceOptions, statedAsOf } from '../contract/source-options.ts';
import { newestModifiedUs } from '../inputs/input-file.ts';
import { listInputs } from '../inputs/list-inputs.ts';
import { emptyReason } from '../inputs/scan-input.ts';
import { type ScannedFile, scanInputs } from '../inputs/scan-inputs.ts';
import { countReasons } from '../segments/quarantine.ts';
import { openScratch, type Scratch } from '../segments/scratch.ts';
import { areLeanFactors, leanActions } from './lean-factors.ts';
import { nameRefusedFiles, stageDatasetRows, stageGoodRows } from './segment.ts';
import { sentimentOf } from './sentiment.ts';
import type { UncheckedRow } from './stage-rows.ts';
import { datasetRows, type Fields, fieldsOfRows, type Spelling } from './text-rows.ts';

/**
 * Reads rows of `options.dataset` as one segment. `--from` and `--to` leave out rows that became
 * known on other days, in UTC.
 * @throws {ParameterError} `path` is missing or does not exist.
 * @throws {SourceEmptyError} no row is good.
 */
export async function* fetchDatasetFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const dataset = rowDatasets.find(({ name }) => name === options.dataset);
  assert(dataset, `${options.dataset} is a dataset of rows`);
  await using scratch = await openScratch(context);
  const { path, files, rows, notes, ...findings } = await openFiles(
    dataset,
    options,
    scratch,
    context,
  );
  // The user's corrected rows may be the only ones of their days, so the time of the file is
  // their vintage.
  const asOfUs = statedAsOf(options) ?? context.fileAsOfUs ?? newestModifiedUs(files);
  const head = { dataset: dataset.name, source: 'files', asOfUs, origin: path, ...findings };
  const listed = new Set<string>();
  const read = dataset === members ? withSymbols(rows, listed) : rows;
  const segment = await stageDatasetRows(head, read, context);
  if (segment.accepted === 0) throw nothingGood(path, segment);
  const missing = unservedOf(listed, context);
  if (missing !== '') notes.add(`no daily bars are served of ${missing}: ${OF_MEMBERS}`);
  yield { ...segment, notes: [...notes] };
}

const OF_MEMBERS =
  'they count as members all the same; check them for misspellings, or load their bars';

async function* withSymbols(
  rows: AsyncIterable<UncheckedRow>,
  symbols: Set<string>,
): AsyncGenerator<UncheckedRow> {
  for await (const one of rows) {
    if ('row' in one && typeof one.row.symbol === 'string') symbols.add(one.row.symbol);
    yield one;
  }
}

/** Names the first symbols of which no daily bar is served, and counts the others. */
export function unservedOf(
  symbols: Iterable<string>,
  { servedDays = () => [] }: Pick<FetchContext, 'servedDays'>,
): string {
  const found = [...new Set(symbols)].filter((symbol) => servedDays(symbol) === undefined);
  const { shownMax } = limits.sanity;
  const more = found.length > shownMax ? ` and ${found.length - shownMax} more` : '';
  return `${found.slice(0, shownMax).join(', ')}${more}`;
}

/** Result of `stageFiles`. The rows are in the scratch tables `accepted` and `rejected`. */
interface StagedFiles {
  path: string;
  names: string[];
  skipped: SkippedInput[];
  notes: string[];
  modifiedUs: bigint | undefined;
  refusedFileLines: number;
  rejectedByReason: Map<string, number>;
}

/**
 * Checks the rows of the files under `options.path`. `check` may refuse rows too.
 * @throws {ParameterError} `path` is missing or does not exist.
 */
export async function stageFiles(
  dataset: Dataset,
  options: SourceOptions,
  {
    scratch,
    context,
    check = (one) => one,
    spellingOf,
  }: {
    scratch: Scratch;
    context: FetchContext;
    check?: (one: UncheckedRow) => UncheckedRow;
    spellingOf?: SpellingOf;
  },
): Promise<StagedFiles> {
  const opened = await openFiles(dataset, options, scratch, context, spellingOf);
  const { path, files, ...found } = opened;
  const { rows, skipped, notes, partFiles } = found;
  const checked = async function* () {
    for await (const one of rows) yield check(one);
  };
  const names = await stageGoodRows(scratch, dataset, checked(), context);
  const refusedFileLines = await nameRefusedFiles(scratch, names, partFiles, skipped);
  const rejectedByReason = await countReasons(scratch);
  const modifiedUs = newestModifiedUs(files);
  const result = { path, names, skipped, modifiedUs, refusedFileLines, rejectedByReason };
  return { ...result, notes: [...notes] };
}

/** Decides how the rows of one file are spelled, for which it may read their fields. */
type SpellingOf = (rows: () => AsyncIterable<Fields>, name: string) => Promise<Spelling>;

async function openFiles(
  dataset: Dataset,
  options: SourceOptions,
  scratch: Scratch,
  context: FetchContext,
  spellingOf?: SpellingOf,
) {
  const { path } = options;
  if (!path) throw new ParameterError('path', 'path must be a file, folder or zip for files');
  const { files, skipped } = await listInputs(path);
  const scanned = await scanInputs(files, scratch.folder, context);
  const partFiles = new Set<string>();
  const notes = new Set<string>();
  const rows = rowsOfFiles(dataset, scanned, {
    ...{ options, scratch, skipped, notes, partFiles },
    ...(spellingOf && { spellingOf }),
  });
  return { path, files, rows, skipped, notes, partFiles };
}

/**
 * Reads the rows of all files without checking them. Adds files without rows to `skipped`, files
 * with omitted rows to `partFiles`, and columns that may be misnamed to `notes`.
 */
async function* rowsOfFiles(
  dataset: Dataset,
  scanned: readonly ScannedFile[],
  {
    options,
    scratch,
    skipped,
    notes,
    partFiles,
    spellingOf,
  }: {
    options: SourceOptions;
    scratch: Scratch;
    skipped: SkippedInput[];
    notes: Set<string>;
    partFiles: Set<string>;
    spellingOf?: SpellingOf;
  },
): AsyncGenerator<UncheckedRow> {
  const onNote = (note: string) => {
    if (notes.size < limits.ingest.columnNotesMax) notes.add(note);
  };
  for (const file of scanned) {
    const { name, form } = file.input;
    const skip = (reason: string) => skipped.push({ name, reason, isRefused: true });
    if ('damage' in file) skip(file.damage);
    else if (file.scan.bytes === 0) skipped.push({ name, reason: emptyReason(file.input) });
    else {
      let line = 0;
      try {
        const { diskPath: disk } = file;
        if (dataset.name === 'corporate-actions' && areLeanFactors(file.scan.head)) {
          for await (const read of leanActions(disk, name)) {
            line = read.line!;
            yield { name, ...read };
          }
          continue;
        }
        const spelling = await spellingOf?.(() => fieldsOfRows(dataset, disk, form, scratch), name);
        for await (const read of datasetRows(dataset, disk, form, scratch, onNote, spelling)) {
          line = read.line;
          if (!('row' in read)) yield { name, ...read };
          else if (dataset.isComputed?.(read.row)) onNote(COMPUTED);
          else if (isWanted(dataset, read.row, options)) {
            if (dataset.name === 'news') scoreArticle(read.row);
            if (dataset.name === 'values') read.row.name ??= options.column ?? null;
            yield { name, ...read };
          } else partFiles.add(name);
        }
      } catch (error) {
        if (!(error instanceof MalformedInputError)) throw error;
        skip(line === 0 ? error.message : `after line ${line}: ${error.message}`);
      }
    }
  }
}

const COMPUTED = 'rows of twelve months are worked out from the others, and not read';

/** Keeps a stated sentiment. The row is not checked yet. */
function scoreArticle(row: DatasetRow): void {
  const { title, summary } = row;
  if (typeof title !== 'string') return;
  row.sentiment ??= sentimentOf(title, typeof summary === 'string' ? summary : null);
}

function isWanted(dataset: Dataset, row: DatasetRow, options: SourceOptions): boolean {
  const { symbols, symbol, fromDay = -Infinity, toDay = Infinity } = options;
  const known = row[dataset.time];
  if (typeof known === 'number') {
    const day = Math.floor(known / MILLIS_PER_DAY);
    if (day < fromDay || day > toDay) return false;
  }
  if (symbols === undefined && symbol === undefined) return true;
  return [row.symbol ?? row.symbols ?? []].flat().some((one) => isAsked(String(one), options));
}

/** Error for a path without a good row, with the first reasons. */
export function nothingGood(
  path: string,
  { skipped, rejectedByReason }: Pick<FetchedRows, 'skipped' | 'rejectedByReason'>,
): SourceEmptyError {
  const reasons =
    whyNothing(skipped, rejectedByReason) || 'it has no rows, or none that was asked for';
  return new SourceEmptyError(`"${path}" has no good row: ${reasons}`);
}
