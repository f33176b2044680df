/** Memory in which programs run, and code over it. */

/** The used parts of WebAssembly, which the types of Node.js leave out. */
import { process } from '../../base/world/process.ts';

declare const WebAssembly: {
  Memory: new (descriptor: {
    initial: number;
  }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (source: Uint8Array) => object;
  Instance: new <Run>(module: object, imports: object) => { exports: { run: Run } };
};

const PAGE_BYTES = 65_536;

/** The function of fused code. */
export type FusedRun = (...values: number[]) => number;

/** Memory in which programs run. */
export class Memory {
  /** The memory; another array after `reserve` made it larger. */
  numbers: Float64Array<ArrayBuffer>;
  /** The numbers of fused code that are in it. */
  loaded: object | undefined;
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

  /** Returns the function of fused code over the memory. */
  fusedRun(code: object): FusedRun {
    const imports = { env: { memory: this.#memory } };
    return new WebAssembly.Instance<FusedRun>(code, imports).exports.run;
  }
}

/** Memory of all programs that have none of their own. */
export const sharedMemory = new Memory();

let hasWarned = false;

/**
 * Compiles fused code. If the runtime refuses it, returns undefined, and warns once: operations in
 * TypeScript do its work.
 */
export function compile(code: Uint8Array): object | undefined {
  try {
    return new WebAssembly.Module(code);
  } catch (error) {
    const reason = (error as Error).message;
    if (!hasWarned)
      process.emitWarning(`Node.js refused code that makes indicators fast: ${reason}`);
    hasWarned = true;
    return undefined;
  }
}
