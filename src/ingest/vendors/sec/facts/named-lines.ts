/**
 * Names the lines that speak of a figure where none is known to be all of it: a filing that shows
 * `Depreciation` is not one without a line of depreciation and amortization. Pure.
 */

import type { ShownLine } from '../face/lines.ts';
import { openEvidence, type ToldFigures } from './evidence.ts';

type Words = Readonly<Partial<Record<string, RegExp>>>;

const MINORITIES = /\b(non-?controlling|minority)\b/i;

export const BALANCE_WORDS: Words = {
  receivables: /\breceivables?\b/i,
  inventory: /\binventor(y|ies)\b/i,
  goodwill: /\bgoodwill\b/i,
  intangibleAssets: /\bintangibles?\b/i,
  shortTermInvestments: /\b(short-?term|temporary) investments\b|\bmarketable securities\b/i,
  accountsPayable: /\baccounts payable\b|\btrade payables\b/i,
  retainedEarnings: /\b(retained|accumulated) (earnings|deficit)\b|\bearnings reinvested\b/i,
  leaseLiabilities: /\b(capital|finance|operating) leases?\b|\blease (liabilit|obligation)/i,
  preferredEquity: /\bprefer(red|ence) (stock|shares|units|interests?)\b/i,
  minorityInterest: MINORITIES,
  temporaryEquity: /\b(?<!non)redeemable\b|\bmezzanine\b|\btemporary equity\b/i,
};

export const INCOME_WORDS: Words = {
  researchDevelopment: /\bresearch\b/i,
  sellingGeneralAdministrative: /\b(selling|marketing|administrative)\b/i,
  interestExpense:
    /\binterest (expense|charges|costs?)\b|\bfinance costs?\b|\binterest\b.*\bnet\b/i,
  incomeTax: /^(?!.*\b(before|after|net of|discontinued)\b).*\btax(es)?\b/i,
  minorityIncome: /^(?!.*\b(before|including)\b).*\b(non-?controlling|minority)\b/i,
};

export const CASH_WORDS: Words = {
  depreciationAmortization:
    /\b(depreciation|amortization|depletion)\b(?!.*\b(debt|financing|discounts?|premiums?|issuance|deferred)\b)/i,
  stockCompensation:
    /^(?!.*\b(tax|proceeds|exercises?)\b).*(\b(stock|share|equity|unit)s?[- ](based )?(compensation|awards?|options?)\b|\brestricted (stock|shares|units)\b)/i,
  capitalExpenditure:
    /^(?!.*\b(proceeds|sales?|disposals?|gains?|loss(es)?|impairments?|depreciation|accrued|non-?cash)\b).*\b(capital expenditures|propert(y|ies)|plant|equipment|premises)\b/i,
  dividendsPaid:
    /^(?!.*\b(non-?controlling|minority|received|receivable|accrued|declared|from|equity)\b).*\b(dividends?|distributions)\b/i,
  shareRepurchases:
    /\b(repurchase|purchase|reacqui|redemption|retire)\w*\b.*\b(treasury|common|own|capital) (stock|shares|units)\b|\btreasury (stock|shares)\b/i,
  shareIssuance:
    /^(?!.*\b(tax|preferred|subsidiar\w+)\b).*\b(issuances?|issued|proceeds|exercises?|sales?)\b.*\b(stock|shares|units|options)\b/i,
  debtIssued:
    /^(?!.*\b(sales?|collections?|held for|receivable|costs?)\b).*\b(proceeds|issuances?|borrowings?|additions?|increase)\b.*\b(debt|notes|loans?|borrowings?|credit|bonds|debentures|paper|obligations)\b/i,
  debtRepaid:
    /^(?!.*\b(sales?|collections?|held for|receivable|costs?)\b).*\b(re)?(payments?|retirements?|redemptions?|reductions?|maturit\w+|extinguish\w+)\b.*\b(debt|notes|loans?|borrowings?|credit|bonds|debentures|paper|obligations)\b/i,
  acquisitions:
    /\b(acquisitions?|acquired|purchases?)\b.*\b(business(es)?|compan(y|ies)|subsidiar\w+|net of cash)\b/i,
  interestPaid:
    /^(?!.*\b(non-?controlling|minority)\b).*\bpa(id|yments?)\b.*\binterest\b|\binterest paid\b/i,
  taxesPaid: /\b(paid|payments?|refund\w*)\b.*\btaxes\b|\btaxes (paid|refunded)\b/i,
  changeInCash: /\b(increase|decrease|change)\b.*\bin cash\b/i,
};

const NAMED_MAX = 3;

/** Adds the reasons of unknown figures that have none yet, where lines speak of them. */
export function withNamed<F extends string>(
  told: ToldFigures<F>,
  lines: readonly ShownLine[],
  words: Words,
): ToldFigures<F> {
  const evidence = { ...told.evidence };
  for (const [field, word] of Object.entries(words)) {
    if (told.figures[field as F] !== null || evidence[field]) continue;
    const found = lines.filter(({ label, value }) => value !== 0 && word!.test(label));
    const names = [...new Set(found.map(({ label }) => `"${label}"`))].slice(0, NAMED_MAX);
    if (names.length > 0) evidence[field] = openEvidence(`${names.join(', ')}: ${MAY_BE}`);
  }
  return { ...told, evidence };
}

const MAY_BE = 'no line is known to be all of it and nothing else';
