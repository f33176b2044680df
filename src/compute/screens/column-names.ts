/** Names columns by what they hold, and counts what computing them takes. */

import type { Column, Operation } from '../columns/column.ts';
import { operationKey } from '../columns/layout.ts';

/** Equal columns have the same name. Operations are named by number, so that names stay short. */
export class ColumnNames {
  /** Numbers of state for one symbol. */
  stateRows = 0;
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<Operation, number>();
  readonly #onNew: () => void;

  /** @param onNew Called after each operation that is not equal to one before. */
  constructor(onNew: () => void) {
    this.#onNew = onNew;
  }

  get operationCount(): number {
    return this.#numbers.size;
  }

  /** Returns the name of a column, and counts its operations that are new. */
  nameOf(column: Column): string {
    if (column.kind === 'input') return column.name;
    if (column.kind === 'number') return `${column.value}`;
    return `#${this.#numberOf(column.operation)}.${column.output}`;
  }

  #numberOf(operation: Operation): number {
    const known = this.#known.get(operation);
    if (known !== undefined) return known;
    const text = operationKey(
      operation,
      operation.inputs.map((input) => this.nameOf(input)),
    );
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
      this.stateRows += operation.stateRows;
      this.#onNew();
    }
    this.#known.set(operation, number);
    return number;
  }
}
