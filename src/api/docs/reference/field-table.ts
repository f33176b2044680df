/** Tables of parameters and fields. */

import type { JsonSchema, OpenApiDocument } from '../openapi/document-types.ts';
import { escaped, inlineHtml } from './html.ts';
import { schemaFields } from './schema-fields.ts';

/** @param heads Plain text. @param rows HTML from `fieldRow`. */
export function table(heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col">${head}</th>`).join('');
  return `<div class="table"><table><thead><tr>${cells}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

export function fieldRow(name: string, type: string, description: string): string {
  return `<tr><th scope="row"><code>${escaped(name)}</code><span class="type">${escaped(type)}</span></th><td>${inlineHtml(description)}</td></tr>`;
}

/** Lists the fields of a response; empty without any. */
export function fieldsTable(document: OpenApiDocument, schema: JsonSchema): string {
  const rows = schemaFields(document, schema).map(({ path, type, description, isOptional }) =>
    fieldRow(path, type + (isOptional ? ', optional' : ''), description),
  );
  return rows.length > 0 ? table(['Field', 'Meaning'], rows) : '';
}
