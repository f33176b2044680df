/** `/`: the page for people and the links for programs; `/app/…`: the files of the page. */

import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute } from '../contract/route.ts';
import { API_VERSION } from '../docs/openapi/version.ts';
import { preferencesFrom } from '../http/format.ts';
import { type ApiResponse, jsonResponse } from '../http/response.ts';
import { lastingResponse } from '../responses/cached.ts';
import { type Assets, readAssets } from './assets.ts';
import { pageDocument } from './html.ts';

/** Response for programs; addresses are relative to the request, so that proxies may add a path. */
const LINKS = {
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

const LINK_HEADERS = ['Cache-Control', 'no-cache', 'Vary', 'Accept'];

/** Returns true if a client accepts JSON and does not name HTML. */
function wantsJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const names = preferencesFrom(accept).map(({ name }) => name);
  return names.includes('application/json') && !names.includes('text/html');
}

/** Creates the routes; the files are read at the first request for one of them. */
export function pageRoutes(): PublicRoute[] {
  let assets: Assets | undefined;
  let document: ApiResponse | undefined;
  const links = jsonResponse(200, LINKS, LINK_HEADERS);
  const read = () => {
    assets ??= readAssets();
    return assets;
  };
  return [
    {
      path: '/',
      respond({ headers }) {
        if (wantsJson(headers.accept)) return links;
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
