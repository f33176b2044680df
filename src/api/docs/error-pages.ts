/** `/docs/errors/{type}`: where the `docs_url` of an error leads. */

import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { ERROR_TYPES, type ErrorTypeSpec } from '../http/error-types.ts';
import { type Answer, createAnswer } from '../http/response.ts';
import { inlineHtml } from './reference/html.ts';
import { HTML_TYPE, type Page, pageHeaders, pageHtml } from './reference/page.ts';

function pageOf(type: string, { statuses, title, meaning, remedy }: ErrorTypeSpec): Page {
  const main = `<p><a href="/docs#errors">Tapeworks API</a></p>
<h1>${inlineHtml(title)}</h1>
<p><code>${type}</code>, HTTP status ${statuses.join(', ')}</p>
<p>${inlineHtml(meaning)}</p>
<p>${inlineHtml(remedy)}</p>`;
  return { title: type, main };
}

/** @throws {HttpError} 404: no error has this type. */
export function errorPage(type: string): Answer {
  if (!Object.hasOwn(ERROR_TYPES, type)) throw new HttpError(404, `No error type ${quoted(type)}`);
  const page = pageOf(type, ERROR_TYPES[type as keyof typeof ERROR_TYPES]);
  const headers = ['Cache-Control', 'max-age=3600', ...pageHeaders(page)];
  return createAnswer(200, HTML_TYPE, pageHtml(page), headers);
}
