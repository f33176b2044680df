/** The HTTP application, without a port: settings and stores in, an Express app out. */

import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../config.ts';
import type { Mode } from '../data-dir.ts';
import { assert, HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import type { ServingReader } from '../store/serving/snapshot.ts';
import { accountRoutes } from './accounts.ts';
import { type Admit, createAdmit } from './admission.ts';
import { analystRoutes } from './analysts.ts';
import { candleRoutes } from './candles.ts';
import { corporateActionRoutes } from './corporate-actions.ts';
import { earningsRoutes } from './earnings.ts';
import { errorPage } from './error-pages.ts';
import { fundamentalRoutes } from './fundamentals.ts';
import { createHandle } from './handle.ts';
import { healthRoutes } from './health.ts';
import { insiderRoutes } from './insider.ts';
import { keyRoutes } from './keys.ts';
import type { Log } from './log.ts';
import { allowText, otherMethod, type RouteMethod, routedMethod } from './methods.ts';
import { newsRoutes } from './news.ts';
import { optionRoutes } from './options.ts';
import { quoteRoutes } from './quotes.ts';
import type { PublicRoute, Route } from './route.ts';
import { accessOfRoute, ROUTE_ACCESS, type RouteAccess } from './route-access.ts';
import { screenerRoutes } from './screener.ts';
import { createSnapshotAnswers } from './snapshot-answers.ts';
import { symbolRoutes } from './symbols.ts';
import { technicalRoutes } from './technical.ts';
import { usageRoutes } from './usage.ts';

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
  fundamentalRoutes,
  insiderRoutes,
  newsRoutes,
  analystRoutes,
  earningsRoutes,
  optionRoutes,
  keyRoutes,
  usageRoutes,
  accountRoutes,
];

/** All paths that need a key, those without a route among them. */
const GUARDED = /^\/v1\/svc(?:[/?#]|$)/;

/** Express paths: `/svc/quotes/{symbol}` → `/v1/svc/quotes/:symbol`. */
function pathFromTemplate(template: string): string {
  return `/v1${template.replace(/\{(\w+)\}/g, ':$1')}`;
}

interface DeclaredRoute {
  route: Route;
  access: RouteAccess;
}

/** By template, in the order in which Express has to try them, and then by method. */
function declaredRoutes(routes: readonly Route[]): Map<string, Map<string, DeclaredRoute>> {
  const declared = new Map<string, Map<string, DeclaredRoute>>();
  for (const route of routes) {
    const { method = 'GET', template } = route;
    const byMethod = declared.get(template) ?? new Map<string, DeclaredRoute>();
    byMethod.set(method, { route, access: accessOfRoute(`${method} ${template}`) });
    declared.set(template, byMethod);
  }
  const declaredCount = Object.keys(ROUTE_ACCESS).length;
  assert(routes.length === declaredCount, 'every declaration belongs to a route');
  return declared;
}

/**
 * There is no middleware: a layer costs as much as all of a route's own checks, so each route
 * makes them itself, by way of `handle`.
 *
 * @throws {Error} a route declares nothing in `route-access.ts`, or a declaration has no route.
 */
export function createApp({ settings, readers, accounts, now, log }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', settings.trustProxy);

  const admit: Admit = createAdmit(accounts, settings.rateLimit, now);
  const handle = createHandle({ log, count: accounts.count, origins: settings.corsOrigins });

  function mount(template: string, byMethod: ReadonlyMap<string, DeclaredRoute>): void {
    const allow = allowText([...byMethod.keys()] as RouteMethod[]);
    app.all(pathFromTemplate(template), (request, response) =>
      handle(request, response, (exchange) => {
        exchange.endpoint = template;
        const declared = byMethod.get(routedMethod(exchange.method));
        admit(exchange, declared?.access);
        return declared ? declared.route.answer(exchange) : otherMethod(exchange.method, allow);
      }),
    );
  }

  function mountPublic({ path, answer }: PublicRoute): void {
    const allow = allowText(['GET']);
    app.all(path, (request, response) =>
      handle(request, response, (exchange) =>
        routedMethod(exchange.method) === 'GET'
          ? answer(exchange)
          : otherMethod(exchange.method, allow),
      ),
    );
  }

  const answers = createSnapshotAnswers(limits.answerCache.bytesMax);
  const sources = { readers, answers, accounts, cursorSecret: accounts.cursorSecret(), now };
  const routes = declaredRoutes(ROUTES.flatMap((of) => of(sources)));
  for (const [template, byMethod] of routes) mount(template, byMethod);
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
