/** Evidence of figures from company facts, and of statements that replace them. Pure. */

import {
  type Evidence,
  type EvidenceLine,
  type FigureEvidence,
  isShownFirst,
} from '../../../../base/datasets/evidence.ts';
import { decimalSum } from '../../../../base/prices/decimals.ts';
import { COST_CONCEPTS, PROFIT_CONCEPTS, REVENUE_CONCEPTS } from '../concepts/concepts.ts';
import type { Candidate } from '../concepts/sales.ts';
import type { FaceFigure } from '../face/figure.ts';

/** Word between two concepts of which a figure is the difference. */
export const LESS = ' less ';

type Amounts = Readonly<Partial<Record<string, number | null>>>;

/**
 * A basis names concepts, a sum by its word, or a difference.
 * @param amounts Amounts of what a basis names.
 */
export function basisEvidence(basis: string, value: number, amounts: Amounts = {}): FigureEvidence {
  const isLess = basis.includes(LESS);
  const named = basis.split(isLess ? LESS : /[,+]/);
  const parts = isLess ? named : addingUp(named, value, amounts);
  const isStated = parts.length === 1 && parts[0].includes(':');
  if (isStated) return { verdict: 'stated', lines: [[parts[0], null, value]] };
  const lines = parts.map((part) => [part, null, amounts[part] ?? null] as const);
  return { verdict: isLess ? 'difference' : 'summed', lines };
}

/** Lines of the figures whose basis is a word, such as that of a bank's revenue. */
const LINES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  revenue: REVENUE_CONCEPTS,
  costOfRevenue: COST_CONCEPTS,
  netIncome: PROFIT_CONCEPTS,
  minorityIncome: PROFIT_CONCEPTS,
};

/** Most lines that a figure is the sum of. */
const SUMMED_MAX = 4;

/** Returns the fewest concepts of totals and their parts that add up to a figure; all if none do. */
function addingUp(concepts: string[], value: number, amounts: Amounts): string[] {
  if (decimalSum(concepts.map((concept) => amounts[concept] ?? 0)) === value) return concepts;
  const found = linesOfSum(concepts, value, amounts, [1]).map(([concept]) => concept);
  return found.length > 0 ? found : concepts;
}

/** Finds the fewest given lines that a figure is, or is the sum of, each with its sign. */
function linesOfSum(
  concepts: readonly string[],
  value: number,
  amounts: Amounts,
  signsOfTwo = [1, -1],
): EvidenceLine[] {
  const given = concepts.flatMap((concept) =>
    amounts[concept] ? [[concept, null, amounts[concept]] as const] : [],
  );
  let sums: { lines: EvidenceLine[]; next: number }[] = [{ lines: [], next: 0 }];
  for (let count = 1; count <= SUMMED_MAX; count++) {
    sums = sums.flatMap(({ lines, next }) =>
      given.slice(next).flatMap(([concept, , amount], i) => {
        const signs = count <= 2 ? signsOfTwo : [1];
        return signs.map((sign) => {
          const line: EvidenceLine = [concept, null, sign * amount];
          return { lines: [...lines, line], next: next + i + 1 };
        });
      }),
    );
    const isSum = (lines: readonly EvidenceLine[]) =>
      decimalSum(lines.map(([, , amount]) => Number(amount))) === value;
    const found = sums.find(({ lines }) => isSum(lines));
    if (found) return found.lines;
  }
  return [];
}

/** Names the lines of a figure whose basis is a word; undefined if none add up to it. */
function sumEvidence(field: string, value: number, amounts: Amounts): FigureEvidence | undefined {
  const lines = linesOfSum(Object.values(LINES[field] ?? {}).flat(), value, amounts);
  if (lines.length === 0) return undefined;
  return lines.length === 1 ? basisEvidence(lines[0][0], value) : { verdict: 'summed', lines };
}

/** Figures that are revenue less each other. */
export const RESTS = { grossProfit: 'costOfRevenue', costOfRevenue: 'grossProfit' } as const;

/** Names revenue and the figure that it is more than another one. */
export function restEvidence(
  field: keyof typeof RESTS,
  value: number,
  figures: Amounts,
): FigureEvidence | undefined {
  const lines = ['revenue', RESTS[field]].map(
    (name) => [name, null, figures[name] ?? null] as const,
  );
  const [revenue, other] = lines.map(([, , amount]) => amount);
  if (revenue === null || other === null) return undefined;
  return decimalSum([revenue, -other]) === value ? { verdict: 'difference', lines } : undefined;
}

/** Returns the evidence of an unknown figure, in whose place that of another source counts. */
export function openEvidence(reason: string): FigureEvidence {
  return { verdict: null, reason, isAbsent: true };
}

/**
 * Leaves figures open, each with its reason. Those that are unknown stay as they are.
 * @param evidenceFrom Evidence of a reason; default one in whose place another source counts.
 */
export function withOpen<F extends string>(
  told: ToldFigures<F>,
  reasons: Readonly<Partial<Record<F, string | undefined>>>,
  evidenceFrom: (reason: string) => FigureEvidence = openEvidence,
): ToldFigures<F> {
  const open = Object.entries<string | undefined>(reasons).filter(
    ([name, reason]) => reason !== undefined && told.figures[name as F] !== null,
  );
  const each = (made: (reason: string) => unknown) =>
    Object.fromEntries(open.map(([name, reason]) => [name, made(reason!)]));
  return {
    ...told,
    figures: { ...told.figures, ...each(() => null) },
    candidates: { ...told.candidates, ...each(() => []) },
    evidence: { ...told.evidence, ...(each(evidenceFrom) as Evidence) },
  };
}

/** Evidence of a figure that the statement itself leaves unknown: no other source has it. */
export const undecidedEvidence = (reason: string): FigureEvidence => ({ verdict: null, reason });

/** Figures of a period, with what they may also be and what they follow from. */
export interface ToldFigures<F extends string> {
  figures: Record<F, number | null>;
  candidates: Partial<Record<F, readonly Candidate[]>>;
  evidence?: Evidence;
  /** Reasons why figures are unknown though lines of them are given. */
  reasons?: Readonly<Partial<Record<string, string>>>;
}

/** @param concepts Concept of each figure that is the first of a list. */
export function withEvidence<F extends string>(
  told: ToldFigures<F>,
  concepts: Readonly<Partial<Record<string, string>>>,
  amounts: Amounts = {},
): ToldFigures<F> {
  const evidence: Record<string, FigureEvidence> = {};
  for (const [field, value] of Object.entries<number | null>(told.figures)) {
    const basis = told.candidates[field as F]?.[0]?.basis ?? concepts[field];
    const reason = told.reasons?.[field];
    if (value === null && reason !== undefined) evidence[field] = openEvidence(reason);
    if (value === null) continue;
    const isRest = field in RESTS && (basis === undefined || basis.includes(LESS));
    const rest = isRest && restEvidence(field as keyof typeof RESTS, value, told.figures);
    const ofBasis = () =>
      basis !== undefined &&
      ((!basis.includes(':') && sumEvidence(field, value, amounts)) ||
        basisEvidence(basis, value, amounts));
    const found = rest || ofBasis();
    if (found) evidence[field] = found;
  }
  return { ...told, evidence: { ...evidence, ...told.evidence } };
}

/** Basis of amounts that a statement shows. */
const FACE = 'face';

/** Replaces figures by those that the statement shows, or leaves open. */
export function withFace<F extends string>(
  told: ToldFigures<F>,
  face: Partial<Record<string, FaceFigure>>,
): ToldFigures<F> {
  const figures: Record<string, number | null> = { ...told.figures };
  const candidates: Record<string, readonly Candidate[] | undefined> = { ...told.candidates };
  const evidence: Record<string, FigureEvidence> = { ...(told.evidence as object) };
  for (const [field, figure] of Object.entries(face)) {
    if (!figure) continue;
    const { value } = figure;
    const told = figures[field] ?? null;
    if (told !== null && !isShownFirst(figure.evidence, value, told)) continue;
    evidence[field] = figure.evidence;
    if (figures[field] === value) continue;
    figures[field] = value;
    candidates[field] =
      value === null ? [] : [{ basis: FACE, value }, ...(candidates[field] ?? [])];
  }
  return {
    ...told,
    figures: figures as Record<F, number | null>,
    candidates: candidates as never,
    evidence,
  };
}
