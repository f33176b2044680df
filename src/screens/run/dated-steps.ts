/** Steps that bring a stored series to several bases, day by day. */

import type { Basis } from '../../base/bars.ts';
import { dayFromMillis } from '../../base/time/dates.ts';
import type { StoredInterval } from '../../base/time/intervals.ts';
import { derivableBases } from '../../compute/bars/adjust.ts';
import type { AdjustmentStep } from '../../compute/bars/adjustment-steps.ts';
import type { BarsSnapshot, SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';
import { storedSteps } from './bars-on-basis.ts';

export interface DatedSteps {
  /** First day, in days since the epoch; the first one is that of the first bar. */
  day: number;
  /** In the order of the bases; undefined if the basis can't be derived. */
  steps: readonly (AdjustmentStep | undefined)[];
}

const NONE: AdjustmentStep = {
  fromDay: Number.NEGATIVE_INFINITY,
  ratio: { numerator: 1, denominator: 1 },
  factor: 1,
};

/** Returns a row for each day from which other steps apply, ascending. */
export function datedSteps(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: StoredInterval,
  bases: readonly Basis[],
): DatedSteps[] {
  const derivable = derivableBases(info);
  const known = bases.map((basis) =>
    derivable.includes(basis) ? storedSteps(snapshot, info, interval, basis) : undefined,
  );
  const firstDay = dayFromMillis(Number(info.firstBarUs / 1000n));
  const days = known.flatMap((steps = []) => steps.map(({ fromDay }) => fromDay));
  const changes = new Set([firstDay, ...days.filter((day) => day > firstDay)]);
  return [...changes]
    .sort((a, b) => a - b)
    .map((day) => ({
      day,
      steps: known.map((steps) => steps && (steps.findLast((one) => one.fromDay <= day) ?? NONE)),
    }));
}
