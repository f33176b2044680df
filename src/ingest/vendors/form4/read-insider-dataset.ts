/**
 * Reads rows of a quarterly data set, whose tables are joined in memory. Transactions are read
 * twice: line numbers need all row numbers of a filing first.
 */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { MalformedInputError, validOr } from '../../../base/errors.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { csvRecords } from '../../inputs/csv-records.ts';
import { TOO_LONG } from '../../inputs/file-lines.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { insiderOf, insiderRow, type ReportingOwner } from './insider-row.ts';
import { symbolOfIssuer, type TickersByCik } from './issuer-symbol.ts';
import { form4Limits } from './limits.ts';
import {
  type DatasetFiling,
  datasetFiling,
  datasetOwner,
  datasetTransaction,
  ROW_NUMBERS,
} from './parse-insider-dataset.ts';

export interface DatasetFile {
  name: string;
  path: string;
}

export interface InsiderDataset {
  submissions: DatasetFile;
  owners: DatasetFile | undefined;
  shares: DatasetFile | undefined;
  derivatives: DatasetFile | undefined;
}

interface Filing extends DatasetFiling {
  owners: { cik: number; owner: ReportingOwner }[];
  /** Numbers of its rows, ascending once all are known. */
  numbers: Record<keyof typeof ROW_NUMBERS, number[]>;
}

const TABLES = ['shares', 'derivatives'] as const;

/**
 * Yields a row or a refusal for every transaction, and refusals for other broken records.
 * @throws {MalformedInputError} a table cannot be read, or exceeds the limits.
 */
export async function* insiderDatasetRows(
  dataset: InsiderDataset,
  tickersByCik: TickersByCik,
): AsyncGenerator<UncheckedRow> {
  const filings = new Map<string, Filing>();
  yield* readFilings(dataset.submissions, filings);
  if (dataset.owners) yield* readOwners(dataset.owners, filings);
  await numberRows(dataset, filings);
  for (const table of TABLES) {
    const file = dataset[table];
    if (!file) continue;
    for await (const record of tsvRows(file.path)) {
      const row = transactionRow(record, table, { filings, tickersByCik });
      yield { ...row, name: file.name, line: record.line };
    }
  }
}

function refused({ name }: DatasetFile, record: TsvRecord, reason: string): UncheckedRow {
  return { name, line: record.line, text: record.text(), reason };
}

async function* readFilings(
  file: DatasetFile,
  filings: Map<string, Filing>,
): AsyncGenerator<UncheckedRow> {
  for await (const record of tsvRows(file.path)) {
    const accession = record.field('ACCESSION_NUMBER');
    const reason = record.fault ?? (accession ? undefined : 'ACCESSION_NUMBER is missing');
    if (reason !== undefined || !accession) {
      yield refused(file, record, reason ?? '');
      continue;
    }
    const numbers = { shares: [], derivatives: [] };
    filings.set(accession, { ...datasetFiling(record.field), owners: [], numbers });
    if (filings.size > form4Limits.filingsMax) {
      throw new MalformedInputError(`it has more than ${form4Limits.filingsMax} filings`);
    }
  }
}

async function* readOwners(
  file: DatasetFile,
  filings: ReadonlyMap<string, Filing>,
): AsyncGenerator<UncheckedRow> {
  let count = 0;
  for await (const record of tsvRows(file.path)) {
    if (record.fault !== undefined) {
      yield refused(file, record, record.fault);
      continue;
    }
    if (++count > 2 * form4Limits.filingsMax) {
      throw new MalformedInputError(`it has more than ${2 * form4Limits.filingsMax} owners`);
    }
    const cik = Number(record.field('RPTOWNERCIK'));
    const filing = filings.get(record.field('ACCESSION_NUMBER') ?? '');
    filing?.owners.push({ cik, owner: datasetOwner(record.field) });
  }
  // The table has no order within a filing. Equal owners must come out the same in every set.
  for (const { owners } of filings.values()) owners.sort((a, b) => a.cik - b.cik);
}

async function numberRows(
  dataset: InsiderDataset,
  filings: ReadonlyMap<string, Filing>,
): Promise<void> {
  let count = 0;
  for (const table of TABLES) {
    const file = dataset[table];
    if (!file) continue;
    for await (const { field } of tsvRows(file.path)) {
      const number = Number(field(ROW_NUMBERS[table]));
      const filing = filings.get(field('ACCESSION_NUMBER') ?? '');
      if (Number.isSafeInteger(number)) filing?.numbers[table].push(number);
      if (++count > form4Limits.transactionsMax) {
        throw new MalformedInputError(
          `it has more than ${form4Limits.transactionsMax} transactions`,
        );
      }
    }
  }
  for (const [accession, { numbers }] of filings) {
    for (const table of TABLES) {
      if (numbers[table].length > form4Limits.linesPerFilingMax) {
        throw new MalformedInputError(`its filing "${accession}" has too many transactions`);
      }
      numbers[table].sort((a, b) => a - b);
    }
  }
}

function transactionRow(
  record: TsvRecord,
  table: (typeof TABLES)[number],
  { filings, tickersByCik }: { filings: ReadonlyMap<string, Filing>; tickersByCik: TickersByCik },
): UncheckedRow {
  const text = record.text();
  if (record.fault !== undefined) return { text, reason: record.fault };
  const accession = record.field('ACCESSION_NUMBER') ?? '';
  const filing = filings.get(accession);
  if (!filing) return { text, reason: 'its filing is not among the submissions' };
  const { numbers } = filing;
  const place = numbers[table].indexOf(Number(record.field(ROW_NUMBERS[table])));
  if (place < 0) return { text, reason: `${ROW_NUMBERS[table]} is not a whole number` };
  const facts = {
    symbol: symbolOfIssuer(filing.tradingSymbol, filing.issuerCik, tickersByCik) ?? null,
    ...insiderOf(filing.owners.map(({ owner }) => owner)),
    filedAtMs: momentOf(filing.filed),
    accession,
    amends: filing.amends,
    isPlanned: filing.isPlanned,
    issuerCik: filing.issuerCik,
  };
  const line = 1 + place + (table === 'shares' ? 0 : numbers.shares.length);
  const isDerivative = table === 'derivatives';
  return {
    ...insiderRow(facts, { line, isDerivative, texts: datasetTransaction(record.field) }),
    text,
  };
}

function momentOf(date: string | undefined): number | null {
  if (date === undefined) return null;
  return validOr(() => dayFromDate(date) * MILLIS_PER_DAY, null);
}

interface TsvRecord {
  /** Line in the file, from 1. */
  line: number;
  /** Value without blanks around it; undefined if it is empty or the file has no such column. */
  field(column: string): string | undefined;
  text(): string;
  /** Reason why the record can't be used; undefined for a whole record. */
  fault: string | undefined;
}

/**
 * Reads tab-separated values with a header. A quote that does not match is a plain character.
 *
 * @throws {MalformedInputError} a record is too long.
 */
async function* tsvRows(path: string): AsyncGenerator<TsvRecord> {
  let places: Map<string, number> | undefined;
  for await (const record of csvRecords(path)) {
    if ('reason' in record && record.reason === TOO_LONG) throw new MalformedInputError(TOO_LONG);
    const values = 'fields' in record ? record.fields : record.text.split('\t');
    if (places) yield recordOf(values, record.line, places);
    else places = new Map(values.map((name, place) => [name.trim().toUpperCase(), place]));
  }
}

function recordOf(values: string[], line: number, places: ReadonlyMap<string, number>): TsvRecord {
  return {
    line,
    field: (column) => values[places.get(column) ?? -1]?.trim() || undefined,
    text: () => values.join('\t'),
    fault: faultOf(values, places.size),
  };
}

function faultOf(values: readonly string[], columnCount: number): string | undefined {
  if (values.length !== columnCount) {
    return `line has ${values.length} fields and the header ${columnCount}`;
  }
  return values.some((value) => value.includes('\ufffd')) ? 'line is not UTF-8 text' : undefined;
}
