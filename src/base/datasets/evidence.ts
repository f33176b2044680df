/** Evidence of a statement's figures: the lines of filings that each follows from. */

/** Way in which a figure follows from its lines; null for an unknown figure. */
export type Verdict = 'stated' | 'summed' | 'proved' | 'difference' | null;

/** A line of a filing: its concept, its label if the statement is known, and its amount. */
export type EvidenceLine = readonly [concept: string, label: string | null, value: number | null];

export interface FigureEvidence {
  verdict: Verdict;
  /** Reason why there is no figure. */
  reason?: string;
  /** True if the statement shows no line of it, so that other sources count. */
  isAbsent?: true;
  /** True if it is of another definition than that of the quarter before. */
  isApart?: true;
  /** True if a note may have more of it than the statement shows. */
  isFloor?: true;
  lines?: readonly EvidenceLine[];
  /** Number of the filing, if it is not that of the row. */
  accession?: string;
}

export type Evidence = Readonly<Partial<Record<string, FigureEvidence>>>;

/** Least factor by which a note's total exceeds a line that is only a part of it. */
const PART_FACTOR = 1.05;

/**
 * Returns true if a figure of the statement goes before that of company facts, or of notes.
 * @param told The other figure; null for none.
 */
export function isShownFirst(
  { isAbsent, isFloor }: FigureEvidence,
  shown: number | null,
  told: number | null,
): boolean {
  if (isAbsent) return false;
  // The current part of a debt may stand in a note only.
  return !isFloor || Number(told) <= PART_FACTOR * Number(shown);
}

/** Reads the evidence of a row. */
export function evidenceOf({ evidence }: Readonly<Record<string, unknown>>): Evidence {
  return typeof evidence === 'string' ? (JSON.parse(evidence) as Evidence) : {};
}
