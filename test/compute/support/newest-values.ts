/** Computes the columns of a screen's plan for some securities, and gives their newest rows. */

import type { ScreenFieldName } from '../../../src/base/fields.ts';
import type { SymbolValues } from '../../../src/base/symbol-expression.ts';
import { LANES } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import type { ScreenPlan } from '../../../src/screens/plan/screen-plan.ts';
import type { Security } from './interpret-screen.ts';

export function newestValues(plan: ScreenPlan, securities: readonly Security[]): SymbolValues {
  const bars = plan.bars.map(({ interval, columns }) => {
    const newest = columns.map(() => new Float64Array(securities.length).fill(Number.NaN));
    const program = new Program(columns);
    for (let first = 0; first < securities.length; first += LANES) {
      const lanes = securities.slice(first, first + LANES).map((security) => security[interval]);
      const longest = Math.max(...lanes.map(({ close }) => close.length));
      const out = lanes.map(({ close }) => columns.map(() => new Float64Array(close.length)));
      program.run(lanes, longest, out);
      for (const [lane, values] of out.entries()) {
        for (const [place, column] of values.entries()) {
          newest[place][first + lane] = column.at(-1) ?? Number.NaN;
        }
      }
    }
    return newest;
  });
  return {
    count: securities.length,
    bars,
    number: (name: ScreenFieldName) =>
      Float64Array.from(securities, ({ numbers }) => numbers[name] ?? Number.NaN),
    text: (name: ScreenFieldName) => securities.map(({ texts }) => texts[name] ?? null),
  };
}
