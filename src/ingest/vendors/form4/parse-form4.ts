/** Parses ownership documents, which are Forms 3, 4 and 5 in the SEC's XML. Pure. */

import { createHash } from 'node:crypto';
import { AMENDS_UNNAMED, UNNUMBERED } from '../../../base/datasets/insider-filing.ts';
import { MalformedInputError, validOr } from '../../../base/errors.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { elementAt, elementsOf, parseXml, textOf, type XmlValue } from '../shared/parse-xml.ts';
import {
  insiderOf,
  type ReportedTransaction,
  type ReportingOwner,
  type TransactionTexts,
} from './insider-row.ts';

export interface OwnershipReport {
  /** `3`, `4` or `5`, each also with `/A`. */
  form: string;
  issuerCik: number | undefined;
  /** Ticker as the insider wrote it; empty if absent. */
  tradingSymbol: string;
  insiderName: string | null;
  title: string | null;
  /** Filing date of the amended filing, or a text that it is unstated; null for no amendment. */
  amends: string | null;
  /** True if a plan under rule 10b5-1 is checked; null for forms before 2023. */
  isPlanned: boolean | null;
  /** Day of its last signature. */
  signedDay: number | undefined;
  /** Stable substitute for the number of a document without its submission. */
  contentId: string;
  /** Transactions of shares, then of derivatives. Holdings are left out. */
  transactions: ReportedTransaction[];
}

const TABLES = [
  { table: 'nonDerivativeTable', row: 'nonDerivativeTransaction', isDerivative: false },
  { table: 'derivativeTable', row: 'derivativeTransaction', isDerivative: true },
] as const;

/** @throws {MalformedInputError} it is no well-formed ownership document, or has no form. */
export function parseForm4(text: string): OwnershipReport {
  const document = elementAt(parseXml(text), 'ownershipDocument');
  if (document === undefined) throw new MalformedInputError('it is not an ownership document');
  const form = textOf(elementAt(document, 'documentType'));
  if (!form || !/^[345](\/A)?$/.test(form)) {
    throw new MalformedInputError(`documentType must be 3, 4 or 5, got "${form ?? ''}"`);
  }
  const issuer = elementAt(document, 'issuer');
  const cik = Number(textOf(elementAt(issuer, 'issuerCik')));
  const original = dayOf(textOf(elementAt(document, 'dateOfOriginalSubmission')));
  const signed = elementsOf(document, 'ownerSignature')
    .map((signature) => dayOf(textOf(elementAt(signature, 'signatureDate')))?.day)
    .filter((day) => day !== undefined);
  const plans = planNotes(document);
  const report = {
    form,
    issuerCik: Number.isSafeInteger(cik) && cik > 0 ? cik : undefined,
    tradingSymbol: textOf(elementAt(issuer, 'issuerTradingSymbol')) ?? '',
    ...insiderOf(elementsOf(document, 'reportingOwner').map(ownerOf)),
    amends: form.endsWith('/A') ? (original?.date ?? AMENDS_UNNAMED) : null,
    isPlanned: flagOf(textOf(elementAt(document, 'aff10b5One'))),
    signedDay: signed.length > 0 ? Math.max(...signed) : undefined,
    transactions: TABLES.flatMap(({ table, row, isDerivative }) =>
      elementsOf(document, table).flatMap((rows) =>
        elementsOf(rows, row).map((element) => ({
          isDerivative,
          isNotedPlan: notesOf(element).some((note) => plans.has(note)),
          texts: textsOf(element),
        })),
      ),
    ),
  };
  return { ...report, contentId: contentId(report) };
}

/** Hashes what all versions of the program read, so that a document loaded again has its number. */
function contentId(report: Omit<OwnershipReport, 'contentId'>): string {
  const { isPlanned: _, ...first } = report;
  const transactions = report.transactions.map(({ isDerivative, texts }) => {
    const { securityTitle, acquiredDisposed, directIndirect, ...firstTexts } = texts;
    return { isDerivative, texts: firstTexts };
  });
  const hash = createHash('sha256').update(JSON.stringify({ ...first, transactions }));
  return UNNUMBERED + hash.digest('hex').slice(0, 20);
}

function ownerOf(owner: XmlValue): ReportingOwner {
  const relationship = elementAt(owner, 'reportingOwnerRelationship');
  const isTrue = (name: string) => flagOf(textOf(elementAt(relationship, name))) === true;
  return {
    name: textOf(elementAt(owner, 'reportingOwnerId', 'rptOwnerName')),
    isOfficer: isTrue('isOfficer'),
    isDirector: isTrue('isDirector'),
    isTenPercentOwner: isTrue('isTenPercentOwner'),
    officerTitle: textOf(elementAt(relationship, 'officerTitle')),
    otherText: textOf(elementAt(relationship, 'otherText')),
  };
}

/** Names of footnotes that say of a transaction that a plan made it, as forms before 2023 do. */
function planNotes(document: XmlValue): ReadonlySet<string> {
  const notes = elementsOf(elementAt(document, 'footnotes'), 'footnote').filter((note) =>
    isPlanText(textOf(note) ?? ''),
  );
  return new Set(notes.flatMap(notesIn));
}

function isPlanText(text: string): boolean {
  return /10b5-?1/i.test(text) && !/\bnot\b[^.]*10b5-?1/i.test(text);
}

/** Names of the footnotes to which an element and those within it refer. */
function notesOf(element: XmlValue): string[] {
  if (typeof element !== 'object') return [];
  return Object.entries(element).flatMap(([name, within]) =>
    [within].flat().flatMap(name === 'footnoteId' ? notesIn : notesOf),
  );
}

function notesIn(note: XmlValue): string[] {
  return elementsOf(note, '@id').filter((id) => typeof id === 'string');
}

function flagOf(text: string | undefined): boolean | null {
  return text === undefined || text === '' ? null : /^(1|true)$/i.test(text);
}

function textsOf(transaction: XmlValue): TransactionTexts {
  const value = (...path: string[]) => textOf(elementAt(transaction, ...path, 'value'));
  const date = value('transactionDate');
  return {
    transactionCode: textOf(elementAt(transaction, 'transactionCoding', 'transactionCode')),
    transactionDate: date === undefined ? undefined : (dayOf(date)?.date ?? date),
    shares: value('transactionAmounts', 'transactionShares'),
    price: value('transactionAmounts', 'transactionPricePerShare'),
    totalValue: value('transactionAmounts', 'transactionTotalValue'),
    sharesOwnedAfter: value('postTransactionAmounts', 'sharesOwnedFollowingTransaction'),
    securityTitle: value('securityTitle'),
    acquiredDisposed: value('transactionAmounts', 'transactionAcquiredDisposedCode'),
    directIndirect: value('ownershipNature', 'directOrIndirectOwnership'),
  };
}

/** Reads a date. Older documents write an offset after it: `2009-05-12-05:00`. */
function dayOf(text: string | undefined): { date: string; day: number } | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})?$/.exec(text ?? '')?.[1];
  if (date === undefined) return undefined;
  return validOr(() => ({ date, day: dayFromDate(date) }), undefined);
}
