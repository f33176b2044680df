/** Factors that bring stored prices to other bases, as a table to join by symbol and date. */

import type { Table } from '../../api/responses/table.ts';
import type { AdjustmentStep } from '../../compute/bars/adjustment-steps.ts';
import { datedSteps } from '../../screens/run/dated-steps.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { type StoredBars, storedInfo, storedSymbols } from './stored-bars.ts';

/**
 * Returns a row for each symbol with bars of an interval and each day from which other factors
 * apply, ascending. A price times its factor is on that basis, and a volume divided by `splitFactor`;
 * NaN if the basis can't be derived.
 *
 * @param wanted Only these symbols; default: all.
 */
export function adjustmentsTable(
  version: PublishedVersion,
  interval: StoredBars,
  wanted?: readonly string[],
): Table {
  const symbols: string[] = [];
  const days: number[] = [];
  const splitFactors: number[] = [];
  const allFactors: number[] = [];
  for (const symbol of wanted ?? storedSymbols(version, interval)) {
    const info = storedInfo(version, symbol, interval);
    if (!info) continue;
    for (const { day, steps } of datedSteps(version, info, interval, ['split', 'all'])) {
      symbols.push(symbol);
      days.push(day);
      splitFactors.push(factorOf(steps[0]));
      allFactors.push(factorOf(steps[1]));
    }
  }
  return [
    { name: 'symbol', type: 'text', values: symbols },
    { name: 'from', type: 'date', values: Int32Array.from(days) },
    { name: 'splitFactor', type: 'number', values: Float64Array.from(splitFactors) },
    { name: 'allFactor', type: 'number', values: Float64Array.from(allFactors) },
  ];
}

function factorOf(step: AdjustmentStep | undefined): number {
  return step ? (step.ratio.numerator / step.ratio.denominator) * step.factor : Number.NaN;
}
