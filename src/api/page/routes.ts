/** `/`: the page for people and the links for programs; `/app/…`: the files of the page. */

import { createHash } from 'node:crypto';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute } from '../contract/route.ts';
import { API_VERSION } from '../docs/openapi/version.ts';
import { preferencesFrom } from '../http/format.ts';
import { type ApiResponse, jsonResponse, NO_STORE } from '../http/response.ts';
import { dataState, type HealthSources } from '../operator/health.ts';
import { lastingResponse } from '../responses/cached.ts';
import { escaped, policyOf } from '../responses/html-page.ts';
import { type Assets, readAssets } from './assets.ts';

/**
 * Response for programs, which the state of the data follows; the page reads it there, since
 * `/readyz` is an error while there is no data. Addresses are relative to the request, so that
 * proxies may add a path.
 */
const ABOUT = {
  name: 'Tapeworks',
  version: API_VERSION,
  links: {
    page: './',
    docs: 'docs',
    description: 'v1/openapi.json',
    health: 'healthz',
    readiness: 'readyz',
  },
};

const ABOUT_HEADERS = [...NO_STORE, 'Vary', 'Accept'];

/** Returns true if a client accepts JSON and does not name HTML. */
function wantsJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const names = preferencesFrom(accept).map(({ name }) => name);
  return names.includes('application/json') && !names.includes('text/html');
}

/** Creates the routes; the files are read at the first request for one of them. */
export function pageRoutes(sources: HealthSources): PublicRoute[] {
  let assets: Assets | undefined;
  let document: ApiResponse | undefined;
  const read = () => {
    assets ??= readAssets();
    return assets;
  };
  return [
    {
      path: '/',
      respond({ headers }) {
        if (wantsJson(headers.accept)) {
          return jsonResponse(200, { ...ABOUT, ...dataState(sources) }, ABOUT_HEADERS);
        }
        if (!document) {
          const { text, policy } = pageDocument(read());
          const lines = ['Vary', 'Accept', 'Content-Security-Policy', policy];
          document = lastingResponse('text/html; charset=utf-8', text, lines);
        }
        return document;
      },
    },
    {
      path: '/app/:version/*file',
      respond({ target }) {
        const path = target.split('?', 1)[0].slice(1);
        const { folder, file } = read();
        const found = path.startsWith(folder) ? file(path.slice(folder.length)) : undefined;
        if (!found) throw new HttpError(404, `No file ${quoted(path)} in this version of the page`);
        return found;
      },
    },
  ];
}

/** A rising line of candles, as the icon. */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
  "<rect width='32' height='32' rx='7' fill='%231b2733'/>" +
  "<path d='M8 13v13M16 8v15M24 5v13' stroke='%23fff' stroke-width='2'/>" +
  "<path d='M5.5 16h5v7h-5zM13.5 11h5v9h-5zM21.5 8h5v7h-5z' fill='%2326a69a'/></svg>";

function preload(path: string): string {
  return `<link rel="modulepreload" href="${escaped(path)}">`;
}

/** Returns the page, whose policy allows this server, and the import map by its hash. */
function pageDocument(assets: Assets): { text: string; policy: string } {
  const { folder, entry, preloaded, imports } = assets;
  const importMap = JSON.stringify({ imports });
  const kept = Object.values(imports).map((path) => path.slice(2));
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Charts, screens and data of this Tapeworks server">
<title>Tapeworks</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
<link rel="stylesheet" href="${folder}page.css">
<script type="importmap">${importMap}</script>
${[...kept, ...preloaded].map(preload).join('\n')}
<script type="module" src="${entry}"></script>
</head>
<body>
<div id="page">
<header class="top"><a class="brand" href="./">Tapeworks</a></header>
<main class="boot"><p class="slow">The page has not started yet. Reload it, or use a browser of 2024 or
newer.</p><noscript><p>This page needs JavaScript. The API does not:
<a href="docs">read its reference</a>.</p></noscript></main>
</div>
</body>
</html>
`;
  const hash = createHash('sha256').update(importMap).digest('base64');
  const policy = policyOf([
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ]);
  return { text, policy };
}
