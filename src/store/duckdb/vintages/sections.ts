/**
 * Sections of the common bars of a vintage and the served series, each with a factor of its own.
 * Pure.
 *
 * Daily files that go on without a common day let a split or dividend pass. A later file that
 * reaches back over it has other factors before it than after it. The older bars lie beside the
 * first section, so its factor is theirs.
 */

import { type ComparedBars, jumpAt, levelOf, type Run, runsOf } from './agreement.ts';

/** Largest step that counts as a dividend. Moves of a day hide whether it smooths the prices. */
const DIVIDEND_MAX = Math.log(1.03);

/** Most steps: a dividend a month. */
const STEP_SHARE_MAX = 0.1;

/**
 * Returns the sections, in order of time.
 *
 * @returns undefined if there is one section only, or if a step makes the prices less smooth and is
 *   no dividend.
 */
export function sectionsOf(bars: ComparedBars, noise: number): Run[] | undefined {
  const count = bars.timestampUs.length;
  const ratios = bars.timestampUs.map((_, row) =>
    Math.log(bars.newer[3][row] / bars.older[3][row]),
  );
  const runs = withoutCorrections(runsOf(ratios, bars.slack, noise));
  if (runs.length < 2 || runs.length - 1 > Math.max(1, count * STEP_SHARE_MAX)) return undefined;
  const isMended = runs.slice(1).every((run, i) => {
    const step = levelOf(run) - levelOf(runs[i]);
    if (step > 0 && step <= DIVIDEND_MAX) return true;
    return jumpAt(bars.newer, run.start) < jumpAt(bars.older, run.start);
  });
  return isMended ? runs : undefined;
}

/** Joins two runs of one level around a shorter one, whose bars are corrected. */
function withoutCorrections(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const [before, between] = joined.slice(-2);
    const isSame = joined.length > 1 && run.low <= before.high && run.high >= before.low;
    const length = between ? between.end - between.start : 0;
    if (isSame && length < Math.max(before.end - before.start, run.end - run.start)) {
      joined.pop();
      before.end = run.end;
      before.low = Math.max(before.low, run.low);
      before.high = Math.min(before.high, run.high);
    } else joined.push({ ...run });
  }
  return joined;
}
