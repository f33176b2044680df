/** One operation of the reference page. */

import { errorTypeFromStatus } from '../../http/error-types.ts';
import {
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolved,
} from '../openapi/document-types.ts';
import { fieldRow, fieldsTable, table } from './field-table.ts';
import { codeBlock, escaped, inlineHtml, paragraphsHtml } from './html.ts';
import { sampleRequest } from './sample-request.ts';
import { schemaFields, typeText } from './schema-fields.ts';
import { LANGUAGE_TITLES, SNIPPET_LANGUAGES, snippet } from './snippets.ts';

export interface ListedOperation {
  /** In upper case. */
  method: string;
  /** Key of `paths` in the document. */
  path: string;
  operation: Operation;
}

function parametersHtml(document: OpenApiDocument, { parameters }: Operation): string {
  const rows = parameters
    .map((one) => resolved<Parameter>(document, one))
    .map(({ name, in: place, required, schema, description = '' }) => {
      const where = place === 'query' ? '' : `, ${place}`;
      const need = required ? 'required, ' : '';
      const fallback = schema.default === undefined ? '' : `, default ${schema.default}`;
      return fieldRow(name, need + typeText(document, schema) + where + fallback, description);
    });
  return rows.length > 0 ? `<h4>Parameters</h4>${table(['Name', 'Meaning'], rows)}` : '';
}

function bodyHtml(document: OpenApiDocument, { requestBody }: Operation): string {
  if (!requestBody) return '';
  const { schema } = requestBody.content['application/json'];
  const fields = schemaFields(document, schema).map(({ path, type, description, isOptional }) =>
    fieldRow(path, (isOptional ? '' : 'required, ') + type, description),
  );
  if (fields.length === 0) return '';
  return `<h4>Body</h4>${table(['Field', 'Meaning'], fields)}`;
}

function responseHtml(document: OpenApiDocument, status: string, operation: Operation): string {
  const { content = {}, headers = {} } = resolved(document, operation.responses[status]);
  const types = Object.keys(content).map((type) => `<code>${type}</code>`);
  const names = Object.keys(headers).map((name) => `<code>${name}</code>`);
  const json = content['application/json'];
  const fields = json ? fieldsTable(document, json.schema) : '';
  return `<h4>Response ${status}</h4>
<p>${types.length > 0 ? types.join(', ') : 'No body.'}</p>
${fields && `<details class="more"><summary>Fields</summary>${fields}</details>`}
<details class="more"><summary>Headers</summary><p>${names.join(', ')}</p></details>`;
}

function errorsHtml(document: OpenApiDocument, { responses }: Operation): string {
  const rows = Object.keys(responses)
    .filter((status) => Number(status) >= 304)
    .map((status) => {
      const { description, content } = resolved(document, responses[status]);
      const [example] = Object.values(content?.['application/json'].examples ?? {});
      const type = errorTypeFromStatus(Number(status));
      const link = content ? `<a class="type" href="/docs/errors/${type}">${type}</a>` : '';
      const sample = example ? `<br><code>${escaped(example.summary)}</code>` : '';
      return `<tr><th scope="row">${status}${link}</th><td>${inlineHtml(description)}${sample}</td></tr>`;
    });
  return `<details class="more"><summary>Other statuses</summary>${table(['Status', 'Meaning and an example'], rows)}</details>`;
}

function snippetsHtml(document: OpenApiDocument, origin: string, listed: ListedOperation): string {
  const { method, path, operation } = listed;
  const request = sampleRequest(document, method, path, operation);
  const blocks = SNIPPET_LANGUAGES.map((language) => {
    const title = LANGUAGE_TITLES[language];
    const code = codeBlock(snippet(language, origin, request), `${operation.summary}, ${title}`);
    const id = `${operation.operationId}-${language}`;
    return `<div class="snippet block" id="${id}" data-language="${language}"><h4>${title}</h4>${code}</div>`;
  });
  return `<div class="snippets">${blocks.join('')}</div>`;
}

function exampleBlocks(type: string, { examples = {} }: MediaType): string[] {
  return Object.values(examples).map(({ summary, value }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const title = type === 'text/csv' ? 'As CSV' : summary;
    const block = codeBlock(text, `Response: ${title}`);
    return type === 'text/csv'
      ? `<details class="more"><summary>As CSV</summary>${block}</details>`
      : `<div class="block"><h4>Response: ${escaped(summary)}</h4>${block}</div>`;
  });
}

function needsHtml({ security, ...operation }: Operation): string {
  if (security.length === 0) return 'No key required.';
  const [scope] = Object.values(security[0])[0];
  const tokens = operation['x-tokens'] ?? 0;
  const each = operation['x-tokens-per'] === 'symbol' ? ' per symbol' : '';
  return `Scope <code>${scope}</code>, ${tokens} token${tokens === 1 ? '' : 's'}${each}.`;
}

/** @param origin Scheme and host in the snippets. */
export function operationHtml(
  document: OpenApiDocument,
  origin: string,
  listed: ListedOperation,
): string {
  const { method, path, operation } = listed;
  const id = operation.operationId;
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '';
  const { content = {} } = resolved(document, operation.responses[success]);
  const examples = Object.entries(content).flatMap(([type, media]) => exampleBlocks(type, media));
  const root = document.paths[path].servers ? '' : '/v1';
  return `<article id="${id}" aria-labelledby="${id}-title">
<div>
<h3 id="${id}-title"><a class="anchor" href="#${id}">${escaped(operation.summary)}</a></h3>
<p class="endpoint"><code><span class="method ${method.toLowerCase()}">${method}</span>${escaped(root + path)}</code></p>
<p class="needs">${needsHtml(operation)}</p>
${paragraphsHtml(operation.description)}
${parametersHtml(document, operation)}
${bodyHtml(document, operation)}
${responseHtml(document, success, operation)}
${errorsHtml(document, operation)}
</div>
<div class="code">
${snippetsHtml(document, origin, listed)}
${examples.join('\n')}
</div>
</article>`;
}
