/** Builds a row of the dataset `insider` from the texts of a reported transaction. Pure. */

import { insider, type TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { UnreadableError, valueFromText } from '../../rows/value-from-text.ts';

/** Facts of every row of a filing. Unknown ones are null, and may make its rows refused. */
export interface InsiderFiling {
  symbol: string | null;
  insiderName: string | null;
  title: string | null;
  filedAtMs: number | null;
  accession: string;
  /** Number or filing date of the amended filing; null unless this is an amendment. */
  amends: string | null;
  /** True if a plan under rule 10b5-1 is checked; null for forms before 2023. */
  isPlanned: boolean | null;
  issuerCik: number | undefined;
}

const TEXTS = [
  'transactionCode',
  'transactionDate',
  'shares',
  'price',
  'totalValue',
  'sharesOwnedAfter',
  'securityTitle',
] as const;

/** Texts without blanks around them. A text is missing if only a footnote stands for it. */
export type TransactionTexts = Partial<
  Record<(typeof TEXTS)[number] | 'acquiredDisposed' | 'directIndirect', string>
>;

const DIRECTIONS = new Map([
  ['A', 'acquired'],
  ['D', 'disposed'],
]);

const OWNERSHIPS = new Map([
  ['D', 'direct'],
  ['I', 'indirect'],
]);

const TYPES = new Map<string, (typeof TRANSACTION_TYPES)[number]>([
  ['P', 'buy'],
  ['S', 'sell'],
  ['A', 'award'],
  ['M', 'exercise'],
  ['X', 'exercise'],
  ['O', 'exercise'],
  ['C', 'conversion'],
  ['F', 'tax'],
  ['G', 'gift'],
  ['D', 'return'],
]);

/** Required texts, without which a row has little use. */
const NEEDED = ['transactionCode', 'transactionDate'] as const;

export interface ReportedTransaction {
  isDerivative: boolean;
  /** True if a footnote of it names a plan under rule 10b5-1. */
  isNotedPlan?: boolean;
  texts: TransactionTexts;
}

/** @param line From 1: transactions of shares in the order of the filing, then of derivatives. */
export function insiderRow(
  filing: InsiderFiling,
  { line, isDerivative, isNotedPlan, texts }: { line: number } & ReportedTransaction,
): UncheckedRow {
  const place = { line, text: JSON.stringify(texts) };
  const missing = NEEDED.find((name) => !texts[name]);
  if (missing !== undefined) return { ...place, reason: `${missing} is missing` };
  if (filing.symbol === null) return { ...place, reason: 'the issuer has no ticker' };
  const { filedAtMs, issuerCik, ...facts } = filing;
  const isPlanned = filing.isPlanned ?? (isNotedPlan || null);
  try {
    const values = TEXTS.map((name) => {
      const column = insider.columns.find((candidate) => candidate.name === name);
      return [name, column ? valueFromText(column, texts[name] ?? '') : null] as const;
    });
    const row = {
      ...facts,
      ...Object.fromEntries(values),
      line,
      transactionType: TYPES.get(texts.transactionCode ?? '') ?? 'other',
      filedAt: filedAtMs,
      isDerivative: String(isDerivative),
      direction: DIRECTIONS.get(texts.acquiredDisposed ?? '') ?? null,
      ownership: OWNERSHIPS.get(texts.directIndirect ?? '') ?? null,
      isPlanned: isPlanned === null ? null : String(isPlanned),
      issuerCik: issuerCik ?? null,
    };
    return { ...place, row };
  } catch (error) {
    if (error instanceof UnreadableError) return { ...place, reason: error.message };
    throw error;
  }
}

export interface ReportingOwner {
  name: string | undefined;
  isOfficer: boolean;
  isDirector: boolean;
  isTenPercentOwner: boolean;
  officerTitle: string | undefined;
  /** Role of an insider who has none of these. */
  otherText: string | undefined;
}

/**
 * Chooses the insider for all rows of the filing: an officer before a director before a holder of
 * 10 %. Filers of one form report the same transactions: the person in charge, and their funds.
 */
export function insiderOf(owners: readonly ReportingOwner[]): {
  insiderName: string | null;
  title: string | null;
} {
  const named = owners.filter(({ name }) => name !== undefined);
  const insider = named.toSorted((a, b) => rank(a) - rank(b))[0];
  if (!insider) return { insiderName: null, title: null };
  return { insiderName: insider.name ?? null, title: titleOf(insider) };
}

function rank({ isOfficer, isDirector, isTenPercentOwner }: ReportingOwner): number {
  return [isOfficer, isDirector, isTenPercentOwner, true].indexOf(true);
}

function titleOf(owner: ReportingOwner): string | null {
  if (owner.isOfficer && owner.officerTitle) return owner.officerTitle;
  if (owner.isDirector) return 'Director';
  if (owner.isTenPercentOwner) return '10% Owner';
  if (owner.isOfficer) return 'Officer';
  return owner.officerTitle ?? owner.otherText ?? null;
}
