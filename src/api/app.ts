/** The HTTP application, without a port: settings and stores in, an Express app out. */

import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../config.ts';
import type { Mode } from '../data-dir.ts';
import { assert, HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import type { ServingReader } from '../store/serving/snapshot.ts';
import { type Admit, createAdmit } from './admission.ts';
import { candleRoutes } from './candles.ts';
import { corporateActionRoutes } from './corporate-actions.ts';
import { errorPage } from './error-pages.ts';
import { createHandle } from './handle.ts';
import { healthRoutes } from './health.ts';
import type { Log } from './log.ts';
import { answerMethod } from './methods.ts';
import { quoteRoutes } from './quotes.ts';
import type { PublicRoute, Route } from './route.ts';
import { ROUTE_SCOPES, scopeOfRoute } from './route-scopes.ts';
import { screenerRoutes } from './screener.ts';
import { createSnapshotAnswers } from './snapshot-answers.ts';
import { symbolRoutes } from './symbols.ts';
import { technicalRoutes } from './technical.ts';

export interface AppOptions {
  settings: Settings;
  readers: Record<Mode, ServingReader>;
  accounts: Accounts;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
}

const ROUTES = [
  technicalRoutes,
  quoteRoutes,
  candleRoutes,
  screenerRoutes,
  symbolRoutes,
  corporateActionRoutes,
];

/** All paths that need a key, those without a route among them. */
const GUARDED = /^\/v1\/svc(?:[/?#]|$)/;

/** Express paths: `/svc/quotes/{symbol}` → `/v1/svc/quotes/:symbol`. */
function pathFromTemplate(template: string): string {
  return `/v1${template.replace(/\{(\w+)\}/g, ':$1')}`;
}

/**
 * There is no middleware: a layer costs as much as all of a route's own checks, so each route
 * makes them itself, by way of `handle`.
 *
 * @throws {Error} a route has no scope in `route-scopes.ts`, or a scope there has no route.
 */
export function createApp({ settings, readers, accounts, now, log }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');

  const admit: Admit = createAdmit(accounts, settings.rateLimit, now);
  const handle = createHandle(log);

  function mount({ template, answer }: Route): void {
    const scope = scopeOfRoute(template);
    app.all(pathFromTemplate(template), (request, response) =>
      handle(request, response, (exchange) => {
        admit(exchange, scope);
        return answerMethod(exchange.method, () => answer(exchange));
      }),
    );
  }

  function mountPublic({ path, answer }: PublicRoute): void {
    app.all(path, (request, response) =>
      handle(request, response, (exchange) =>
        answerMethod(exchange.method, () => answer(exchange)),
      ),
    );
  }

  const answers = createSnapshotAnswers(limits.answerCache.bytesMax);
  const sources = { readers, answers, cursorSecret: accounts.cursorSecret(), now };
  const routes = ROUTES.flatMap((of) => of(sources));
  const scopeCount = Object.keys(ROUTE_SCOPES).length;
  assert(routes.length === scopeCount, 'every declared scope belongs to a route');
  for (const route of routes) mount(route);
  for (const route of healthRoutes({ dataDir: settings.dataDir, readers, now })) mountPublic(route);
  mountPublic({ path: '/docs/errors/:type', answer: ({ params }) => errorPage(params.type) });

  /** What no route has taken; the router itself fails where a path can't be decoded. */
  function refuse(request: Request, response: Response, error: unknown): void {
    handle(request, response, (exchange) => {
      if (GUARDED.test(exchange.target)) admit(exchange, undefined);
      throw error;
    });
  }
  app.use((request: Request, response: Response) =>
    refuse(request, response, new HttpError(404, 'No such path')),
  );
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(request, response, error),
  );
  return app;
}
