/** Reads the figures of a balance sheet from its lines. Pure. */

import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import { faceDebt } from './debt.ts';
import { faceEquity } from './equity.ts';
import { type FaceFigure, proved, stated, unknown } from './figure.ts';
import { isOwn, nameOf, type ShownLine } from './lines.ts';
import { lengthOfSum, roundingOf } from './tree.ts';

const CASH = /^(total )?cash\b(?!.*\b(restricted|investments?|securities|surrender|flow)\b)/i;

const BARE_CASH = /^(total )?cash and (cash )?equivalents$/i;

type Known = Readonly<Partial<Record<string, number | null>>>;

/**
 * @param lines The balance sheet of one day, in its order.
 * @param known Figures by the rules of company facts.
 */
export function faceBalance(
  lines: readonly ShownLine[],
  known: Known,
): Partial<Record<string, FaceFigure>> {
  const { totalAssets } = known;
  const equity = faceEquity(lines, known.totalEquity ?? null);
  const totalEquity = equity?.value ?? known.totalEquity;
  const totalLiabilities = liabilitiesOf(lines, known, totalEquity ?? null);
  const debt = faceDebt(lines);
  const isPossible =
    debt.value === null || totalLiabilities == null || debt.value <= totalLiabilities;
  return {
    ...(equity && { totalEquity: equity }),
    ...provedSides(lines, { ...known, totalAssets, totalEquity, totalLiabilities }),
    cash: cashOf(lines, known.cash ?? null),
    totalDebt: isPossible ? debt : unknown('the lines of borrowings are more than all liabilities'),
  };
}

/** Marks assets, liabilities and equity as proved if they add up. */
function provedSides(
  lines: readonly ShownLine[],
  known: Known,
): Partial<Record<string, FaceFigure>> {
  const { totalAssets, totalEquity, totalLiabilities } = known;
  if (totalAssets == null || totalEquity == null || totalLiabilities == null) return {};
  const gap = totalAssets - totalLiabilities - totalEquity;
  const temporary = temporaryOf(lines, { gap, totalLiabilities }, known.temporaryEquity ?? null);
  if (!temporary && Math.abs(gap - (known.temporaryEquity ?? 0)) > roundingOf(lines)) return {};
  const lineOf = (value: number) => lines.find((line) => line.value === value);
  const figure = (value: number): FaceFigure => {
    const line = lineOf(value);
    const shown = line ? [[line.concept, line.label, line.shown] as const] : [];
    return { value, evidence: { verdict: 'proved', lines: shown } };
  };
  return {
    ...(temporary && { temporaryEquity: temporary }),
    totalAssets: figure(totalAssets),
    totalLiabilities: figure(totalLiabilities),
    totalEquity: figure(totalEquity),
  };
}

/**
 * Leaves out liabilities of a note, where the balance sheet shows no total of them: assets less
 * equity are all that it shows.
 */
function shownLiabilities(
  lines: readonly ShownLine[],
  { totalLiabilities = null, totalAssets, temporaryEquity }: Known,
  equity: number | null,
): number | null {
  const total = lines.find((line) => isOwn(line) && /^total liabilities$/i.test(line.label));
  if (total) return total.value;
  const isShown = lines.some((line) => line.value === totalLiabilities);
  if (totalLiabilities === null || isShown || totalAssets == null || equity === null) {
    return totalLiabilities;
  }
  return totalAssets - equity - (temporaryEquity ?? 0);
}

const TEMPORARY =
  /\b(redeemable|temporary equity|mezzanine|(possible|subject to) (conversion|redemption|repurchase)|puttable|convertible preferred|preferred (stock|securities) of subsidiar(y|ies))\b/i;

/** Concepts of equity that no rule adds, because they are of minorities inside it, too. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'OtherMinorityInterests',
  'RedeemablePreferredStock',
  'NoncontrollingInterestAmountRepresentedByPreferredStock',
]);

/**
 * Takes the filer's own lines of equity out of liabilities that are the rest of assets.
 * @param equity All of it, as the balance sheet shows it.
 * @returns the known liabilities where the balance sheet shows their total.
 */
function liabilitiesOf(
  lines: readonly ShownLine[],
  known: Known,
  equity: number | null,
): number | null {
  const { totalLiabilities = null, totalAssets, totalEquity, temporaryEquity } = known;
  const isRest =
    totalLiabilities !== null &&
    totalAssets === totalLiabilities + Number(totalEquity) + Number(temporaryEquity ?? 0) &&
    !lines.some((line) => line.value === totalLiabilities);
  const shown = shownLiabilities(lines, known, equity);
  if (!isRest || shown !== totalLiabilities) return shown;
  const redeemable = lines.filter(
    (line) => (isOwn(line) || OF_OTHERS.has(nameOf(line))) && TEMPORARY.test(line.label),
  );
  const rest = totalLiabilities - (Number(equity) - Number(totalEquity));
  return redeemable.reduce((left, { shown }) => left - shown, rest);
}

/** Returns the lines between liabilities and equity, if they are what the two leave of assets. */
function temporaryOf(
  lines: readonly ShownLine[],
  { gap, totalLiabilities }: { gap: number; totalLiabilities: number },
  known: number | null,
): FaceFigure | undefined {
  const rounding = roundingOf(lines);
  if (Math.abs(gap) <= rounding || Math.abs(gap - (known ?? 0)) <= rounding) return undefined;
  const found = lines.filter(
    (line) => TEMPORARY.test(line.label) || /^(TemporaryEquity|Redeemable)/.test(nameOf(line)),
  );
  const sum = found.reduce((all, { shown }) => all + shown, 0);
  const isGap = (amount: number) => Math.abs(amount - gap) <= rounding;
  const behind = lines.slice(lines.findIndex(({ value }) => value === totalLiabilities) + 1);
  const run = behind.slice(0, lengthOfSum(behind, isGap));
  if (run.length > 0 && behind.length < lines.length) return proved(gap, run);
  const counted = isGap(sum) ? found : found.filter(({ shown }) => isGap(shown)).slice(0, 1);
  return counted.length > 0 ? proved(gap, counted) : undefined;
}

/** `Cash, including temporary investments of $25` → `Cash`. */
const withoutAside = (label: string) => label.replace(/\(.*?\)|,? (including|net of)\b.*/gi, '');

/** @param known Cash and cash equivalents of a bank, of which the balance sheet shows a part. */
function cashOf(lines: readonly ShownLine[], known: number | null): FaceFigure | undefined {
  const end = lines.findIndex((line) => nameOf(line) === 'Assets');
  const assets = end < 0 ? lines : lines.slice(0, end);
  const ranked: readonly string[] = [...BALANCE_CONCEPTS.cash, ...BALANCE_CONCEPTS.allCash];
  const concept = ranked.find((name) => assets.some((line) => line.concept === name));
  const isBare = ({ label }: ShownLine) => BARE_CASH.test(withoutAside(label));
  const tagged = assets.find((one) => one.concept === concept);
  const isWhole = tagged && concept === BALANCE_CONCEPTS.cash[0];
  const line =
    (isWhole ? tagged : assets.find(isBare)) ??
    tagged ??
    assets.find((one) => isOwn(one) && CASH.test(withoutAside(one.label)));
  const isOfBanks =
    line?.concept === 'us-gaap:CashAndDueFromBanks' ||
    (line && isOwn(line) && /\bdue from banks\b/i.test(line.label));
  const isPart = isOfBanks && known !== null;
  return line && !isPart ? stated(line) : undefined;
}
