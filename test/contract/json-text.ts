/** JSON as the project's formatter writes it, so that a generated file passes `npm run check`. */

import type { Json } from './json.ts';

const LINE_CHARS = 100;

function oneLine(list: readonly Json[]): string | undefined {
  const parts = list.map((item) => {
    if (Array.isArray(item)) return oneLine(item);
    return typeof item === 'object' && item !== null ? undefined : JSON.stringify(item);
  });
  const isTable = list.length > 1 && list.every((item) => Array.isArray(item) && item.length > 1);
  return isTable || parts.includes(undefined) ? undefined : `[${parts.join(', ')}]`;
}

/**
 * @param margin Blanks before each line.
 * @param taken  Characters on the first line that do not belong to the value.
 */
function linesOf(value: Json, margin: string, taken: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    const line = oneLine(value);
    if (line !== undefined && taken + line.length <= LINE_CHARS) return line;
    const items = value.map((item) => inner + linesOf(item, inner, inner.length + 1));
    return `[\n${items.join(',\n')}\n${margin}]`;
  }
  const fields = Object.entries(value).map(([name, field]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return start + linesOf(field, inner, start.length + 1);
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${margin}}`;
}

export function jsonText(value: Json): string {
  return `${linesOf(value, '', 0)}\n`;
}
