/** The module that runs programs, one to a thread, and its memory. Built from `wasm/` by `npm run wasm`. */

import { readFileSync } from 'node:fs';

/** The used parts of WebAssembly, which the types of Node.js leave out. */
declare const WebAssembly: {
  Memory: new (descriptor: {
    initial: number;
  }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (source: Uint8Array) => object;
  Instance: new <Run>(module: object, imports: object) => { exports: { run: Run } };
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

/** Returns the function `run` of a module that imports the memory. */
export function instantiate(source: Uint8Array): (...values: number[]) => number {
  const module = new WebAssembly.Module(source);
  return new WebAssembly.Instance<(...values: number[]) => number>(module, { env: { memory } })
    .exports.run;
}

/** The memory as numbers; another array after `reserve` made it larger. */
export let numbers = new Float64Array(memory.buffer);

export function reserve(bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(missing / PAGE_BYTES));
  numbers = new Float64Array(memory.buffer);
}
