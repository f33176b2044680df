/** Ownership documents, which are Forms 3, 4 and 5 in the SEC's XML. Pure. */

import { createHash } from 'node:crypto';
import { AMENDS_UNNAMED, UNNUMBERED } from '../../../base/datasets/insider-filing.ts';
import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { elementAt, elementsOf, parseXml, textOf, type XmlValue } from '../shared/parse-xml.ts';
import type { TransactionTexts } from './insider-row.ts';
import { insiderOf, type ReportingOwner } from './reporting-owner.ts';

export interface OwnershipReport {
  /** `3`, `4`, `5`, each also with `/A`. */
  form: string;
  issuerCik: number | undefined;
  /** As the insider wrote it; empty where nothing is. */
  tradingSymbol: string;
  insiderName: string | null;
  title: string | null;
  /** Filing date of what it replaces, or that it does not say; null unless it is an amendment. */
  amends: string | null;
  /** Of its last signature. */
  signedDay: number | undefined;
  /** Stands for the number that a document without its submission lacks: the same each time. */
  contentId: string;
  /** Of shares, then of derivatives; holdings are left out. */
  transactions: { isDerivative: boolean; texts: TransactionTexts }[];
}

const TABLES = [
  { table: 'nonDerivativeTable', row: 'nonDerivativeTransaction', isDerivative: false },
  { table: 'derivativeTable', row: 'derivativeTransaction', isDerivative: true },
] as const;

/** @throws {MalformedInputError} not well-formed, not an ownership document, or of no form. */
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
  const report = {
    form,
    issuerCik: Number.isSafeInteger(cik) && cik > 0 ? cik : undefined,
    tradingSymbol: textOf(elementAt(issuer, 'issuerTradingSymbol')) ?? '',
    ...insiderOf(elementsOf(document, 'reportingOwner').map(ownerOf)),
    amends: form.endsWith('/A') ? (original?.date ?? AMENDS_UNNAMED) : null,
    signedDay: signed.length > 0 ? Math.max(...signed) : undefined,
    transactions: TABLES.flatMap(({ table, row, isDerivative }) =>
      elementsOf(document, table).flatMap((rows) =>
        elementsOf(rows, row).map((element) => ({ isDerivative, texts: textsOf(element) })),
      ),
    ),
  };
  const hash = createHash('sha256').update(JSON.stringify(report)).digest('hex');
  return { ...report, contentId: UNNUMBERED + hash.slice(0, 20) };
}

function ownerOf(owner: XmlValue): ReportingOwner {
  const relationship = elementAt(owner, 'reportingOwnerRelationship');
  const isTrue = (name: string) => /^(1|true)$/i.test(textOf(elementAt(relationship, name)) ?? '');
  return {
    name: textOf(elementAt(owner, 'reportingOwnerId', 'rptOwnerName')),
    isOfficer: isTrue('isOfficer'),
    isDirector: isTrue('isDirector'),
    isTenPercentOwner: isTrue('isTenPercentOwner'),
    officerTitle: textOf(elementAt(relationship, 'officerTitle')),
    otherText: textOf(elementAt(relationship, 'otherText')),
  };
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
  };
}

/** Older documents write an offset behind a date: `2009-05-12-05:00`. */
function dayOf(text: string | undefined): { date: string; day: number } | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})?$/.exec(text ?? '')?.[1];
  if (date === undefined) return undefined;
  try {
    return { date, day: dayFromDate(date) };
  } catch (error) {
    if (error instanceof ParameterError) return undefined;
    throw error;
  }
}
