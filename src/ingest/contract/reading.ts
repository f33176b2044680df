/**
 * The reading of a file: for each question about its bars, the candidates and what speaks for
 * them. Evidence decides; a header is one fact among others.
 */

/** Questions in the order of the report. */
export const ASPECTS = [
  'symbol',
  'interval',
  'basis',
  'dates',
  'zone',
  'stamps',
  'decimals',
  'volume',
  'currency',
] as const;

export type Aspect = (typeof ASPECTS)[number];

export interface Candidate<Value> {
  value: Value;
  /** The value as a phrase of the report: `daily bars`, `split-adjusted`, `New York time`. */
  words: string;
  /** Facts that speak for it, each a clause: `the column "tic" names them`. */
  facts?: readonly string[];
  /** Facts that it cannot explain, each a clause: `its dates are 7 days apart`. */
  contradictions?: readonly string[];
}

export interface Question<Value> {
  aspect: Aspect;
  /** Candidates; the first is the default, where no fact speaks for any of them. */
  candidates: readonly Candidate<Value>[];
  /** Advice that settles it, as an imperative: `say which with --zone`. */
  remedy: string;
}

export interface Answer<Value = unknown> {
  value: Value;
  words: string;
  /** Facts that decided; empty where the default was taken. */
  facts: readonly string[];
}

export type Reading = Partial<Record<Aspect, Answer>>;

/**
 * Settles a question. A candidate with a contradiction is out. Of the others, the only one that
 * facts speak for wins, and the default where no fact speaks.
 * @returns the answer, or the reason of a refusal: the facts, the candidates and the remedy.
 */
export function settle<Value>(question: Question<Value>): Answer<Value> | { reason: string } {
  const { candidates, remedy } = question;
  const possible = candidates.filter(({ contradictions = [] }) => contradictions.length === 0);
  const supported = possible.filter(({ facts = [] }) => facts.length > 0);
  if (supported.length === 1 || (supported.length === 0 && possible.length > 0)) {
    const { value, words, facts = [] } = supported[0] ?? possible[0];
    const others = candidates.filter(({ value: other }) => other !== value);
    return { value, words, facts: facts.length > 0 ? facts : others.flatMap(whyNot) };
  }
  const readings = supported.length > 0 ? supported : candidates;
  return { reason: `it may hold ${readings.map(candidateText).join(' or ')}: ${remedy}` };
}

/** `not daily bars: its dates are 7 days apart`. */
function whyNot<Value>({ words, contradictions = [] }: Candidate<Value>): readonly string[] {
  return contradictions.map((fact) => `not ${words}: ${fact}`);
}

/** `daily bars (its name says so, but its dates are 7 days apart)`. */
function candidateText<Value>({
  words,
  facts = [],
  contradictions = [],
}: Candidate<Value>): string {
  const parts = [facts.join(', '), contradictions.join(', ')].filter(Boolean);
  return parts.length === 0 ? words : `${words} (${parts.join(', but ')})`;
}
