/** Labels by which lines of a statement of cash flows are known, in concepts of the filer too. */

import type { CASH_LINES } from '../concepts/cash-concepts.ts';

export type LineField = keyof typeof CASH_LINES;

const EQUIPMENT =
  /^(?!.*\b(proceeds|sales?|disposals?|accrued|non-?cash|business(es)?|deposits?|intellectual|intangible|financed|rental)\b).*(capital expenditures|(purchases?|acquisitions?|additions?|expenditures?|payments?)\b.*\b(propert(y|ies)|plant|equipment|premises)|improvements? (to|of)\b)/i;

/** Words of the total of capital expenditures: its concept is also used for other assets. */
export const CAPITAL =
  /\b(propert(y|ies)|plants?|equipment|capital|fixed assets?|premises|construction|facilit(y|ies)|long-lived|productive|tangible|real estate)\b/i;

/** Words of what left a company, in a concept of acquisitions. */
export const LEFT = /^(decreases?|disposals?|proceeds|sales?)\b/i;

const DIVIDENDS =
  /^(?!.*\b(non-?controlling|minorit\w+|subsidiar\w+|received|receivable|accrued|declared|reinvest\w*|from)\b).*\b(dividends?|distributions? to (common |limited )?(share|stock|unit)\W?holders)\b/i;

/** Words of borrowings, in what was received or paid for them. */
const LOANS =
  '\\b(debt|notes?|bonds?|debentures?|loans?|borrowings?|credit (facility|facilities|lines?|agreement)|lines? of credit|revolver|mortgages?|commercial paper|indebtedness|(long|short)-term obligations)\\b';
/** Words of a line that is more than repaid leases. */
export const BORROWED = new RegExp(LOANS, 'i');
const NO_LOANS =
  '(?!.*\\b(costs?|fees|premiums?|interest|receivables?|net (change|increase|decrease|borrowings|repayments|proceeds from \\(repay)|\\((repayments?|payments?)|deposits?|leases?|affiliates?|loans? (held|to|sales?|repayments)|lending|securities|trust|stock|shares|discontinued)\\b)';
const DEBT_ISSUED = new RegExp(
  `^${NO_LOANS}(proceeds|borrowings?|issuances?|additions?|drawdowns?)\\b.*${LOANS}`,
  'i',
);
const DEBT_REPAID = new RegExp(
  `^${NO_LOANS}(principal |scheduled |early |voluntary )?(re)?(payments?|demptions?|tirements?|ductions?|purchases?)\\b.*${LOANS}`,
  'i',
);

const SHARES_ISSUED =
  /^(?!.*\b(costs?|expenses?|preferred|subsidiar\w+|net of repurchases?)\b)(net )?(proceeds|cash received)\b.*\b((common|ordinary|capital) (stock|shares)|stock options?|(stock|share) (purchase|option|incentive) plans?|employee stock)\b/i;

const DEPRECIATION =
  /^(total )?depreciation(, (depletion|accretion))*,? (and|&) (accretion|amortization)\b(?!.*\b(debt|financ\w+|discounts?|premiums?)\b)/i;

/** Words of all that is written off over time, and of such lines that are another figure. */
export const WRITTEN_OFF = /\b(depreciation|amorti[sz]ation|depletion)\b/i;
export const OTHER_WRITTEN_OFF =
  /\b(debt|financing|discounts?|premiums?|issuance|deferred|securities|investments?|leases?|stock|share|compensation|benefits?|pension|loans?|bonds?|notes|swaps?|rent|unearned|film|content|program\w*|contracts?|nuclear|restricted|acquisition costs|revenues?)\b/i;

/** Labels of the two lines that many statements have in the place of one. */
export const DEPRECIATED =
  /^(?!.*\b(impairments?|decommissioning|accretion|write-?(offs?|downs?)|timber|tooling|software|regulatory|discontinued|non-?cash)\b)(provision for )?depreciation\b/i;
export const AMORTIZED =
  /^(net )?amorti[sz]ation( expense)?( \(note \w+\))?$|^amorti[sz]ation (of|on) ([\w-]+ ){0,3}intangibles?( assets?)?( and other( assets?)?)?$|^intangible asset amorti[sz]ation$/i;

/** Labels of lines in concepts of the filer. */
export const LINE_LABELS: Partial<Record<LineField, RegExp>> = {
  capitalExpenditure: EQUIPMENT,
  dividendsPaid: DIVIDENDS,
  depreciationAmortization: DEPRECIATION,
  debtIssued: DEBT_ISSUED,
  debtRepaid: DEBT_REPAID,
  shareIssuance: SHARES_ISSUED,
};

/** Words of what is neither received nor paid for a figure, or is both in one line. */
export const NOT_MAYBE =
  /\b((?<!\bnet of .*)(costs?|fees)|gains?|loss(es)?|intellectual|compensation|awards?|non-?controlling|minorit\w+|subsidiar\w+|receivable|premiums?|increase|decrease|change)\b|\bnet\W*(dispositions|(re)?payments?|borrowings?|proceeds|cash)|(?<!^(proceeds|issuances?)\b.*),? net$/i;

/** Words of lines in concepts of the filer that may be a part of a figure, with the sign shown. */
export const MAYBE_LABELS: Partial<Record<LineField, readonly [words: RegExp, sign: 1 | -1]>> = {
  capitalExpenditure: [
    /^(?!.*\b(intellectual|proceeds|sales?|deposits?)\b).*\b(propert(y|ies)|plants?|equipment|real estate|fixed assets|(?<!seed )capital (expenditures|additions|improvements|investments?|spending|outlays)|construction|vessels?|ships?|aircraft|drilling|exploration)\b/i,
    -1,
  ],
  dividendsPaid: [
    /\b(dividends?|distributions?)\b|^(?!.*\b(restricted|employees?|withh\w+|purchased?|redemptions?|redeemed|retired|acqui\w+|sales?|issu\w+|contributions?)\b).*\b(units?|unitholders?|(general|limited) partners?)\b/i,
    -1,
  ],
  depreciationAmortization: [/\b(depreciation|depletion)\b/i, 1],
  debtIssued: [new RegExp(LOANS, 'i'), 1],
  debtRepaid: [new RegExp(LOANS, 'i'), -1],
  shareIssuance: [/\b(stock|shares|options|equity offering)\b/i, 1],
};
