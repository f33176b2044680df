/** Columns by value: a name of each, and parts of a column replaced by others. */

import { hash } from 'node:crypto';
import type { Column, Operation } from './column.ts';

const texts = new WeakMap<Operation, string>();

/**
 * Returns the same short text for columns of the same values. It is a digest: a text that held
 * those of its inputs would double with each input that is read twice.
 */
export function columnText(column: Column): string {
  if (column.kind === 'input') return column.name;
  if (column.kind === 'number') return `${column.value}`;
  const { operation, output } = column;
  const text = operationText(operation);
  return output === 0 ? text : `${text}'`;
}

/** Returns the text of an operation's first output. */
export function operationText(operation: Operation): string {
  let text = texts.get(operation);
  if (text === undefined) {
    const { code, period, factors, table, inputs } = operation;
    const numbers = Buffer.from(Float64Array.from(table).buffer).toString('latin1');
    const key = [code, period, ...factors, ...inputs.map(columnText), numbers].join(' ');
    text = hash('sha256', key, 'base64url');
    texts.set(operation, text);
  }
  return text;
}

/**
 * Returns the column with its largest parts for which `other` returns a column replaced by that.
 * Every operation still begins to read at its own row, so windows keep their phase.
 */
export function replaceParts(
  column: Column,
  other: (part: Column) => Column | undefined,
  made: Map<Operation, Operation> = new Map(),
): Column {
  const replacement = other(column);
  if (replacement) return replacement;
  if (column.kind !== 'operation') return column;
  const { operation } = column;
  let replaced = made.get(operation);
  if (!replaced) {
    const inputs = operation.inputs.map((input) => replaceParts(input, other, made));
    replaced = { ...operation, inputs };
    made.set(operation, replaced);
  }
  return { ...column, operation: replaced };
}
