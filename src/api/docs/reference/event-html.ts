/** Events of webhooks on the reference page. */

import type { OpenApiDocument } from '../openapi/document-types.ts';
import { fieldsTable } from './field-table.ts';
import { anchorFrom, codeBlock, inlineHtml } from './html.ts';

/** What a receiver gets, type by type. */
export function eventsHtml(document: OpenApiDocument): string {
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
