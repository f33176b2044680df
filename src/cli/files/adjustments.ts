/** Factors that bring stored prices to other bases, as a table to join by symbol and date. */

import type { Table } from '../../api/responses/table.ts';
import type { Basis } from '../../base/bars.ts';
import { dayFromMillis } from '../../base/time/dates.ts';
import { derivableBases } from '../../compute/bars/adjust.ts';
import type { AdjustmentStep } from '../../compute/bars/adjustment-steps.ts';
import { type SourceInterval, storedSteps } from '../../screens/run/bars-on-basis.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import type { SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';
import { storedInfo, storedSymbols } from './stored-bars.ts';

/**
 * Returns a row for each symbol with bars of an interval and each day from which other factors
 * apply, ascending. A price times its factor is on that basis, and a volume divided by `splitFactor`;
 * NaN if the basis can't be derived.
 */
export function adjustmentsTable(version: PublishedVersion, interval: SourceInterval): Table {
  const symbols: string[] = [];
  const days: number[] = [];
  const splitFactors: number[] = [];
  const allFactors: number[] = [];
  for (const symbol of storedSymbols(version, interval)) {
    const info = storedInfo(version, symbol, interval);
    if (!info) continue;
    const split = factorsTo(version, info, interval, 'split');
    const all = factorsTo(version, info, interval, 'all');
    const firstDay = dayFromMillis(Number(info.firstBarUs / 1000n));
    const changes = new Set([firstDay]);
    for (const { fromDay } of [...split.steps, ...all.steps]) {
      if (fromDay > firstDay) changes.add(fromDay);
    }
    for (const day of [...changes].sort((a, b) => a - b)) {
      symbols.push(symbol);
      days.push(day);
      splitFactors.push(split.on(day));
      allFactors.push(all.on(day));
    }
  }
  return [
    { name: 'symbol', type: 'text', values: symbols },
    { name: 'from', type: 'date', values: Int32Array.from(days) },
    { name: 'splitFactor', type: 'number', values: Float64Array.from(splitFactors) },
    { name: 'allFactor', type: 'number', values: Float64Array.from(allFactors) },
  ];
}

function factorsTo(
  version: PublishedVersion,
  info: SymbolInfo,
  interval: SourceInterval,
  basis: Basis,
) {
  if (!derivableBases(info).includes(basis)) return { steps: [], on: () => Number.NaN };
  const steps = storedSteps(version, info, interval, basis);
  const on = (day: number): number => {
    const step = steps.findLast(({ fromDay }) => fromDay <= day);
    return step ? factorOf(step) : 1;
  };
  return { steps, on };
}

function factorOf({ ratio, factor }: AdjustmentStep): number {
  return (ratio.numerator / ratio.denominator) * factor;
}
