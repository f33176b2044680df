/** `/docs/errors/{type}`: where the `docs_url` of an error leads. */

import { HttpError } from '../errors.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ERROR_TYPES, type ErrorTypeSpec } from './error-types.ts';

const PAGE_HEADERS = [
  'Cache-Control',
  'max-age=3600',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

function page(type: string, { statuses, title, meaning, remedy }: ErrorTypeSpec): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${type}</title>
<h1>${title}</h1>
<p><code>${type}</code>, HTTP status ${statuses.join(', ')}</p>
<p>${meaning}</p>
<p>${remedy}</p>
</html>
`;
}

/** @throws {HttpError} 404: no error has this type. */
export function errorPage(type: string): Answer {
  if (!Object.hasOwn(ERROR_TYPES, type)) throw new HttpError(404, `No error type "${type}"`);
  const html = page(type, ERROR_TYPES[type as keyof typeof ERROR_TYPES]);
  return createAnswer(200, 'text/html; charset=utf-8', html, PAGE_HEADERS);
}
