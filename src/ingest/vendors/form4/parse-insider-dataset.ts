/** Parses records of the SEC's quarterly data sets, which accession numbers join. Pure. */

import { AMENDS_UNNAMED } from '../../../base/datasets/insider-filing.ts';
import type { ReportingOwner, TransactionTexts } from './insider-row.ts';

export type InsiderTable = 'submissions' | 'owners' | 'shares' | 'derivatives' | 'other';

export type FieldOf = (column: string) => string | undefined;

export interface DatasetFiling {
  form: string;
  issuerCik: number | undefined;
  tradingSymbol: string;
  /** `YYYY-MM-DD`, the day of filing. The sets have no time. */
  filed: string | undefined;
  amends: string | null;
  isPlanned: boolean | null;
}

/** Finds the table of a file by its header. Returns undefined for files of other kinds. */
export function insiderTable(head: string): InsiderTable | undefined {
  const header = head
    .split(/\r?\n/, 1)[0]
    .replace(/^\ufeff/, '')
    .toUpperCase();
  const columns = header.split('\t').map((name) => name.trim());
  if (!columns.includes('ACCESSION_NUMBER')) return undefined;
  if (columns.includes('ISSUERTRADINGSYMBOL')) return 'submissions';
  if (columns.includes('RPTOWNERNAME')) return 'owners';
  if (columns.includes('NONDERIV_TRANS_SK')) return 'shares';
  if (columns.includes('DERIV_TRANS_SK')) return 'derivatives';
  return 'other';
}

/** Column with the number of a table's rows, which rises in the order of each filing. */
export const ROW_NUMBERS = { shares: 'NONDERIV_TRANS_SK', derivatives: 'DERIV_TRANS_SK' } as const;

export function datasetFiling(field: FieldOf): DatasetFiling {
  const form = field('DOCUMENT_TYPE') ?? '';
  const cik = Number(field('ISSUERCIK'));
  const original = dateOf(field('DATE_OF_ORIG_SUB'));
  const plan = field('AFF10B5ONE');
  return {
    form,
    issuerCik: Number.isSafeInteger(cik) && cik > 0 ? cik : undefined,
    tradingSymbol: field('ISSUERTRADINGSYMBOL') ?? '',
    filed: dateOf(field('FILING_DATE')),
    amends: form.endsWith('/A') ? (original ?? AMENDS_UNNAMED) : null,
    isPlanned: plan === undefined || plan === '' ? null : /^(1|true)$/i.test(plan),
  };
}

/** A record of the table `owners`. Commas separate the relationships. */
export function datasetOwner(field: FieldOf): ReportingOwner {
  const relationships = (field('RPTOWNER_RELATIONSHIP') ?? '').toLowerCase().split(/[^a-z0-9]+/);
  return {
    name: field('RPTOWNERNAME'),
    isOfficer: relationships.includes('officer'),
    isDirector: relationships.includes('director'),
    isTenPercentOwner: relationships.includes('tenpercentowner'),
    officerTitle: field('RPTOWNER_TITLE'),
    otherText: field('RPTOWNER_TXT'),
  };
}

export function datasetTransaction(field: FieldOf): TransactionTexts {
  return {
    transactionCode: field('TRANS_CODE'),
    transactionDate: dateOf(field('TRANS_DATE')) ?? field('TRANS_DATE'),
    shares: field('TRANS_SHARES'),
    price: field('TRANS_PRICEPERSHARE'),
    totalValue: field('TRANS_TOTAL_VALUE'),
    sharesOwnedAfter: field('SHRS_OWND_FOLWNG_TRANS'),
    securityTitle: field('SECURITY_TITLE'),
    acquiredDisposed: field('TRANS_ACQUIRED_DISP_CD'),
    directIndirect: field('DIRECT_INDIRECT_OWNERSHIP'),
  };
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** Converts `31-MAR-2025` or `2025-03-31` to `2025-03-31`. Returns undefined for other texts. */
function dateOf(text: string | undefined): string | undefined {
  if (text && /^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const parts = /^(\d{1,2})-([A-Z]{3})-(\d{4})$/i.exec(text ?? '');
  const month = MONTHS.indexOf(parts?.[2].toUpperCase() ?? '') + 1;
  if (!parts || month === 0) return undefined;
  return `${parts[3]}-${String(month).padStart(2, '0')}-${parts[1].padStart(2, '0')}`;
}
