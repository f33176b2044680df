/** Reads the figures of a balance sheet from its lines. Pure. */

import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import { faceDebt } from './debt.ts';
import { faceEquity } from './equity.ts';
import { type FaceFigure, stated, unknown } from './figure.ts';
import { isOwn, nameOf, type ShownLine } from './lines.ts';
import { roundingOf } from './tree.ts';

const CASH = /^(total )?cash\b(?!.*\b(restricted|investments?|securities|surrender|flow)\b)/i;

const BARE_CASH = /^cash and (cash )?equivalents$/i;

type Known = Readonly<Partial<Record<string, number | null>>>;

/**
 * @param lines The balance sheet of one day, in its order.
 * @param known Figures by the rules of company facts.
 */
export function faceBalance(
  lines: readonly ShownLine[],
  known: Known,
): Partial<Record<string, FaceFigure>> {
  const { totalAssets, totalLiabilities } = known;
  const equity = faceEquity(lines, known.totalEquity ?? null);
  const totalEquity = equity?.value ?? known.totalEquity;
  const debt = faceDebt(lines);
  const isPossible =
    debt.value === null || totalLiabilities == null || debt.value <= totalLiabilities;
  return {
    ...(equity && { totalEquity: equity }),
    ...provedSides(lines, { totalAssets, totalEquity, totalLiabilities }),
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
  if (Math.abs(gap) > roundingOf(lines)) return {};
  const lineOf = (value: number) => lines.find((line) => line.value === value);
  const figure = (value: number): FaceFigure => {
    const line = lineOf(value);
    const shown = line ? [[line.concept, line.label, line.shown] as const] : [];
    return { value, evidence: { verdict: 'proved', lines: shown } };
  };
  return {
    totalAssets: figure(totalAssets),
    totalLiabilities: figure(totalLiabilities),
    totalEquity: figure(totalEquity),
  };
}

/** `Cash, including temporary investments of $25` → `Cash`. */
const withoutAside = (label: string) => label.replace(/\(.*?\)|,? (including|net of)\b.*/gi, '');

/** @param known Cash and cash equivalents of a bank, of which the balance sheet shows a part. */
function cashOf(lines: readonly ShownLine[], known: number | null): FaceFigure | undefined {
  const end = lines.findIndex((line) => nameOf(line) === 'Assets');
  const assets = end < 0 ? lines : lines.slice(0, end);
  const ranked: readonly string[] = [...BALANCE_CONCEPTS.cash, ...BALANCE_CONCEPTS.allCash];
  const concept = ranked.find((name) => assets.some((line) => line.concept === name));
  const line =
    assets.find((one) => one.concept === concept) ??
    assets.find(
      (one) => (isOwn(one) || BARE_CASH.test(one.label)) && CASH.test(withoutAside(one.label)),
    );
  const isPart = line?.concept === 'us-gaap:CashAndDueFromBanks' && known !== null;
  return line && !isPart ? stated(line) : undefined;
}
