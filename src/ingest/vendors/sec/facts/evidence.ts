/** Evidence of figures from company facts, and of statements that replace them. Pure. */

import type { Evidence, FigureEvidence } from '../../../../base/datasets/evidence.ts';
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
  const parts = basis.split(isLess ? LESS : /[,+]/);
  const isStated = parts.length === 1 && basis.includes(':');
  if (isStated) return { verdict: 'stated', lines: [[basis, null, value]] };
  const lines = parts.map((part) => [part, null, amounts[part] ?? null] as const);
  return { verdict: isLess ? 'difference' : 'summed', lines };
}

/** Returns the evidence of an unknown figure, in whose place that of another source counts. */
export function openEvidence(reason: string): FigureEvidence {
  return { verdict: null, reason, isAbsent: true };
}

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
    if (value === null || basis === undefined) continue;
    evidence[field] = basisEvidence(basis, value, amounts);
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
    const isKept = figure.evidence.isAbsent && figures[field] !== null;
    if (isKept) continue;
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
