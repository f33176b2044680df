/** `/docs`: the API description as a page. */

import type { IncomingHttpHeaders } from 'node:http';
import { originOf } from '../../http/error-response.ts';
import { ERROR_TYPES } from '../../http/error-types.ts';
import { ROUTE_METHODS } from '../../http/methods.ts';
import type { ApiResponse } from '../../http/response.ts';
import { lastingResponse } from '../../responses/cached.ts';
import type { OpenApiDocument, Operation } from '../openapi/document-types.ts';
import { INTRODUCTION } from '../openapi/introduction.ts';
import { fieldsTable } from './field-table.ts';
import { anchorFrom, codeBlock, escaped, inlineHtml } from './html.ts';
import { type ListedOperation, operationHtml } from './operation-html.ts';
import { HTML_TYPE, type Page, pageHeaders, pageHtml } from './page.ts';

interface TagGroup {
  name: string;
  description: string;
  operations: ListedOperation[];
}

/** Groups operations by tag, in the order of the tags and of their paths. */
function tagGroups(document: OpenApiDocument): TagGroup[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    ROUTE_METHODS.flatMap((method) => {
      const operation = item[method.toLowerCase() as Lowercase<typeof method>];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }: { operation: Operation }) =>
      operation.tags.includes(name),
    ),
  }));
}

function contentsHtml(groups: readonly TagGroup[]): string {
  const parts = INTRODUCTION.map(
    ({ title }) => `<li><a href="#${anchorFrom(title)}">${title}</a></li>`,
  );
  const lists = groups.map(({ name, operations }) => {
    const links = operations.map(
      ({ operation }) =>
        `<li><a href="#${operation.operationId}">${escaped(operation.summary)}</a></li>`,
    );
    return `<ul><li><a class="group" href="#${anchorFrom(name)}">${name}</a></li>${links.join('')}</ul>`;
  });
  const first = `<ul><li><a class="group" href="#main">Overview</a></li>${parts.join('')}</ul>`;
  const events = '<ul><li><a class="group" href="#events">Events</a></li></ul>';
  return `<details><summary>Contents</summary>${first}${lists.join('')}${events}</details>`;
}

/** Placeholder for the address of the server. */
const ORIGIN = 'http://origin.invalid';

function startHtml(): string {
  const lines = [
    'export API_KEY=svc_test_…   # the key that `npm start` prints',
    `curl -H "X-API-Key: $API_KEY" "${ORIGIN}/v1/svc/quotes/QXAA"`,
  ];
  return `<h1>Tapeworks API</h1>
<p>Market data from your own server. <a href="/v1/openapi.json">This reference as an OpenAPI 3.1
file</a>, for generating clients.</p>
<p>The examples use <code>QXAA</code>, an invented company of the sandbox, and read the key from
the environment variable <code>API_KEY</code>.</p>
${codeBlock(lines.join('\n'), 'First request')}`;
}

function introductionHtml(): string {
  const errors = Object.entries(ERROR_TYPES).map(
    ([type, { statuses, title }]) =>
      `<li><a href="/docs/errors/${type}"><code>${type}</code></a> (${statuses.join(', ')}): ${title}.</li>`,
  );
  const parts = INTRODUCTION.map(
    ({ title, paragraphs }) =>
      `<section id="${anchorFrom(title)}"><h2>${title}</h2>${paragraphs
        .map((text) => `<p>${inlineHtml(text)}</p>`)
        .join('')}</section>`,
  );
  return `${parts.join('\n')}\n<ul>${errors.join('')}</ul>`;
}

/** Describes the events of webhooks, type by type. */
function eventsHtml(document: OpenApiDocument): string {
  const articles = Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema, examples = {} } = post.requestBody.content['application/json'];
    const id = `event-${anchorFrom(type)}`;
    const example = JSON.stringify(examples.example1.value, null, 2);
    return `<article id="${id}" aria-labelledby="${id}-title">
<div>
<h3 id="${id}-title"><a class="anchor" href="#${id}">Event <code>${type}</code></a></h3>
<p>${inlineHtml(post.summary)}.</p>
<details class="more"><summary>Fields</summary>${fieldsTable(document, schema)}</details>
</div>
<div class="code"><div class="block"><h4>Body</h4>${codeBlock(example, `Body of ${type}`)}</div></div>
</article>`;
  });
  const headers = Object.values(document.components.parameters)
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(
      ({ name, description = '' }) => `<li><code>${name}</code>: ${inlineHtml(description)}</li>`,
    );
  return `<section id="events"><h2>Events</h2>
<p>The server sends each event as a POST with a JSON body, signed as in the Standard Webhooks
specification. A 2xx response within 20 seconds is success; otherwise the server tries again, ten
times in three days.</p>
<ul>${headers.join('')}</ul>
${articles.join('\n')}</section>`;
}

function referencePage(document: OpenApiDocument): Page {
  const groups = tagGroups(document);
  const sections = groups.map(({ name, description, operations }) => {
    const articles = operations.map((listed) => operationHtml(document, ORIGIN, listed));
    return `<section id="${anchorFrom(name)}"><h2>${name}</h2><p>${inlineHtml(description)}</p>
${articles.join('\n')}</section>`;
  });
  const parts = [startHtml(), introductionHtml(), ...sections, eventsHtml(document)];
  const main = parts.join('\n');
  return { title: 'Tapeworks API', contents: contentsHtml(groups), main, hasScript: true };
}

/**
 * Creates the page once; its snippets show the address of the request.
 *
 * @param document Called at the first request.
 */
export function createReference(
  document: () => OpenApiDocument,
): (headers: IncomingHttpHeaders) => ApiResponse {
  let parts: readonly string[] | undefined;
  let headerLines: readonly string[] = [];
  let keptOrigin: string | undefined;
  let kept: ApiResponse | undefined;

  function made(): readonly string[] {
    const page = referencePage(document());
    headerLines = pageHeaders(page);
    return pageHtml(page).split(ORIGIN);
  }

  return (headers) => {
    const origin = originOf(headers) || 'http://127.0.0.1:8787';
    if (!kept || origin !== keptOrigin) {
      parts ??= made();
      kept = lastingResponse(HTML_TYPE, parts.join(origin), headerLines);
      keptOrigin = origin;
    }
    return kept;
  };
}
