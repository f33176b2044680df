/** Finds what has no value for any symbol: a condition over it is true for none. */

import type { FilterName, ScreenFieldName } from '../../base/fields.ts';
import type { SymbolExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { evaluateExpression } from './evaluate.ts';
import type { NamedExpression } from './screen-plan.ts';

/** Rows of values that count. */
type IsCounted = (row: number) => boolean;

interface Part {
  name: string;
  hasValue(values: SymbolValues, isCounted: IsCounted): boolean;
}

/** Fields and conditions that have had no value so far, as the values of symbols come in. */
export class NullParts {
  #parts: Part[];
  #hasRows = false;

  constructor(parts: readonly Part[]) {
    this.#parts = [...parts];
  }

  /** True once each part has had a value. */
  get isDone(): boolean {
    return this.#parts.length === 0;
  }

  take(values: SymbolValues, isCounted: IsCounted): void {
    for (let row = 0; row < values.count && !this.#hasRows; row++) this.#hasRows = isCounted(row);
    this.#parts = this.#parts.filter((part) => !part.hasValue(values, isCounted));
  }

  /** Names of the parts, each once; none without a row. */
  names(): string[] {
    return this.#hasRows ? [...new Set(this.#parts.map(({ name }) => name))] : [];
  }
}

/** Fields of companies that conditions read. */
export function fieldParts(expressions: readonly SymbolExpression[]): Part[] {
  const parts: Part[] = [];
  const visit = (one: SymbolExpression): void => {
    if (one.kind === 'operation') one.operands.forEach(visit);
    else if (one.kind === 'across') {
      visit(one.of);
      if (one.among) visit(one.among);
      if (one.by) parts.push(textPart(one.by));
    } else if (one.kind === 'text') parts.push(textPart(one.name));
    else if (one.kind === 'field' || one.kind === 'range') parts.push(numberPart(one.name));
  };
  expressions.forEach(visit);
  return parts;
}

/** Conditions themselves. */
export function conditionParts(conditions: readonly NamedExpression[]): Part[] {
  return conditions.map(({ text, expression }) => ({
    name: text,
    hasValue: (values, isCounted) => hasNumber(evaluateExpression(expression, values), isCounted),
  }));
}

const numberPart = (name: FilterName): Part => ({
  name: shownName(name),
  hasValue: (values, isCounted) => hasNumber(values.number(name), isCounted),
});

const textPart = (name: ScreenFieldName): Part => ({
  name: shownName(name),
  hasValue(values, isCounted) {
    const coded = values.coded?.(name);
    if (coded) return coded.codes.some((code, row) => code > 0 && isCounted(row));
    return values.text(name).some((text, row) => text !== null && text !== '' && isCounted(row));
  },
});

/** Own columns and universes stand behind the word for their kind. */
const shownName = (name: string): string => name.split(' ').at(-1)!;

function hasNumber(numbers: Float64Array, isCounted: IsCounted): boolean {
  return numbers.some((value, row) => !Number.isNaN(value) && isCounted(row));
}

/** Says why an answer is empty; undefined without a part that is null. */
export function nullSentence(
  names: readonly string[],
  empty = 'Nothing matches',
): string | undefined {
  if (names.length === 0) return undefined;
  const listed = names.join(', ');
  return `${empty} because no symbol has a value of ${listed}.`;
}
