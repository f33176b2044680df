/** Parameters `$name` of a study's texts: every combination of their values is one study. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';

const NAME = /\$[a-z][a-z0-9_]*/gi;
const NUMBER = String.raw`-?(?:\d+\.?\d*|\.\d+)`;
const RANGE = new RegExp(String.raw`^(${NUMBER})\.\.(${NUMBER})(?::(${NUMBER}))?$`);
const LIST = new RegExp(`^${NUMBER}(?:,${NUMBER})*$`);

/** Values by name, which begins with `$`. */
export type Combination = Readonly<Record<string, string>>;

/**
 * Returns the values of a parameter: `2..20:2` is 2, 4, … 20, and `5,10,20` a list.
 *
 * @throws {ParameterError}
 */
function valuesOf(name: string, text: string): string[] {
  if (LIST.test(text)) return text.split(',');
  const rule = `${name} must be a range like 2..20:2 or a list like 5,10,20`;
  const [, from, to, step = '1'] = RANGE.exec(text) ?? [];
  const count = Math.floor((Number(to) - Number(from)) / Number(step) + 1e-9) + 1;
  if (from === undefined || !(Number(step) > 0) || !(count >= 1)) {
    throw new ParameterError(name, `${rule}, got ${quoted(text)}`);
  }
  const { combinationsMax } = limits.study;
  if (count > combinationsMax) {
    throw new ParameterError(name, `${name} must have at most ${combinationsMax} values`);
  }
  const decimals = Math.max(...[from, step].map((number) => (number.split('.')[1] ?? '').length));
  return Array.from({ length: count }, (_, i) =>
    String(Number((Number(from) + i * Number(step)).toFixed(decimals))),
  );
}

/**
 * Returns every combination of the parameters' values, the last parameter changing fastest; one
 * empty combination without parameters.
 *
 * @param texts      Texts by name, in which the parameters stand.
 * @param parameters Ranges and lists by name.
 * @throws {ParameterError} A parameter is unknown, unused or breaks a rule, or there are too many
 *   combinations.
 */
export function combinationsOf(
  texts: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>>,
): Combination[] {
  const used = new Set<string>();
  for (const [field, text] of Object.entries(texts)) {
    for (const [name] of text.matchAll(NAME)) {
      used.add(name);
      if (parameters[name] !== undefined) continue;
      const position = [...text.slice(0, text.indexOf(name))].length + 1;
      const values = `${name.slice(1)}=2..20:2`;
      throw new ParameterError(
        field,
        `${field}: ${name} at position ${position} has no values: add $${values}, ` +
          `on a command line --param ${values}`,
      );
    }
  }
  let combinations: Combination[] = [{}];
  for (const [name, text] of Object.entries(parameters)) {
    if (!used.has(name)) {
      throw new ParameterError(
        name,
        `${name} must stand in a text of the study, and it does not: write it there, or leave out its values`,
      );
    }
    const values = valuesOf(name, text);
    const { combinationsMax } = limits.study;
    if (combinations.length * values.length > combinationsMax) {
      throw new ParameterError(
        name,
        `a study has at most ${combinationsMax} combinations of values`,
      );
    }
    combinations = combinations.flatMap((one) =>
      values.map((value) => ({ ...one, [name]: value })),
    );
  }
  return combinations;
}

/** Puts the values of a combination into a text. */
export function filledIn(text: string, combination: Combination): string {
  return text.replaceAll(NAME, (name) => combination[name] ?? name);
}
