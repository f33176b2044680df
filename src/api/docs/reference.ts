/** `/docs`: Swagger UI over the API description, served from its package without other hosts. */

import { fileURLToPath } from 'node:url';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { existsSync, readFileSync } from '../../base/world/files.ts';
import { type ApiResponse, createResponse } from '../http/response.ts';
import { lastingResponse } from '../responses/cached.ts';
import { policyOf } from '../responses/html-page.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tapeworks API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference is in
<a href="v1/openapi.json">v1/openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/reference.js"></script>
</body>
</html>
`;

const STYLE = `
body { margin: 0; }
.swagger-ui .wrapper { max-width: 72rem; }
.swagger-ui .opblock .opblock-summary-path { max-width: none; }
.swagger-ui .opblock-summary .view-line-link { flex-shrink: 0; }
.swagger-ui .response-col_links { display: none; }
/* The search comes first, and stays in view above its hits while someone types. */
.swagger-ui > div:has(> #operations) { display: flex; flex-direction: column; }
.swagger-ui div:has(> .filter-container) { order: -1; top: 0; z-index: 1; background: #fff; }
.swagger-ui div:focus-within:has(> .filter-container) { position: sticky; }
.swagger-ui .filter .operation-filter-input { margin: 1rem 0; width: 100%; max-width: none; }
#operations { scroll-margin-top: 6rem; }
/* Texts that are too pale for their ground. */
html:not(.dark-mode) .swagger-ui :is(.opblock-summary-method, .info .title small pre.version) { color: #000; text-shadow: none; }
html:not(.dark-mode) .swagger-ui :is(.link, .btn.authorize) { color: #12633d; }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .btn.cancel) { color: #6b3030; }
html.dark-mode .swagger-ui div:has(> .filter-container) { background: #1c2022; }
html.dark-mode, html.dark-mode body { background: #1c2022; color-scheme: dark; }
`;

/** Adds scopes and tokens to the operations, which Swagger UI omits, and searches all of them. */
const SCRIPT = `
'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

function describeAccess(operation) {
  const scope = Object.values(operation.security?.[0] ?? {})[0]?.[0];
  if (!scope) return;
  const each = operation['x-tokens-per'] === 'symbol' ? ' per symbol' : '';
  const tokens = operation['x-tokens'] + (operation['x-tokens'] === 1 ? ' token' : ' tokens');
  operation.description += '\\n\\nScope \`' + scope + '\`, ' + tokens + each + '.';
}

function opsFilter(groups, phrase) {
  const wanted = phrase.toLowerCase();
  const isHit = (text) => text.toLowerCase().includes(wanted);
  const textOf = (one) =>
    [one.get('method'), one.get('path'), one.getIn(['operation', 'summary'])].join(' ');
  return groups
    .map((group, tag) =>
      isHit(tag) ? group : group.update('operations', (all) => all.filter((one) => isHit(textOf(one)))))
    .filter((group) => group.get('operations').size > 0);
}

/** Shows links to operations as text: they stand within the button that opens one. */
const DeepLink = (Link, { React }) => (own) => React.createElement(Link, { ...own, enabled: false });

fetch('v1/openapi.json').then((response) => response.json()).then((spec) => {
  Object.values(spec.paths).flatMap(Object.values).forEach(describeAccess);
  spec.externalDocs = { description: 'OpenAPI 3.1 file', url: 'v1/openapi.json' };
  SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    filter: true,
    plugins: [{ fn: { opsFilter }, wrapComponents: { DeepLink } }],
    tryItOutEnabled: true,
    requestSnippetsEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
});

new MutationObserver((_changes, observer) => {
  const search = document.querySelector('.operation-filter-input');
  if (!search) return;
  observer.disconnect();
  search.placeholder = 'Search methods, paths and summaries';
  search.setAttribute('aria-label', search.placeholder);
  search.addEventListener('input', () => document.getElementById('operations').scrollIntoView());
  // Swagger UI gives these no names, so that screen readers pass over them.
  for (const [selector, name] of [['.information-container', 'Introduction'],
    ['.scheme-container', 'Server and key'], ['.filter-container', 'Search']]) {
    const part = document.querySelector(selector);
    part.setAttribute('role', 'region');
    part.setAttribute('aria-label', name);
  }
  document.getElementById('servers').setAttribute('aria-label', 'Server');
}).observe(document.getElementById('reference'), { childList: true, subtree: true });
`;

/** Allows nothing but this server. Swagger UI sets style attributes; scripts are never inline. */
const POLICY = policyOf([
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
]);

/** The built package has the files beside this one; a checkout has them in the development package. */
function packaged(name: string): () => string {
  return () => {
    const copied = new URL(`./swagger-ui/${name}`, import.meta.url);
    const url = existsSync(copied) ? copied : import.meta.resolve(`swagger-ui-dist/${name}`);
    return readFileSync(fileURLToPath(url), 'utf8');
  };
}

const FILES: Readonly<Record<string, () => string>> = {
  'swagger-ui.css': packaged('swagger-ui.css'),
  'swagger-ui-bundle.js': packaged('swagger-ui-bundle.js'),
  'reference.css': () => STYLE,
  'reference.js': () => SCRIPT,
};

const made = new Map<string, ApiResponse>();

/** Responds with a file of the page; each is read at the first request for it. */
export function referenceFile(name: string): ApiResponse {
  if (!Object.hasOwn(FILES, name)) throw new HttpError(404, `No file ${quoted(name)} in /docs`);
  let response = made.get(name);
  if (!response) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    response = lastingResponse(`${type}; charset=utf-8`, FILES[name]());
    made.set(name, response);
  }
  return response;
}

const page = lastingResponse('text/html; charset=utf-8', PAGE, ['Content-Security-Policy', POLICY]);

/** Responds with the page; `/docs/` leads to `/docs`, since the links in the page are relative. */
export function referencePage(target: string): ApiResponse {
  const isFolder = target.split('?', 1)[0].endsWith('/');
  return isFolder ? createResponse(302, 'text/plain', '', ['Location', '../docs']) : page;
}
