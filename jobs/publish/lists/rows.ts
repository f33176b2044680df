/** Makes the rows of a symbol's lists, as the API serves them, from its stored records. */

import { MILLIS_PER_DAY, type Split } from '../../../src/base/bars.ts';
import type { Dataset, DatasetRow } from '../../../src/base/datasets/dataset.ts';
import type { ListName, StatementName } from '../../../src/base/datasets/datasets.ts';
import { insider } from '../../../src/base/datasets/filings.ts';
import { filingLink } from '../../../src/base/datasets/insider-filing.ts';
import { dateText, jsonValue, momentText } from '../../../src/base/datasets/json-values.ts';
import {
  figuresOf,
  isPerShare,
  type StatementDataset,
  statementDatasets,
} from '../../../src/base/datasets/statement.ts';
import { decimalProduct } from '../../../src/base/prices/decimals.ts';
import {
  type ConsensusRow,
  consensusOf,
} from '../../../src/compute/companies/analyst-consensus.ts';
import { currentTransactions } from '../../../src/compute/companies/current-transactions.ts';
import { withFilingSplits } from '../../../src/compute/companies/filing-splits.ts';
import type { InsiderRow } from '../../../src/compute/companies/insider-summary.ts';
import { perShareMoments } from '../../../src/compute/companies/share-bases.ts';
import {
  type StatementRow,
  trailingStatements,
  trailingSums,
} from '../../../src/compute/companies/trailing-statements.ts';
import type { ListRow } from '../../../src/store/arrow/lists/specs.ts';

/** Makes a list from records, at least one, oldest first by when they became known. */
type MakeRows = (rows: readonly DatasetRow[], splits: readonly Split[]) => ListRow[];

/** Fields that many rows do without. */
const PLAIN = { id: '', knownMs: null, kind: '' };

/** Makes the rows of a statement, and those of twelve months where its figures are of periods. */
function statementMaker(dataset: StatementDataset): MakeRows {
  const figures = figuresOf(dataset).map(({ name }) => name);
  const storedOf = storedMaker(dataset, ['date', 'period', ...figures]);
  const rowsOf = (rows: readonly object[]) =>
    rows.map((row) => periodRow(row as DatasetRow, figures, storedOf));
  if (dataset.statement.isOfMoment) return rowsOf;
  return (rows, splits) => {
    const filed = rows as unknown as StatementRow[];
    const trailing = isPerShare(dataset)
      ? trailingStatements(filed, splits)
      : trailingSums(filed, figures);
    const filings = new Map(filed.map((row) => [row.filedAt, row]));
    const years = new Map<number, StatementRow[]>();
    for (const row of filed) years.set(row.date, [...(years.get(row.date) ?? []), row]);
    const rowsOfMonths = trailing.map((row) => {
      const { currency, form } = filings.get(row.filedAt)!;
      const year = years.get(row.date)?.findLast(({ filedAt }) => filedAt <= row.filedAt);
      return { ...row, period: 'ttm', currency, form, fiscalYear: year?.fiscalYear ?? null };
    });
    return [...withMoments(rowsOf(rows), filed, dataset), ...rowsOf(rowsOfMonths)];
  };
}

/** Figures that no response has: readers of the lists find the same splits without them. */
const NOT_SERVED = { netIncomeToCommon: null, sharesBasic: null, sharesDiluted: null };

/**
 * Adds the moments of figures per share that a later version repeats, for splits between the two,
 * and the new shares for one that a filing shows; null if nothing shows their ratio.
 */
function withMoments(
  listRows: readonly ListRow[],
  filed: readonly StatementRow[],
  dataset: StatementDataset,
): readonly ListRow[] {
  if (!isPerShare(dataset)) return listRows;
  const moments = perShareMoments(filed);
  const served = filed.map((row) => ({ ...row, ...NOT_SERVED }));
  const shown = withFilingSplits([], served, undefined);
  const splits = new Map(shown.map(({ exDay, numerator }) => [exDay, numerator]));
  return listRows.map((listRow, i) => {
    const { filedAt } = filed[i];
    const moment = moments.get(filed[i])!;
    const newShares = splits.get(Math.floor(filedAt / MILLIS_PER_DAY));
    if (moment === filedAt && newShares === undefined) return listRow;
    const stored = {
      ...JSON.parse(listRow.stored!),
      ...(moment !== filedAt && { perShareAt: momentText(moment) }),
      // NaN is null in JSON.
      ...(newShares !== undefined && { newShares }),
    };
    return { ...listRow, stored: JSON.stringify(stored) };
  });
}

/**
 * Makers of the rows of datasets that are no statements; news is published as it is stored, and
 * members have no list of a symbol.
 */
const MAKERS: Record<Exclude<ListName, 'news' | 'members' | StatementName>, MakeRows> = {
  filings: (rows) => filingRows(rows),
  insider: (rows) =>
    currentTransactions(rows as unknown as InsiderRow[])
      .map(exactTotal)
      .map(transactionRow),
  'analyst-consensus': (rows) => [
    {
      ...PLAIN,
      timestampMs: Number(rows[rows.length - 1].asOf),
      json: JSON.stringify(consensusOf(rows as unknown as ConsensusRow[])),
    },
  ],
  'analyst-targets': (rows) =>
    rows.map((row) => publishedRow(row, ['analystName', 'firm', 'target', 'rating'])),
  'upgrades-downgrades': (rows) =>
    rows.map((row) =>
      publishedRow(row, ['symbol', 'firm', 'analystName', 'action', 'fromGrade', 'toGrade']),
    ),
  expirations(rows) {
    const newest = rows[rows.length - 1].asOf;
    return rows.filter(({ asOf }) => asOf === newest).map(expirationRow);
  },
  'earnings-calendar': (rows) => rows.filter(isOnlyOne).map(reportRow),
  values: (rows) =>
    rows.map(({ name, date, value }) => ({
      ...PLAIN,
      timestampMs: Number(date) * MILLIS_PER_DAY,
      kind: String(name),
      json: JSON.stringify(value),
    })),
};

const makers = new Map([
  ...statementDatasets.map((dataset) => [dataset.name, statementMaker(dataset)] as const),
  ...(Object.entries(MAKERS) as [ListName, MakeRows][]),
]);

/** Makes a list from records of a dataset. */
export function makeListRows(
  dataset: Exclude<ListName, 'news'>,
  rows: readonly DatasetRow[],
  splits: readonly Split[],
): ListRow[] {
  return makers.get(dataset)!(rows, splits);
}

/** Returns the columns of a row that responses leave out, as JSON. */
type StoredOf = (row: DatasetRow) => string;

/** @param served Columns that responses have. */
function storedMaker({ columns }: Dataset, served: readonly string[]): StoredOf {
  const others = columns.filter(({ name }) => name !== 'symbol' && !served.includes(name));
  return (row) =>
    JSON.stringify(
      Object.fromEntries(others.map(({ name, kind }) => [name, jsonValue(kind, row[name])])),
    );
}

/** Makes the row of one version of a period; the id holds its filing time. */
function periodRow(row: DatasetRow, fields: readonly string[], storedOf: StoredOf): ListRow {
  const period = String(row.period);
  return {
    timestampMs: Number(row.date) * MILLIS_PER_DAY,
    id: `${period} ${momentText(row.filedAt)}`,
    knownMs: Number(row.filedAt),
    kind: period,
    json: JSON.stringify({ date: dateText(row.date), period, ...picked(row, fields) }),
    stored: storedOf(row),
  };
}

/** Makes a row of each filing, with the fields that any of its sources gives. */
function filingRows(rows: readonly DatasetRow[]): ListRow[] {
  const byAccession = Map.groupBy(rows, ({ accession }) => String(accession));
  return [...byAccession].map(([accession, versions]) => {
    const known = (field: string) =>
      versions.map((version) => version[field]).find((value) => value !== null) ?? null;
    const [period, acceptedAt] = [known('period'), known('acceptedAt')];
    return {
      ...PLAIN,
      timestampMs: Number(known('filedAt')) * MILLIS_PER_DAY,
      id: accession,
      json: JSON.stringify({
        ...picked(versions[0], ['symbol', 'accession', 'form']),
        period: period === null ? null : dateText(period),
        filedAt: dateText(known('filedAt')),
        acceptedAt: acceptedAt === null ? null : momentText(acceptedAt),
        link: known('link'),
      }),
    };
  });
}

const TRANSACTION_FIELDS = [
  'symbol',
  'insiderName',
  'title',
  'transactionType',
  'shares',
  'price',
  'totalValue',
  'sharesOwnedAfter',
  'transactionCode',
  'securityTitle',
  'direction',
  'ownership',
  'accession',
];

const storedOfTransaction = storedMaker(insider, [...TRANSACTION_FIELDS, 'filedAt']);

/** Returns a row whose value has no noise of float64, which older versions stored. */
function exactTotal(row: InsiderRow): InsiderRow {
  const { shares, price, totalValue } = row;
  const isProduct = shares !== null && price !== null && totalValue === shares * price;
  return isProduct ? { ...row, totalValue: decimalProduct(shares, price) } : row;
}

function transactionRow(row: InsiderRow): ListRow {
  return {
    timestampMs: row.filedAt,
    id: `${row.accession} ${String(row.line).padStart(4, '0')}`,
    knownMs: null,
    kind: row.isDerivative === 'true' ? 'derivative' : '',
    json: JSON.stringify({
      ...picked(row, TRANSACTION_FIELDS),
      transactionDate: row.transactionDate === null ? null : dateText(row.transactionDate),
      isDerivative: flagOf(row.isDerivative),
      isPlanned: flagOf(row.isPlanned),
      filedAt: momentText(row.filedAt),
      link: linkOf(row),
    }),
    stored: storedOfTransaction(row),
  };
}

/** A bare document has no number of the SEC, and a row of an older load no company. */
function linkOf({ issuerCik, accession }: InsiderRow): string | null {
  return issuerCik && /^\d{10}-\d{2}-\d{6}$/.test(accession)
    ? filingLink(issuerCik, accession)
    : null;
}

/** A row of an older load has no flag. */
function flagOf(value: string | null | undefined): boolean | null {
  return value === null || value === undefined ? null : value === 'true';
}

function publishedRow(row: DatasetRow, fields: readonly string[]): ListRow {
  return {
    ...PLAIN,
    timestampMs: Number(row.publishedAt),
    id: `${row.firm} ${row.analystName ?? ''}`,
    json: JSON.stringify({ ...picked(row, fields), publishedAt: momentText(row.publishedAt) }),
  };
}

function expirationRow({ date }: DatasetRow): ListRow {
  const json = JSON.stringify(dateText(date));
  return { ...PLAIN, timestampMs: Number(date) * MILLIS_PER_DAY, json };
}

/** Returns false for a report without a quarter if another report of its day has the quarter. */
function isOnlyOne(row: DatasetRow, _index: number, rows: readonly DatasetRow[]): boolean {
  if (row.fiscalQuarter !== null) return true;
  return !rows.some((other) => other.fiscalQuarter !== null && other.date === row.date);
}

function reportRow(row: DatasetRow): ListRow {
  return {
    ...PLAIN,
    timestampMs: Number(row.date) * MILLIS_PER_DAY,
    id: `${row.symbol} ${row.fiscalQuarter ?? ''}`,
    json: JSON.stringify({
      ...picked(row, ['symbol', 'companyName']),
      date: dateText(row.date),
      ...picked(row, ['fiscalQuarter', 'time', 'epsEstimate', 'revenueEstimate']),
    }),
  };
}

function picked(row: DatasetRow, fields: readonly string[]): DatasetRow {
  return Object.fromEntries(fields.map((field) => [field, row[field]]));
}
