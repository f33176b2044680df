/** Facts about columns that follow from their operations. */

import type { Column, InputName, MadeInput, Operation } from './column.ts';
import * as codes from './operations/opcodes.ts';
import { ENDLESS } from './rows-needed.ts';

/** Operations in which a value that is missing once is missing for good. */
const CARRY_ON: readonly number[] = [...ENDLESS, codes.SINCE_HIGHEST, codes.SINCE_LOWEST];

/** Returns true if a value of the column may depend on all values before it. */
export function carriesOn(column: Column): boolean {
  return [...operationsOf([column])].some(({ code }) => CARRY_ON.includes(code));
}

/** Operations that may have no value where their inputs have one. */
const MAY_LACK: readonly number[] = [
  codes.DIVIDE,
  codes.LOGARITHM,
  codes.SQUARE_ROOT,
  codes.CHOOSE,
  codes.RSI,
];

/** Returns what columns read that no file has, by name. */
export function madeInputs(columns: readonly Column[]): Map<string, MadeInput> {
  const read = [...operationsOf(columns)].flatMap(({ inputs }) => inputs);
  const found = new Map<string, MadeInput>();
  for (const one of [...columns, ...read]) {
    if (one.kind !== 'input' || !one.made) continue;
    found.set(one.name, one.made);
    if (one.made.kind !== 'symbol') continue;
    for (const [name, made] of madeInputs([one.made.column])) found.set(name, made);
  }
  return found;
}

/** Returns true if the column may have no value at some row after its first one. */
export function mayLackValues(column: Column): boolean {
  if (
    madeInputs([column])
      .values()
      .some(({ kind }) => kind === 'symbol')
  )
    return true;
  return [...operationsOf([column])].some(({ code, inputs }) => {
    const divisor = inputs.at(-1)!;
    const isByNumber = code === codes.DIVIDE && divisor.kind === 'number' && divisor.value !== 0;
    return MAY_LACK.includes(code) && !isByNumber;
  });
}

/** Returns the first row at which a condition may be 1: before, it is 0 or has no value. */
export function firstTrue(condition: Column): number {
  if (condition.kind !== 'operation') return condition.first;
  const { code, inputs, period } = condition.operation;
  if (code === codes.PADDED) return Math.max(period, firstTrue(inputs[0]));
  if (code === codes.BOTH) return Math.max(...inputs.map(firstTrue));
  if (code === codes.EITHER) return Math.min(...inputs.map(firstTrue));
  return condition.first;
}

/** Returns the columns of bars that the columns are computed from. */
export function inputsOf(columns: readonly Column[]): InputName[] {
  const read = [...operationsOf(columns)].flatMap(({ inputs }) => inputs);
  const names = [...columns, ...read].map((one) => (one.kind === 'input' ? [one.name] : []));
  return [...new Set(names.flat())];
}

/** Returns all operations that the columns are made of. */
export function operationsOf(
  columns: readonly Column[],
  found: Set<Operation> = new Set(),
): Set<Operation> {
  for (const column of columns) {
    if (column.kind !== 'operation' || found.has(column.operation)) continue;
    found.add(column.operation);
    operationsOf(column.operation.inputs, found);
  }
  return found;
}
