/** Bars and values of many symbols in the memory in which programs run. */

import type { BarColumns } from '../../../src/base/bars.ts';
import { compile } from '../../../src/compute/columns/engine.ts';
import {
  get,
  i32,
  moduleOf,
  repeat,
  set,
  V128,
  v128,
} from '../../../src/compute/columns/fused/encoding.ts';
import { COLUMN_BYTES, laneColumn } from '../../../src/compute/columns/layout.ts';
import type { Program } from '../../../src/compute/columns/program.ts';
import type { SymbolColumns, Workspace } from '../../../src/compute/columns/workspace.ts';

/** Columns of symbols. */
export interface PlacedSeries {
  workspace: Workspace;
  symbols: readonly SymbolColumns[];
  lengths: readonly number[];
}

/** Memory that one program after the other takes. */
export class BenchMemory {
  #workspace: Workspace | undefined;

  /** Copies the bars that a program reads. They stay until the next program takes the memory. */
  take(program: Program, series: readonly BarColumns[], hasOutputs: boolean): PlacedSeries {
    const workspace = program.workspace(this.#workspace);
    this.#workspace = workspace;
    const lengths = series.map(({ close }) => close.length);
    const symbols = workspace.symbols(lengths, { hasOutputs });
    for (const [i, { inputs, outputs }] of symbols.entries()) {
      for (const name of program.inputs) inputs[name].set(laneColumn(series[i], name));
      // No page is new when it is timed.
      for (const column of outputs) column.fill(1);
    }
    return { workspace, symbols, lengths };
  }
}

const [FROM, TO, LEFT, VALUE] = [0, 1, 2, 3];

/** Returns a run that copies each symbol's first input into all of its outputs, two rows at a time. */
export function copyRun({ workspace, symbols }: PlacedSeries): () => void {
  const count = symbols[0].outputs.length;
  const move = (local: number) => set(local, i32.add(get(local), i32.of(16)));
  const loop = repeat(
    [
      set(VALUE, v128.load(get(FROM), 0)),
      symbols[0].outputs.map((_, i) => v128.store(get(TO), i * COLUMN_BYTES, get(VALUE))),
      [FROM, TO].map(move),
      set(LEFT, i32.sub(get(LEFT), i32.of(2))),
    ],
    get(LEFT),
  );
  const code = compile(moduleOf(3, [V128], [loop, i32.of(count)]))!;
  const copy = workspace.fusedRun(code);
  const places = symbols.map(({ inputs, outputs }) => {
    const [from] = Object.values(inputs);
    return [from.byteOffset, outputs[0].byteOffset, (from.length + 1) & ~1];
  });
  return () => {
    for (const place of places) copy(...place);
  };
}
