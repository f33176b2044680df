/**
 * Finds the totals of a statement: a line that equals the run of lines before it is their total.
 * Pure.
 */

import type { ShownLine } from './lines.ts';

export interface FaceNode extends ShownLine {
  /** Lines that it is the total of. */
  parts: FaceNode[];
}

const UNITS = [1e6, 1e5, 1e3];

/** Largest difference between a total and its parts by rounding. */
export function roundingOf(lines: readonly ShownLine[]): number {
  const unit = UNITS.find((one) => lines.every(({ value }) => value % one === 0)) ?? 1;
  return 2 * unit;
}

const TOTAL = /\b(total|net|subtotal|less|excluding)\b/i;
const TOTAL_CONCEPT = /^[\w-]+:(Assets|Liabilities|StockholdersEquity|Equity)/;

/**
 * @param isLoose True if a line may be a total whatever its label; otherwise small amounts that
 *   happen to add up would count as one.
 */
export function treesOfLines(lines: readonly ShownLine[], isLoose: boolean): FaceNode[] {
  const rounding = roundingOf(lines);
  const open: FaceNode[] = [];
  for (const line of lines) {
    const isNamed = TOTAL.test(line.label) || TOTAL_CONCEPT.test(line.concept);
    const from = isNamed || isLoose ? runBefore(open, line, isNamed, rounding) : -1;
    const parts = from < 0 ? [] : open.splice(from);
    open.push({ ...line, parts });
  }
  return open;
}

/** Returns the place where the longest run that adds up to the line begins; -1 for none. */
function runBefore(
  open: readonly FaceNode[],
  { shown }: ShownLine,
  isNamed: boolean,
  rounding: number,
): number {
  if (Math.abs(shown) <= rounding) return -1;
  let sum = 0;
  let from = -1;
  for (let i = open.length - 1; i >= 0; i--) {
    sum += open[i].shown;
    // Rounding separates a total from several lines, never from one.
    const isOne = open.length - i === 1;
    const gap = Math.abs(sum - shown);
    if (isOne ? isNamed && gap === 0 : gap <= rounding) from = i;
  }
  return from;
}

/** Yields all lines under some nodes, totals first. */
export function* within(nodes: readonly FaceNode[]): Generator<FaceNode> {
  for (const node of nodes) {
    yield node;
    yield* within(node.parts);
  }
}

/** Returns the number of first lines whose sum is wanted; 0 if there is none. */
export function lengthOfSum(
  lines: readonly ShownLine[],
  isWanted: (sum: number) => boolean,
): number {
  let sum = 0;
  return (
    lines.findIndex(({ shown }) => {
      sum += shown;
      return isWanted(sum);
    }) + 1
  );
}
