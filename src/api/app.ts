/** The HTTP application, without a port: settings and stores in, an Express app out. */

import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../base/config/config.ts';
import type { Mode } from '../base/config/data-dir.ts';
import { assert } from '../base/errors.ts';
import { limits } from '../base/limits/limits.ts';
import type { ServingReader } from '../store/arrow/snapshot/snapshot.ts';
import type { Accounts } from '../store/sqlite/accounts.ts';
import { type Admit, createAdmit } from './access/admission.ts';
import { documentationRoutes } from './docs/files.ts';
import { createHandle } from './http/handle.ts';
import type { Log } from './http/log.ts';
import { allowText, otherMethod, type RouteMethod, routedMethod } from './http/methods.ts';
import type { PublicRoute, Route } from './http/route.ts';
import { accessOfRoute, ROUTE_ACCESS, type RouteAccess } from './http/route-access.ts';
import { createOperatorCheck, noSuchPath } from './operator/access.ts';
import { boardHandler } from './operator/board-handler.ts';
import { healthRoutes } from './operator/health.ts';
import { JOBS_PATH } from './operator/jobs-page.ts';
import { newMetricMemory } from './operator/metrics/metric-memory.ts';
import { createRequestMetrics } from './operator/metrics/request-metrics.ts';
import { type OperatorSources, operatorRoutes } from './operator/routes.ts';
import { createSnapshotAnswers } from './responses/snapshot-cache.ts';
import { accountRoutes } from './routes/accounts/route.ts';
import { analystRoutes } from './routes/analysts/route.ts';
import { candleRoutes } from './routes/candles/route.ts';
import { corporateActionRoutes } from './routes/corporate-actions/route.ts';
import { earningsRoutes } from './routes/earnings/route.ts';
import { fundamentalRoutes } from './routes/fundamentals/route.ts';
import { insiderRoutes } from './routes/insider/route.ts';
import { keyRoutes } from './routes/keys/route.ts';
import { newsRoutes } from './routes/news/route.ts';
import { optionRoutes } from './routes/options/route.ts';
import { quoteRoutes } from './routes/quotes/route.ts';
import { screenerRoutes } from './routes/screener/route.ts';
import { symbolRoutes } from './routes/symbols/route.ts';
import { technicalRoutes } from './routes/technical/route.ts';
import { usageRoutes } from './routes/usage/route.ts';
import { deliveryRoutes } from './routes/webhooks/deliveries.ts';
import { webhookRoutes } from './routes/webhooks/route.ts';

export interface AppOptions {
  settings: Settings;
  readers: Record<Mode, ServingReader>;
  accounts: Accounts;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
  /** What the operator may see beside requests; default: nothing. */
  operator?: OperatorSources;
  /** Bytes of answers that are kept for repeated questions; default: all that the limit allows. */
  answerBytesMax?: number;
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
  webhookRoutes,
  deliveryRoutes,
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

/** Express without what it does for those who do not ask. */
function bareExpress({ trustProxy }: Pick<Settings, 'trustProxy'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);
  return app;
}

/**
 * There is no middleware: a layer costs as much as all of a route's own checks, so each route
 * makes them itself, by way of `handle`.
 *
 * @throws {Error} a route declares nothing in `route-access.ts`, or a declaration has no route.
 */
export function createApp(options: AppOptions): Express {
  const { settings, readers, accounts, now, log } = options;
  const { answerBytesMax = limits.answerCache.bytesMax } = options;
  const { operator = { memory: newMetricMemory(1), own: 0, families: [] } } = options;
  const app = bareExpress(settings);
  const admit: Admit = createAdmit(accounts, settings.rateLimit, now);
  const metrics = createRequestMetrics(operator.memory, operator.own);
  const { count: measure } = metrics;
  const origins = settings.corsOrigins;
  const handle = createHandle({ log, count: accounts.count, measure, origins, now });

  function mount(template: string, byMethod: ReadonlyMap<string, DeclaredRoute>): void {
    const allow = allowText([...byMethod.keys()] as RouteMethod[]);
    const number = metrics.routeNumber(`/v1${template}`);
    app.all(pathFromTemplate(template), (request, response) =>
      handle(request, response, (exchange) => {
        exchange.endpoint = template;
        exchange.route = number;
        const declared = byMethod.get(routedMethod(exchange.method));
        admit(exchange, declared?.access);
        return declared ? declared.route.answer(exchange) : otherMethod(exchange.method, allow);
      }),
    );
  }

  function mountPublic({ path, check, answer }: PublicRoute): void {
    const allow = allowText(['GET']);
    const number = metrics.routeNumber(path);
    app.all(path, (request, response) =>
      handle(request, response, (exchange) => {
        exchange.route = number;
        check?.(exchange);
        return routedMethod(exchange.method) === 'GET'
          ? answer(exchange)
          : otherMethod(exchange.method, allow);
      }),
    );
  }

  const answers = createSnapshotAnswers(answerBytesMax);
  const { webhookPrivate } = settings;
  const cursorSecret = accounts.cursorSecret();
  const sources = { readers, answers, accounts, webhookPrivate, cursorSecret, now };
  const routes = declaredRoutes(ROUTES.flatMap((of) => of(sources)));
  for (const [template, byMethod] of routes) mount(template, byMethod);
  const declared = [...routes.values()].flatMap((byMethod) => [...byMethod.values()]);
  const health = healthRoutes({ dataDir: settings.dataDir, readers, now });
  for (const route of health) mountPublic(route);
  for (const route of documentationRoutes(declared, health)) mountPublic(route);
  const check = createOperatorCheck(settings.operatorToken, accounts, now);
  const families = [metrics.families, ...operator.families];
  const measured = { dataDir: settings.dataDir, now, families };
  for (const route of operatorRoutes(operator.jobs, measured, check)) mountPublic(route);
  if (operator.jobs?.board) {
    const route = metrics.routeNumber(JOBS_PATH);
    app.use(JOBS_PATH, boardHandler(operator.jobs.board, { check, log, measure, route }));
  }

  /** What no route has taken; the router itself fails where a path can't be decoded. */
  function refuse(request: Request, response: Response, error: unknown): void {
    handle(request, response, (exchange) => {
      if (GUARDED.test(exchange.target)) admit(exchange, undefined);
      throw error;
    });
  }
  app.use((request: Request, response: Response) => refuse(request, response, noSuchPath()));
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(request, response, error),
  );
  return app;
}
