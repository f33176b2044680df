/** The module that runs programs, one to a thread, and its memory. Built from `wasm/` by `npm run wasm`. */

import { readFileSync } from 'node:fs';

/** The used parts of WebAssembly, which the types of Node.js leave out. */
declare const WebAssembly: {
  Memory: new (descriptor: {
    initial: number;
  }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (source: Uint8Array) => object;
  Instance: new <Run>(
    module: object,
    imports: object,
  ) => { exports: { run: Run; readWhole: object } };
};

/** Parameters as in `wasm/index.ts`. */
type Run = (
  program: number,
  count: number,
  ports: number,
  inputs: number,
  outputs: number,
  state: number,
  lanes: number,
  used: number,
  row: number,
  from: number,
  to: number,
  fromRow: number,
) => void;

const PAGE_BYTES = 65_536;

const memory = new WebAssembly.Memory({ initial: 16 });
const source = readFileSync(new URL('./wasm/engine.wasm', import.meta.url));
const instance = new WebAssembly.Instance<Run>(new WebAssembly.Module(source), { env: { memory } });

export const runProgram = instance.exports.run;

/** The function of fused code. */
export type FusedRun = (...values: number[]) => number;

/** Memory of fused code. */
export class Memory {
  /** The memory; another array after `reserve` made it larger. */
  numbers: Float64Array<ArrayBuffer>;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });

  constructor() {
    this.numbers = new Float64Array(this.#memory.buffer);
  }

  reserve(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.numbers = new Float64Array(this.#memory.buffer);
  }

  /** Returns the function of a module that imports the memory, as `fusedRun` does. */
  fusedRun(source: Uint8Array): FusedRun | undefined {
    return fusedRun(source, this.#memory);
  }
}

let hasWarned = false;

/**
 * Returns the function `run` of a module that imports a memory, by default that of programs. If the
 * runtime refuses the module, returns undefined, and warns once: single operations do its work.
 */
export function fusedRun(source: Uint8Array, its: object = memory): FusedRun | undefined {
  const imports = { env: { memory: its, readWhole: instance.exports.readWhole } };
  try {
    const module = new WebAssembly.Module(source);
    return new WebAssembly.Instance<FusedRun>(module, imports).exports.run;
  } catch (error) {
    const reason = (error as Error).message;
    if (!hasWarned)
      process.emitWarning(`Node.js refused code that makes indicators fast: ${reason}`);
    hasWarned = true;
    return undefined;
  }
}

/** The memory as numbers; another array after `reserve` made it larger. */
export let numbers = new Float64Array(memory.buffer);

export function reserve(bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(missing / PAGE_BYTES));
  numbers = new Float64Array(memory.buffer);
}
