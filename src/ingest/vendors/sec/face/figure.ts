/** Figures of a statement with their evidence. Pure. */

import type { FigureEvidence } from '../../../../base/datasets/evidence.ts';
import type { ShownLine } from './lines.ts';

export interface FaceFigure {
  value: number | null;
  evidence: FigureEvidence;
}

/** Returns a figure that the lines of a statement leave open. */
export function unknown(reason: string): FaceFigure {
  return { value: null, evidence: { verdict: null, reason } };
}

/** Returns a figure of which the statement has no line. */
export function absent(reason: string): FaceFigure {
  return { value: null, evidence: { verdict: null, reason, isAbsent: true } };
}

/** Returns the sum of lines, by the sign that they show. */
export function summed(lines: readonly ShownLine[]): FaceFigure {
  const value = lines.reduce((sum, { shown }) => sum + shown, 0);
  return { value, evidence: evidenceFrom(lines, lines.length === 1 ? 'stated' : 'summed') };
}

/** Returns an amount that arithmetic over the lines gives. */
export function proved(value: number, lines: readonly ShownLine[]): FaceFigure {
  return { value, evidence: evidenceFrom(lines, 'proved') };
}

/** Returns a line as it is tagged. */
export function stated(line: ShownLine, value = line.value): FaceFigure {
  return { value, evidence: evidenceFrom([line], 'stated') };
}

function evidenceFrom(
  lines: readonly ShownLine[],
  verdict: FigureEvidence['verdict'],
): FigureEvidence {
  return {
    verdict,
    lines: lines.map(({ concept, label, shown }) => [concept, label, shown]),
  };
}
