/** Lets `toEqual` take columns of equal bytes as equal: number by number it takes most of a test. */

import { expect } from 'vitest';

declare global {
  /** Files share their process, and with it what was told to `expect`. */
  var areColumnsCompared: boolean | undefined;
}

/** @returns undefined where they may differ, or are no columns: `toEqual` looks for itself. */
function areEqualColumns(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.constructor !== b.constructor) return undefined;
  return bytesOf(a).equals(bytesOf(b)) || undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

if (!globalThis.areColumnsCompared) {
  expect.addEqualityTesters([areEqualColumns]);
  globalThis.areColumnsCompared = true;
}
