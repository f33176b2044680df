import { join } from 'node:path';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { filingDay } from '../../../base/datasets/insider-filing.ts';
import { MalformedInputError } from '../../../base/errors.ts';
import { closeSync, openSync, writeFileSync } from '../../../base/world/files.ts';
import type { FetchContext, FetchedRows, SkippedInput } from '../../contract/fetch-context.ts';
import { isAsked, type SourceOptions, statedAsOf } from '../../contract/source-options.ts';
import type { InputFile } from '../../inputs/input-file.ts';
import { headOf, readInput } from '../../inputs/read-input.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { openScratch } from '../../segments/scratch.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import { type FilingFiles, findFilingFiles } from './filing-files.ts';
import { insiderRow } from './insider-row.ts';
import { symbolOfIssuer, type TickersByCik } from './issuer-symbol.ts';
import { form4Limits } from './limits.ts';
import { type OwnershipReport, parseForm4 } from './parse-form4.ts';
import type { InsiderTable } from './parse-insider-dataset.ts';
import { parseSgmlSubmission } from './parse-sgml-submission.ts';
import { insiderDatasetRows } from './read-insider-dataset.ts';

/** Rows of documents and submissions win over those of data sets, which lack times. */
export const FORM4 = 'form4';
export const FORM4_DATASETS = 'form4-datasets';

/**
 * Yields a segment for each data set, and one for all single filings together. An unreadable
 * document is a refused row.
 */
export async function* fetchForm4Files(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const { paths = [] } = options;
  const tickersByCik = new Map(options.tickersByCik);
  const { datasets, submissions, documents, skipped } = await findFilingFiles(paths);
  const head = { dataset: 'insider', asOfUs: statedAsOf(options) };
  // Without filings there is still one segment, to carry the skipped inputs.
  const hasFilings = datasets.length === 0 || submissions.length + documents.length > 0;
  for (const [index, { name, tables }] of datasets.entries()) {
    const rows = datasetRows(tables, tickersByCik, context);
    const carried = !hasFilings && index === datasets.length - 1 ? skipped : [];
    const origin = { source: FORM4_DATASETS, origin: name, skipped: carried };
    yield await stageDatasetRows({ ...head, ...origin }, wantedRows(rows, options), context);
  }
  if (!hasFilings) return;
  const rows = filingRows({ submissions, documents, skipped }, tickersByCik, context);
  const origin = { source: FORM4, origin: paths.join(', '), skipped };
  yield await stageDatasetRows({ ...head, ...origin }, wantedRows(rows, options), context);
}

async function* filingRows(
  { submissions, documents, skipped }: Omit<FilingFiles, 'datasets'>,
  tickersByCik: TickersByCik,
  { onProgress }: FetchContext,
): AsyncGenerator<UncheckedRow> {
  const inputs = [
    ...submissions.map((input) => ({ input, rowsOf: submissionRows })),
    ...documents.map((input) => ({ input, rowsOf: documentRows })),
  ];
  for (const [done, { input, rowsOf }] of inputs.entries()) {
    onProgress?.('read', done, inputs.length);
    yield* namedRows(input, skipped, () => rowsOf(input, tickersByCik));
  }
  onProgress?.('read', inputs.length, inputs.length);
}

/** Rows of one file under its name, or a refusal if it cannot be read. */
async function* namedRows(
  { name }: InputFile,
  skipped: SkippedInput[],
  read: () => Promise<UncheckedRow[] | string>,
): AsyncGenerator<UncheckedRow> {
  try {
    const rows = await read();
    if (typeof rows === 'string') skipped.push({ name, reason: rows });
    else for (const row of rows) yield { ...row, name };
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    yield { name, reason: error.message };
  }
}

async function submissionRows(
  input: InputFile,
  tickersByCik: TickersByCik,
): Promise<UncheckedRow[] | string> {
  const bytes = await headOf(input, form4Limits.submissionBytesMax);
  return rowsOfSubmission(bytes, tickersByCik);
}

/** @throws {MalformedInputError} as the parsers, or the file is too large. */
export function rowsOfSubmission(
  bytes: Buffer,
  tickersByCik: TickersByCik,
): UncheckedRow[] | string {
  const { accession, filedAtMs, xml } = parseSgmlSubmission(bytes);
  if (xml.length > form4Limits.documentBytesMax) throw tooLarge();
  return reportRows(parseForm4(xmlTextFromBytes(xml)), { accession, filedAtMs }, tickersByCik);
}

async function documentRows(
  input: InputFile,
  tickersByCik: TickersByCik,
): Promise<UncheckedRow[] | string> {
  const bytes = await headOf(input, form4Limits.documentBytesMax + 1);
  if (bytes.length > form4Limits.documentBytesMax) throw tooLarge();
  const report = parseForm4(xmlTextFromBytes(bytes));
  const { signedDay, contentId } = report;
  const accession = accessionFromPath(`${input.path}/${input.name}`) ?? contentId;
  const filedAtMs = signedDay === undefined ? null : signedDay * MILLIS_PER_DAY;
  return reportRows(report, { accession, filedAtMs }, tickersByCik);
}

function tooLarge(): MalformedInputError {
  return new MalformedInputError(
    `the document is larger than ${form4Limits.documentBytesMax} bytes`,
  );
}

/** Reads the number from EDGAR's folders and files: `…/000112760225001055/form4.xml`. */
function accessionFromPath(path: string): string | undefined {
  const parts = [...path.matchAll(/(?<!\d)(\d{10})-?(\d{2})-?(\d{6})(?!\d)/g)].at(-1);
  return parts?.slice(1).join('-');
}

/** Unpacks the tables while their rows are read. */
async function* datasetRows(
  tables: FilingFiles['datasets'][number]['tables'],
  tickersByCik: TickersByCik,
  context: FetchContext,
): AsyncGenerator<UncheckedRow> {
  await using scratch = await openScratch(context);
  const unpacked = async (table: InsiderTable) => {
    const input = tables[table];
    if (!input) return undefined;
    const path = join(scratch.folder, `${table}.tsv`);
    const file = openSync(path, 'w');
    try {
      await readInput(input, (chunk) => writeFileSync(file, chunk)).catch((error: Error) => {
        if (!(error instanceof MalformedInputError)) throw error;
        throw new MalformedInputError(`${input.name}: ${error.message}`, { cause: error });
      });
    } finally {
      closeSync(file);
    }
    return { name: input.name, path };
  };
  try {
    const submissions = await unpacked('submissions');
    if (!submissions) return;
    const dataset = {
      submissions,
      owners: await unpacked('owners'),
      shares: await unpacked('shares'),
      derivatives: await unpacked('derivatives'),
    };
    yield* insiderDatasetRows(dataset, tickersByCik);
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    yield { name: tables.submissions?.name, reason: error.message };
  }
}

/** Facts of the submission, or of the document itself if there is no submission. */
interface FiledAs {
  accession: string;
  /** Null if unknown. Its rows are then refused. */
  filedAtMs: number | null;
}

/** @returns rows and refusals in the order of the document, or the reason why there are none. */
export function reportRows(
  report: OwnershipReport,
  { accession, filedAtMs }: FiledAs,
  tickersByCik: TickersByCik,
): UncheckedRow[] | string {
  const { form, insiderName, title, amends, isPlanned, issuerCik, transactions } = report;
  if (form.startsWith('3')) return `Form ${form} lists holdings and has no transactions`;
  if (transactions.length === 0) return `Form ${form} without transactions`;
  const symbol = symbolOfIssuer(report.tradingSymbol, report.issuerCik, tickersByCik) ?? null;
  const facts = { symbol, insiderName, title, filedAtMs, accession, amends, isPlanned };
  const filing = { ...facts, issuerCik };
  return transactions.map((transaction, index) =>
    insiderRow(filing, { line: index + 1, ...transaction }),
  );
}

/** Drops good rows of other symbols or other filing days. Keeps refusals. */
export async function* wantedRows(
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  options: SourceOptions,
): AsyncGenerator<UncheckedRow> {
  const { fromDay = -Infinity, toDay = Infinity } = options;
  for await (const unchecked of rows) {
    if ('row' in unchecked) {
      const { symbol, filedAt } = unchecked.row;
      if (!isAsked(String(symbol), options)) continue;
      const day = typeof filedAt === 'number' ? filingDay(filedAt) : undefined;
      if (day !== undefined && (day < fromDay || day > toDay)) continue;
    }
    yield unchecked;
  }
}
