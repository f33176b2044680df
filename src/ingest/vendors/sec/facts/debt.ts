/**
 * Adds the borrowings of a balance sheet from its lines, in which totals, their parts and amounts
 * of notes stand side by side. Pure.
 */

import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { amountsOf, firstAmount, type Lines } from '../concepts/lines.ts';

type DebtList = keyof typeof DEBT_CONCEPTS;

/** Lists of one place in the balance sheet, totals first. */
const PLACES: readonly (readonly DebtList[])[] = [
  ['allDebt'],
  ['allCurrent'],
  ['currentPortion', 'currentPortionParts'],
  ['shortTerm', 'shortTermParts'],
  ['noncurrent', 'noncurrentParts'],
  ['longTerm'],
  ['undatedParts'],
  ['affiliateParts'],
];

/** Debt of a day, as filings gave it so far. */
export interface KnownDebt {
  lines: Lines;
  amount: number | null;
  /** True if one filing gave both current and noncurrent debt. */
  isWhole: boolean;
}

/**
 * Adds a filing's lines of a day. A later filing that shows fewer of them changes nothing: it may
 * leave out notes, or show the greatest parts only.
 */
export function knownDebt(before: KnownDebt | undefined, newest: Lines): KnownDebt {
  const lines = carriedLines(before?.lines ?? {}, newest);
  const own = totalDebt(newest);
  const isWhole = own !== null && sumsOf(newest).every(({ amount }) => amount !== undefined);
  const isLess = (before?.amount ?? 0) > (own ?? 0);
  if (isWhole && !(isLess && isMissingPlace(before?.lines ?? {}, newest))) {
    return { lines, amount: own, isWhole };
  }
  if (before?.isWhole) return { ...before, lines };
  return { lines, amount: totalDebt(lines) ?? own ?? before?.amount ?? null, isWhole };
}

/** Splits debt by when it is due, if the lines of both sides add up to it. */
export function dueDebt({ lines, amount }: KnownDebt): {
  shortTermDebt: number | null;
  longTermDebt: number | null;
} {
  const [noncurrent, current] = sumsOf(lines);
  const isSplit = amount !== null && (noncurrent.amount ?? 0) + (current.amount ?? 0) === amount;
  return {
    shortTermDebt: (isSplit ? current.amount : undefined) ?? null,
    longTermDebt: (isSplit ? noncurrent.amount : undefined) ?? null,
  };
}

/** Returns borrowings due within a year; zero if none is given. */
export function currentAmount(lines: Lines): number {
  return currentDebt(lines).amount ?? 0;
}

/** Returns the concepts that are given, all of them and those of each side. */
export function dueLines(lines: Lines): Record<'all' | 'noncurrent' | 'current', string[]> {
  const given = (lists: readonly DebtList[]) =>
    lists
      .flatMap<string>((list) => [...DEBT_CONCEPTS[list]])
      .filter((concept) => lines[concept] !== undefined);
  const [, allCurrent, portion, short, noncurrent] = PLACES;
  return {
    all: given(PLACES.flat()),
    noncurrent: given(noncurrent),
    current: given([...allCurrent, ...portion, ...short]),
  };
}

function isMissingPlace(before: Lines, newest: Lines): boolean {
  const shows = (lines: Lines, place: readonly DebtList[]) =>
    place.some((list) => allOf(lines, list).length > 0);
  return PLACES.some((place) => shows(before, place) && !shows(newest, place));
}

/** Adds lines of earlier filings in places that the newest does not show. Totals stay beside parts. */
function carriedLines(before: Lines, newest: Lines): Lines {
  const missing = PLACES.flatMap((lists) => {
    const shown = lists.findIndex((list) => allOf(newest, list).length > 0);
    return shown === -1 ? lists : lists.slice(0, shown);
  });
  const concepts = missing.flatMap<string>((list) => [...DEBT_CONCEPTS[list]]);
  return { ...Object.fromEntries(concepts.map((name) => [name, before[name]])), ...newest };
}

/** Largest gap, as a share, between one amount in thousands and in tenths of a million. */
const ROUNDING_SHARE = 1e-3;

/** Largest gap, as a share, between two names of one line, one of which leaves out small amounts. */
const TWICE_TAGGED_SHARE = 0.01;

/** Largest gap, as a share, between a line and the note about it, which counts without discounts. */
const NOTE_SHARE = 0.05;

/** Least share of a total that its parts cover if they are all given. */
const COVERED_SHARE = 0.9;

/** A sum that is known, or is one of two amounts, or is not known at all. */
interface Sum {
  /** Amount if the parts are inside the total; undefined if no line is given. */
  amount: number | undefined;
  /** Amount of parts that are either inside the total or beside it. */
  unplaced: number;
}

/**
 * Returns short and long borrowings. Finance leases are in it if the company's own line of debt
 * includes them; operating leases are not.
 *
 * @returns null if no borrowing is shown, or if the lines fit more than one sum.
 */
export function totalDebt(lines: Lines): number | null {
  const [noncurrent, current] = sumsOf(lines);
  const dated = datedDebt(lines, noncurrent, current);
  const all = firstOf(lines, 'allDebt');
  const affiliates = addedParts(lines, 'affiliateParts');
  if (dated === undefined) return all ?? (affiliates || null);
  if (dated === null) return all === undefined || affiliates ? null : all;
  if (affiliates) return isNear(all, dated) ? dated : null;
  const isWhole = noncurrent.amount !== undefined && current.amount !== undefined;
  // The total of a note is rounded, or of another definition: the lines go first.
  return all === undefined || isWhole ? dated : dated + beyondNote(all, dated);
}

function sumsOf(lines: Lines): [noncurrent: Sum, current: Sum] {
  return [sumOf(lines, 'noncurrent', 'noncurrentParts'), currentDebt(lines)];
}

/** @returns undefined without a line; null if several sums fit. */
function datedDebt(lines: Lines, noncurrent: Sum, current: Sum): number | null | undefined {
  const longTerm = firstOf(lines, 'longTerm');
  const undated = addedParts(lines, 'undatedParts');
  if (noncurrent.amount !== undefined) {
    const { amount, unplaced } = noncurrent;
    const isOfParts = firstOf(lines, 'noncurrent') === undefined && longTerm === undefined;
    const beside = isOfParts ? besideParts(undated, amount, current) : 0;
    const placed = placedSum(lines, amount, unplaced + beside, current);
    if (placed === null) return null;
    const sum = placed + (current.amount ?? 0);
    return hasPortion(lines) || longTerm === undefined ? sum : sum + beyondNote(longTerm, sum);
  }
  if (longTerm !== undefined) return debtWithPortion(lines, longTerm, undated);
  if (undated !== undefined) return undatedDebt(lines, undated);
  if (current.amount === undefined) return undefined;
  if (current.unplaced > 0) return null;
  // It is, or holds, the portion of a debt of which the rest has no line.
  const isPortion = hasPortion(lines) && current.amount > 0;
  return isPortion ? null : current.amount;
}

/** Returns undated lines, unless they repeat dated ones in a note. */
function besideParts(undated = 0, noncurrent: number, current: Sum): number {
  const isRepeated = [noncurrent, noncurrent + (current.amount ?? 0)].some((sum) =>
    isNear(undated, sum, NOTE_SHARE),
  );
  return isRepeated ? 0 : undated;
}

/** Decides by a total of the notes whether parts are inside a line of debt or beside it. */
function placedSum(lines: Lines, amount: number, unplaced: number, current: Sum): number | null {
  const open = unplaced + current.unplaced;
  if (open === 0) return amount;
  if (open === Number.POSITIVE_INFINITY) return null;
  const portion = firstOf(lines, 'currentPortion') ?? 0;
  // An equal amount is the same line under another name, which proves nothing.
  const totals = [...allOf(lines, 'allDebt'), ...allOf(lines, 'longTerm')].filter(
    (total) => !isNear(total, amount),
  );
  for (const share of [0, ROUNDING_SHARE, NOTE_SHARE]) {
    const proves = (sum: number) =>
      [current.amount ?? 0, portion].some((due) =>
        totals.some((total) => isNear(total, sum + due, share)),
      );
    const isInside = proves(amount);
    if (isInside !== proves(amount + open)) return isInside ? amount : amount + open;
  }
  return null;
}

/** Adds other borrowings to debt that includes its current portion. */
function debtWithPortion(
  lines: Lines,
  longTerm: number,
  undated: number | undefined,
): number | null {
  if (undated && !isNear(longTerm, undated)) return null;
  const portion = portionOf(lines).amount ?? 0;
  const due = currentDebt(lines).amount ?? 0;
  const sum = longTerm + Math.max(0, due - portion);
  // Some tag their noncurrent line with it, beside a line of the current portion.
  const isProven = allOf(lines, 'allDebt').some((all) => isNear(all, sum));
  return portion === 0 || isProven ? sum : null;
}

/** Adds lines that may include their current portion to borrowings that do not. */
function undatedDebt(lines: Lines, undated: number): number | null {
  const portion = portionOf(lines).amount ?? 0;
  const due = currentDebt(lines).amount ?? 0;
  if (portion === 0) return undated + due;
  return isNear(undated, portion) ? due : null;
}

function hasPortion(lines: Lines): boolean {
  return portionOf(lines).amount !== undefined || firstOf(lines, 'allCurrent') !== undefined;
}

/** Returns how much the total of a note is more than lines, if not by a definition of its own. */
function beyondNote(total: number, lines: number): number {
  return total > lines * (1 + NOTE_SHARE) ? total - lines : 0;
}

function currentDebt(lines: Lines): Sum {
  const portion = portionOf(lines);
  const short = sumOf(lines, 'shortTerm', 'shortTermParts');
  const all = firstOf(lines, 'allCurrent');
  const unplaced = portion.unplaced + short.unplaced;
  if (all !== undefined) {
    // A line that is greater cannot be inside: then the total is of other borrowings.
    const beside = [portion.amount, short.amount].filter(
      (amount) => amount !== undefined && amount > all * (1 + TWICE_TAGGED_SHARE),
    );
    return { amount: beside.reduce((sum: number, amount) => sum + amount!, all), unplaced: 0 };
  }
  if (portion.amount === undefined) return short;
  if (short.amount === undefined) return portion;
  if (isNear(short.amount, portion.amount)) return { amount: short.amount, unplaced };
  // A line of short-term debt may hold the current portion and little else.
  const isOpen = isNear(short.amount, portion.amount, TWICE_TAGGED_SHARE);
  return {
    amount: portion.amount + short.amount,
    unplaced: isOpen ? Number.POSITIVE_INFINITY : unplaced,
  };
}

/** Returns the current portion of long-term debt, unless it is the noncurrent line once more. */
function portionOf(lines: Lines): Sum {
  const portion = sumOf(lines, 'currentPortion', 'currentPortionParts');
  const isRepeated = portion.amount && portion.amount === firstOf(lines, 'noncurrent');
  return isRepeated ? { amount: undefined, unplaced: 0 } : portion;
}

/** Adds a total and parts, each line once. */
function sumOf(lines: Lines, totals: DebtList, parts: DebtList): Sum {
  // Debt with leases is the total of debt without them.
  const total = totals === 'noncurrent' ? greatestOf(lines, totals) : firstOf(lines, totals);
  const rest = addedParts(lines, parts);
  if (total === undefined || !rest) return { amount: total ?? rest, unplaced: 0 };
  const greatest = Math.max(...allOf(lines, parts));
  // A part that is greater than a total is none of its parts.
  if (greatest > total * (1 + TWICE_TAGGED_SHARE)) return { amount: total + rest, unplaced: 0 };
  const isCovered = rest >= COVERED_SHARE * total && rest <= total * (1 + TWICE_TAGGED_SHARE);
  const isInside = isCovered || parts === 'shortTermParts';
  return { amount: total, unplaced: isInside ? 0 : rest };
}

/** Adds parts. Equal amounts are one line under two names; a part may be the sum of the others. */
function addedParts(lines: Lines, list: DebtList): number | undefined {
  const amounts: number[] = [];
  for (const amount of allOf(lines, list)) {
    if (amount === 0 || !amounts.some((other) => isNear(other, amount))) amounts.push(amount);
  }
  if (amounts.length === 0) return undefined;
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const greatest = Math.max(...amounts);
  const isTotal = amounts.length > 2 && isNear(greatest, sum - greatest);
  return isTotal ? greatest : sum;
}

function allOf(lines: Lines, list: DebtList): number[] {
  return amountsOf(lines, DEBT_CONCEPTS[list]);
}

function firstOf(lines: Lines, list: DebtList): number | undefined {
  return firstAmount(lines, DEBT_CONCEPTS[list]);
}

function greatestOf(lines: Lines, list: DebtList): number | undefined {
  const amounts = allOf(lines, list);
  return amounts.length > 0 ? Math.max(...amounts) : undefined;
}

function isNear(a: number | undefined, b: number, share = ROUNDING_SHARE): boolean {
  return a !== undefined && Math.abs(a - b) <= share * Math.abs(b);
}
