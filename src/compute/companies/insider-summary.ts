import type { RowOf } from '../../base/datasets/dataset.ts';
import type { insider } from '../../base/datasets/filings.ts';
import { filingDay } from '../../base/datasets/insider-filing.ts';
import { decimalSum } from '../../base/prices/decimals.ts';

export type InsiderRow = RowOf<typeof insider>;

/** Buys less sells; 0 if there were none, null if a transaction lacks its number or price. */
export interface InsiderSummary {
  netShares30d: number | null;
  netValue30d: number | null;
  netShares90d: number | null;
  netValue90d: number | null;
  buyCount90d: number;
  sellCount90d: number;
  mostRecentTransaction: InsiderRow | null;
}

/**
 * Sums buys and sells (codes P and S) of common shares by the day of their filing. Options, notes
 * and preferred shares are left out. Owners that hold shares through each other report one sale
 * each; it counts once.
 *
 * @param rows One symbol's, without those that an amendment replaced, in any order.
 * @param day The latest trading day, the last of the 30 days. Later filings count from the next
 *   trading day on.
 * @param adsRatio Ordinary shares for which a receipt stands, NaN where that is unknown; undefined
 *   for others. Transactions of ordinary shares count as receipts.
 */
export function insiderSummary(
  rows: readonly InsiderRow[],
  day: number,
  adsRatio?: number,
): InsiderSummary {
  const summary: InsiderSummary = {
    netShares30d: 0,
    netValue30d: 0,
    netShares90d: 0,
    netValue90d: 0,
    buyCount90d: 0,
    sellCount90d: 0,
    mostRecentTransaction: null,
  };
  const ratio = isOfClasses(rows, day) ? Number.NaN : ratioOfSum(rows, day, adsRatio);
  const repeated = repeatedRows(rows);
  for (const row of rows) {
    const newest = summary.mostRecentTransaction;
    if (!newest || comesBefore(row, newest)) summary.mostRecentTransaction = row;
    if (!isCounted(row, day) || repeated.has(row)) continue;
    const age = day - filingDay(row.filedAt);
    const isBuy = row.transactionType === 'buy';
    const net = (sum: number | null, amount: number | null) =>
      sum === null || amount === null ? null : decimalSum([sum, isBuy ? amount : -amount]);
    const [shares, value] = amountsOf(row, ratio);
    summary.netShares90d = net(summary.netShares90d, shares);
    summary.netValue90d = net(summary.netValue90d, value);
    if (isBuy) summary.buyCount90d++;
    else summary.sellCount90d++;
    if (age >= 30) continue;
    summary.netShares30d = net(summary.netShares30d, shares);
    summary.netValue30d = net(summary.netValue30d, value);
  }
  return summary;
}

/** Returns true for a purchase or sale of common shares within 90 days. */
function isCounted(row: InsiderRow, day: number): boolean {
  const { transactionType, isDerivative, filedAt } = row;
  const age = day - filingDay(filedAt);
  const isTraded = transactionType === 'buy' || transactionType === 'sell';
  return isTraded && isDerivative !== 'true' && isCommon(row) && age >= 0 && age < 90;
}

const isTitledReceipt = ({ securityTitle }: InsiderRow) =>
  /deposit[ao]ry|\bAD[SR]s?\b/i.test(securityTitle ?? '');

/**
 * Returns the ratio by which a sum counts ordinary shares: that of the receipt, or NaN where no
 * source says that the ticker is one, but transactions name receipts beside other shares.
 */
export function ratioOfSum(
  rows: readonly InsiderRow[],
  day: number,
  adsRatio: number | undefined,
): number | undefined {
  if (adsRatio !== undefined) return adsRatio;
  const titles = new Set(rows.filter((row) => isCounted(row, day)).map(isTitledReceipt));
  return titles.size > 1 ? Number.NaN : undefined;
}

const CLASS = /\b(?:class|series) ([a-z])\b/i;

/** Returns true if transactions name several classes of stock, of which the ticker names none. */
export function isOfClasses(rows: readonly InsiderRow[], day: number): boolean {
  const titled = rows.flatMap((row) => {
    const [, letter] = CLASS.exec(row.securityTitle ?? '') ?? [];
    return letter && isCounted(row, day) ? [letter.toUpperCase()] : [];
  });
  return new Set(titled).size > 1;
}

/** Returns the shares and the money of a transaction; null if a receipt's ratio would be needed. */
function amountsOf(
  row: InsiderRow,
  adsRatio: number | undefined,
): [shares: number | null, value: number | null] {
  const { shares, totalValue } = row;
  if (adsRatio === undefined || isTitledReceipt(row)) return [shares, totalValue];
  if (!(adsRatio > 0)) return [null, null];
  return [shares === null ? null : shares / adsRatio, totalValue];
}

/** Words in titles of securities that are no common shares. */
const NOT_COMMON =
  /preferred|preference|\bnotes?\b|debenture|\bbonds?\b|warrant|\bright|option|convertible|phantom|restricted (stock |share )?unit|\brsus?\b|swap|\bfutures?\b|\bdue 20\d\d|\d ?%|capital securit|\bdebt\b|\bloans?\b|commercial paper|mortgage|\bcertificates?\b|appreciation|deferred|performance (shares?|stock|units?)|\b(ltip|op|profits) (interests?|units?)|(partnership|membership) (interests?|units?)/i;

/** Words behind the title of common shares: rights that go with each, and that units are interests. */
const ATTACHED =
  /[\s,(]+(with|and|including|together with) (the )?(associated|attached|accompanying|related)\b.*\brights?\b.*|\brepresent(s|ing)\b.*\bpartner(ship)? interests?.*/i;

/** Returns true for the shares of the ticker. A row without a title, of an older load, counts. */
function isCommon({ symbol, securityTitle }: InsiderRow): boolean {
  if (securityTitle === null || securityTitle === undefined) return true;
  if (NOT_COMMON.test(securityTitle.replace(ATTACHED, ''))) return false;
  const own = /\.([A-Z])$/.exec(symbol)?.[1];
  const titled = CLASS.exec(securityTitle)?.[1].toUpperCase();
  return own === undefined || titled === undefined || own === titled;
}

/** Days within which a chain of owners reports one transaction. */
const CHAIN_DAYS = 5;

/** Finds indirect transactions that an earlier row of another filing has too. */
function repeatedRows(rows: readonly InsiderRow[]): Set<InsiderRow> {
  const repeated = new Set<InsiderRow>();
  const first = new Map<string, InsiderRow>();
  // Direct holders first: a person's own sale is a transaction of its own.
  const isIndirect = ({ ownership }: InsiderRow) => ownership === 'indirect';
  const sorted = rows.toSorted((a, b) => Number(isIndirect(a)) - Number(isIndirect(b)));
  for (const row of sorted) {
    const { transactionDate, transactionCode, securityTitle, shares, price } = row;
    const key = JSON.stringify([
      transactionDate,
      transactionCode,
      securityTitle,
      shares,
      price,
      row.sharesOwnedAfter,
    ]);
    const known = first.get(key);
    if (!known) first.set(key, row);
    else if (isIndirect(row) && isChained(row, known)) repeated.add(row);
  }
  return repeated;
}

function isChained(a: InsiderRow, b: InsiderRow): boolean {
  const apart = Math.abs(filingDay(a.filedAt) - filingDay(b.filedAt));
  return a.accession !== b.accession && a.insiderName !== b.insiderName && apart <= CHAIN_DAYS;
}

function comesBefore(a: InsiderRow, b: InsiderRow): boolean {
  if (a.filedAt !== b.filedAt) return a.filedAt > b.filedAt;
  if (a.accession !== b.accession) return a.accession > b.accession;
  return a.line < b.line;
}
