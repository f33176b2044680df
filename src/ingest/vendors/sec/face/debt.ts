/**
 * Adds the borrowings that a balance sheet shows. Where its liabilities add up, each of its lines
 * counts once, and no part is added to its total. Pure.
 */

import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { absent, type FaceFigure, summed, unknown } from './figure.ts';
import { isOwn, nameOf, type ShownLine } from './lines.ts';
import { type FaceNode, roundingOf, treesOfLines, within } from './tree.ts';

const KNOWN = new Set<string>(Object.values(DEBT_CONCEPTS).flat());

const ASSETS = /^Assets$/;
const ALL = /^(LiabilitiesAndStockholdersEquity|EquityAndLiabilities)$/;
const LIABILITIES = /^Liabilities$/;
const CURRENT = /^LiabilitiesCurrent$/;

const EQUITY =
  /^(CommonStock|CommonUnit|CommonShares|PreferredStock|PreferredUnits|AdditionalPaidIn|AdditionalCapital|RetainedEarnings|AccumulatedOther|AccumulatedDeficit|AccumulatedDistributions|TreasuryStock|TreasuryShares|StockholdersEquity|MinorityInterest|Noncontrolling|PartnersCapital|MembersEquity|MembersCapital|LimitedPartners|GeneralPartners|UnearnedESOP|UnearnedCompensation|DeferredCompensationEquity|DeferredCompensationShare|Redeemable|TemporaryEquity|WarrantsAndRights|IssuedCapital|SharePremium|Equity|OtherReserves|OtherAdditionalCapital|DevelopmentStage|Undistributed|OtherEquity|OtherStockholders|ReceivableFrom|StockholdersNote|CapitalUnits|SharesHeldInEmployee|CommonStocksIncluding|AccumulatedGain|CapitalSurplus)/;

const EQUITY_LABEL =
  /common (stock|shares|units)|ordinary shares|preferred|paid-in|surplus|retained (earnings|deficit)|accumulated|treasury|equity|minority|non-?controlling|deficit|redeemable|reserve fund|share capital/i;

const BORROWED =
  /\b(debt|borrowings?|borrowed funds|loans?|notes?( and bonds?)? payable|bonds?|debentures?|(senior|convertible|exchangeable|subordinated|surplus|secured|unsecured|guaranteed|asset-backed|promissory|term|medium[- ]term) notes?|notes?,? \(?(net|due|issued)\b|(20\d\d|%)( [a-z]+)? notes?|subordinated (liabilities|capital)|indebtedness|credit (facility|facilities|line|agreement)|lines? of credit|revolv(er|ing)|mortgages?|commercial paper|federal home loan bank|fhlb|trust preferred|capital securities|current (maturities|installments))\b/i;

/** Words of lines that are no borrowings, whatever else they say. */
const OTHER =
  /\b(deferred|interest payable|accrued interest|receivables?|deposits?|lease|leases|derivatives?|warrants?|repurchase|federal funds|allowance|tax(es)?|servicing|debt service|held for sale|discontinued|participations?|unfunded|commitments?|guarantees?|reserves? for|loss reserves?|insurance|policy loans?|issuable|premium on|discount|sold,? (but )?not yet purchased|trading|investments? in|loans to|capitali[sz]ation|equity|pensions?|swaps?|escrow|fees|embedded|conversion (option|feature|right)s?|surety|interest (on|rate))\b/i;

/** Words of lines that hold borrowings beside others. */
const MIXED = /\b(accounts payable|accrued|(and|other)( [\w-]+)? liabilities)\b/i;

/** Label of a total of all borrowings, or of those of a term. */
const ALL_BORROWED =
  /^total (long-term |short-term |current )?(debt|borrowings|indebtedness|notes payable)\b(?!.*\b(and|other)\b)/i;

/** Words of lines that some companies call their debt, and others something else. */
const MAYBE_BORROWED =
  /^(?!other\b.*\bobligations).*\b((long-term|funding|financing) obligations|financing arrangements?|secured financings?|notes?(?!.*\b(accounts|payables)))\b/i;

/** Label of a note or loan that receivables secure. */
const PAYABLE = /^(short|long)?\W?(term )?(notes?|loans?) payable\b/i;

/** Words of what is owed to suppliers, notes included. */
const TRADE = /(?<!non-?)\btrade\b/i;

/** Label of notes to suppliers, which stands before that of other payables. */
const BARE_NOTES = /^notes\b[^a-z]*(\(.*\))?$/i;

/** Words of what leases stand beside in one line. */
const PRINCIPAL = /\b(debt|notes?|borrowings?|loans?|bonds?)\b/i;

/**
 * Reads borrowings from the lines of a balance sheet.
 * @param lines The whole balance sheet, in its order.
 */
export function faceDebt(lines: readonly ShownLine[]): FaceFigure {
  const owed = liabilityNodes(lines);
  if (!owed) return unknown('the lines of its liabilities do not add up to their total');
  const found: FaceNode[] = [];
  const mixed: FaceNode[] = [];
  const walk = (node: FaceNode): void => {
    const kind = kindOf(node);
    if (kind === 'debt' && !holdsSoldSecurities(node)) found.push(node);
    else if (kind === 'trade') return;
    else if (node.parts.length > 0) node.parts.forEach(walk);
    else if (kind === 'mixed') mixed.push(node);
  };
  owed.forEach(walk);
  const [unclear] = mixed;
  if (unclear) return unknown(`"${unclear.label}" ${isPayable(unclear.label) ? AS_PAYABLE : MORE}`);
  if (found.length === 0) return absent('the balance sheet shows no line of borrowings');
  const figure = summed(found);
  return isFloor(lines, found)
    ? { ...figure, evidence: { ...figure.evidence, isFloor: true } }
    : figure;
}

const MORE = 'holds borrowings beside other liabilities';
const AS_PAYABLE = 'is tagged as borrowings, and its label names payables';

/** Returns true if current liabilities are shown, and no borrowing among them. */
function isFloor(lines: readonly ShownLine[], found: readonly ShownLine[]): boolean {
  const current = lines.findIndex((line) => CURRENT.test(nameOf(line)));
  const isBefore = ({ concept }: ShownLine) =>
    lines.findIndex((line) => line.concept === concept) < current;
  return current >= 0 && !found.some(isBefore);
}

const SOLD_SECURITIES = /repurchase|federal funds/i;

/** Returns true for a total of borrowed funds with those that are no borrowings. */
function holdsSoldSecurities({ parts }: FaceNode): boolean {
  return [...within(parts)].some(({ label }) => SOLD_SECURITIES.test(label));
}

/** Returns true for payables of which the label does not say that they were borrowed. */
const isPayable = (label: string) => /\bpayables\b/i.test(label) && !BORROWED.test(label);

function kindOf(line: FaceNode): 'debt' | 'mixed' | 'trade' | undefined {
  const { label, concept } = line;
  if (isEquity(line)) return undefined;
  if (TRADE.test(label) || (BARE_NOTES.test(label) && concept.endsWith('PayableCurrent'))) {
    return 'trade';
  }
  if (/\blease/i.test(label) && !PRINCIPAL.test(label)) return undefined;
  if (KNOWN.has(concept)) {
    const isOther = MIXED.test(label) || SOLD_SECURITIES.test(label) || isPayable(label);
    return isOther ? 'mixed' : 'debt';
  }
  // Parts of a total say more about it than its words, but for those of what is borrowed in all.
  const name = spaced(nameOf(line));
  const own = isOwn(line) && !/excluding/i.test(name) ? name : '';
  const said = [label, own].map(withoutDeductions).join(' ').trim();
  if (line.parts.length > 0) return isOwn(line) && ALL_BORROWED.test(label) ? 'debt' : undefined;
  if (!BORROWED.test(said)) {
    const isNamed = isOwn(line) || MAYBE_BORROWED.test(name);
    const isOpen = isNamed && MAYBE_BORROWED.test(withoutNote(label)) && !OTHER.test(label);
    return isOpen ? 'mixed' : undefined;
  }
  // The name of a standard concept defines the line: short positions in bonds, returned collateral.
  if (!isOwn(line) && OTHER.test(name)) return undefined;
  // The label says more than the concept's name. Leases stand beside debt in one line.
  const shown = BORROWED.test(label) ? withoutDeductions(label) : said;
  const beside = PAYABLE.test(label) ? /\b(leases?|receivables?)\b/gi : /\bleases?\b/gi;
  const others = PRINCIPAL.test(label) ? shown.replace(beside, '') : shown;
  if (OTHER.test(others)) return undefined;
  return MIXED.test(said) ? 'mixed' : 'debt';
}

/** `Customer collateral (Note 5)` → `Customer collateral`. */
const withoutNote = (text: string) => text.replace(/\(notes? [^)]*\)/gi, '');

/** `Term loan, net of deferred costs` → `Term loan`. */
const withoutDeductions = (text: string) =>
  text.replace(/(\w)\W+(net of|less|insurance premium)\b.*/i, '$1');

/** `LongTermDebt` → `Long Term Debt`. */
const spaced = (name: string) => name.replace(/([a-z])(?=[A-Z])/g, '$1 ');

/** @returns undefined if the lines of the liabilities do not add up to them. */
function liabilityNodes(lines: readonly ShownLine[]): FaceNode[] | undefined {
  const first = lines.findIndex((line) => ASSETS.test(nameOf(line)));
  const assets = lines[first]?.shown;
  const last = lines.findIndex(
    (line, i) => i > first && (ALL.test(nameOf(line)) || line.shown === assets),
  );
  if (first < 0 || last < 0) return undefined;
  const side = lines.slice(first + 1, last);
  const all = lines[last].shown;
  const inEquity = side.map(isEquity);
  // Preferred shares that are due stand among current liabilities.
  const currentAt = side.findIndex((line) => CURRENT.test(nameOf(line)));
  const isDue = currentAt > 0 && addedUp(side.slice(0, currentAt), side[currentAt].shown);
  if (isDue) inEquity.fill(false, 0, currentAt);
  const totalAt = side.findIndex((line) => LIABILITIES.test(nameOf(line)));
  const above = totalAt > 0 ? addedUp(side.slice(0, totalAt), side[totalAt].shown) : undefined;
  if (above) return above;
  const owed = side.filter(
    (line, i) => i !== totalAt && !inEquity[i] && !isAmongEquity(line, i, inEquity),
  );
  const equity = equityOf(side);
  const total = side[totalAt]?.shown ?? (equity === undefined ? undefined : all - equity);
  return addedUp(owed, total) ?? addedUp(side, all) ?? addedUpFirst(owed, total);
}

/** Folds the lines before those that the filer's own equity begins with. */
function addedUpFirst(
  lines: readonly ShownLine[],
  total: number | undefined,
): FaceNode[] | undefined {
  const end = lines.findLastIndex((line) => !isOwn(line)) + 1;
  return end < lines.length ? addedUp(lines.slice(0, end), total) : undefined;
}

/** Folds lines; undefined if they do not add up to a total. */
function addedUp(lines: readonly ShownLine[], total: number | undefined): FaceNode[] | undefined {
  if (total === undefined || lines.length === 0) return undefined;
  const rounding = roundingOf(lines);
  // Some put totals before their parts.
  return [lines, lines.toReversed()]
    .flatMap((order) => [false, true].map((isLoose) => treesOfLines(order, isLoose)))
    .find((nodes) => Math.abs(nodes.reduce((sum, { shown }) => sum + shown, -total)) <= rounding);
}

/** Returns true for a filer's own line between lines of equity. */
function isAmongEquity(line: ShownLine, i: number, inEquity: readonly boolean[]): boolean {
  return isOwn(line) && inEquity[i - 1] && inEquity.includes(true, i);
}

function isEquity(line: ShownLine): boolean {
  const isNamed = EQUITY.test(nameOf(line));
  if (isOwn(line)) return isNamed || (EQUITY_LABEL.test(line.label) && !BORROWED.test(line.label));
  return EQUITY.test(nameOf(line)) || /^Capitalization/.test(nameOf(line));
}

const WHOLE = /^(StockholdersEquityIncludingPortion|Equity$)/;
const PARENT = /^(StockholdersEquity|PartnersCapital|MembersEquity)$/;
const BESIDE = /^(MinorityInterest|NoncontrollingInterests?)$/;
const TEMPORARY = /^(TemporaryEquity|Redeemable)/;

/** Returns all that is no liability. */
function equityOf(side: readonly ShownLine[]): number | undefined {
  const first = (pattern: RegExp) => side.find((line) => pattern.test(nameOf(line)))?.shown;
  const parent = first(PARENT);
  const own = first(WHOLE) ?? (parent === undefined ? undefined : parent + (first(BESIDE) ?? 0));
  if (own === undefined) return undefined;
  return own + (first(TEMPORARY) ?? 0);
}
