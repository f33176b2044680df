/** The HTTP application, without a port: settings and stores in, an Express app out. */

import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../base/config/config.ts';
import { backfillsLockPath, type Mode, modePaths, uploadsPath } from '../base/config/data-dir.ts';
import { HttpError } from '../base/errors.ts';
import { isLocked } from '../base/file-lock.ts';
import { limits } from '../base/limits.ts';
import { existsSync } from '../base/world/files.ts';
import type { Accounts } from '../store/accounts/records/contract.ts';
import type { ServingReader, Snapshot } from '../store/arrow/snapshot/snapshot.ts';
import { openFileSets } from '../store/parquet/file-sets.ts';
import { sharedSegments } from '../store/shared/shared-segments.ts';
import { type Admit, createAdmit, type RouteAccess } from './access/admission.ts';
import { UnknownKeyError } from './access/authenticate.ts';
import { createFileLinks } from './access/file-links.ts';
import { createIdempotent } from './access/idempotent.ts';
import { type Adapter, createCalls, takeKey } from './contract/adapter.ts';
import type { PublicRoute, Route, RouteSources } from './contract/route.ts';
import { documentationRoutes } from './docs/routes.ts';
import { statusFromError } from './http/error-response.ts';
import { createHandle } from './http/handle.ts';
import type { Log } from './http/log.ts';
import { allowText, otherMethod, type RouteMethod, routedMethod } from './http/methods.ts';
import { checkedQuery, noParameters } from './http/query.ts';
import type { AdmittedContext, RequestContext } from './http/request-context.ts';
import type { ApiResponse } from './http/response.ts';
import { massiveAdapters } from './massive/adapters.ts';
import { failed, isMassivePath } from './massive/protocol.ts';
import { mcpAdapter } from './mcp/adapter.ts';
import type { SqlQueries } from './mcp/tools/sql.ts';
import { udfAdapters, udfConfigRoutes } from './openbb/udf.ts';
import { widgetAdapters, widgetsRoute } from './openbb/widgets.ts';
import { createOperatorCheck, noSuchPath } from './operator/access.ts';
import { healthRoutes } from './operator/health.ts';
import { boardHandler, JOBS_PATH } from './operator/jobs-page.ts';
import { createRequestMetrics, newMetricMemory } from './operator/metrics/request-metrics.ts';
import { type OperatorSources, operatorRoutes } from './operator/routes.ts';
import { pageRoutes } from './page/routes.ts';
import { createPageCache, createSnapshotCache } from './responses/cached.ts';
import { createCursors } from './responses/cursor.ts';
import { ROUTES } from './routes/routes.ts';
import { createScreens, type Screens } from './screens/client.ts';
import { createStreams, type Streams } from './streams/streams.ts';

export interface AppOptions {
  settings: Settings;
  readers: Record<Mode, ServingReader>;
  accounts: Accounts;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
  /** Default: no metrics but those of requests and data, and no jobs. */
  operator?: OperatorSources;
  /** Bytes of cached responses; default: the whole limit. */
  responseBytesMax?: number;
  /** Default: none, so that screens with expressions are 503. */
  screens?: Screens;
  /** Default: none, so that agents get no tool for SQL. */
  sql?: SqlQueries;
  /** Default: streams with the usual bounds, which end with their connections. */
  streams?: Streams;
  /** Default: all. */
  routes?: readonly Route[];
}

/** Matches all paths that need a key, also those without a route. */
const GUARDED = /^\/v1\/svc(?:[/?#]|$)/;

/** Converts a template to Express's form: `/svc/quotes/{symbol}` to `/v1/svc/quotes/:symbol`. */
function pathFromTemplate(template: string): string {
  return `/v1${template.replace(/\{(\w+)\}/g, ':$1')}`;
}

/** Creates an Express app without its optional features. */
function bareExpress({ trustProxy }: Pick<Settings, 'trustProxy'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);
  return app;
}

/** Creates the app. It has no middleware: a layer costs as much as all checks of a route. */
export function createApp(options: AppOptions): Express {
  const {
    settings,
    readers,
    accounts,
    now,
    log,
    routes = ROUTES,
    screens = createScreens(),
    streams = createStreams({ accounts, now, log }),
  } = options;
  const { responseBytesMax = limits.responseCache.bytesMax } = options;
  const { operator = { memory: newMetricMemory(1), own: 0, families: [] } } = options;
  const { dataDir, redisUrl } = settings;
  const app = bareExpress(settings);
  const secret = accounts.cursorSecret();
  const isShared = accounts.contactMs() !== undefined;
  const links = createFileLinks(secret, now);
  const admit: Admit = createAdmit(accounts, links, settings.rateLimit, now);
  const metrics = createRequestMetrics(operator.memory, operator.own);
  const { count: measure } = metrics;
  const origins = settings.corsOrigins;
  const handle = createHandle({ log, count: accounts.count, measure, origins, now });
  const pageCache = createPageCache(now);
  const openFiles = (mode: Mode) => {
    const { files, replicaState } = modePaths(dataDir, mode);
    return openFileSets(files, () => settings.files && existsSync(replicaState));
  };
  const sources: RouteSources = {
    readers,
    files: { live: openFiles('live'), sandbox: openFiles('sandbox') },
    accounts,
    cached: createSnapshotCache(responseBytesMax),
    links,
    cursors: createCursors(secret, now),
    screens,
    streams,
    once: createIdempotent(accounts),
    webhookPrivate: settings.webhookPrivate,
    jobsRun: () => redisUrl !== undefined || isLocked(backfillsLockPath(dataDir)),
    uploads: uploadsPath(dataDir),
    sharedUploads: sharedSegments(settings),
    now,
  };

  function respond(route: Route, context: AdmittedContext, version?: Snapshot) {
    if (!route.contract.query) checkedQuery(noParameters, context.query);
    if (!route.isPageCached) return route.respond(context, sourcesOf(context.key.mode, version));
    route.charge?.(context);
    const { id } = readers[context.key.mode].current();
    return pageCache(context, id, () => route.respond(context, sources));
  }

  /** Returns the sources of a route that reads one version. Default: the newest at each read. */
  function sourcesOf(mode: Mode, version: Snapshot | undefined): RouteSources {
    if (!version) return sources;
    const reader = { ...readers[mode], current: () => version };
    return { ...sources, readers: { ...readers, [mode]: reader } };
  }

  /** Admits a request. A key that was made on another machine may need a look first. */
  function admitted<T>(
    context: RequestContext,
    access: RouteAccess | undefined,
    next: (context: AdmittedContext) => T | Promise<T>,
    isFirst = isShared,
  ): T | Promise<T> {
    try {
      admit(context, access, isFirst);
    } catch (error) {
      if (!(isFirst && error instanceof UnknownKeyError)) throw error;
      // Without Postgres the key stays unknown.
      const looked = accounts.refresh().catch(() => undefined);
      return looked.then(() => admitted(context, access, next, false));
    }
    return next(context);
  }

  /** @param name Path as the metrics have it. */
  function serve(
    path: string,
    name: string,
    answer: (context: RequestContext) => ApiResponse | Promise<ApiResponse>,
  ): void {
    const route = metrics.routeNumber(name);
    app.all(path, (request, response) =>
      handle(request, response, (context) => {
        context.route = route;
        return answer(context);
      }),
    );
  }

  /** @param methods Routes of one path. */
  function mount(template: string, methods: readonly Route[]): void {
    const byMethod = new Map(methods.map((route) => [route.method ?? 'GET', route] as const));
    const allow = allowText([...byMethod.keys()]);
    serve(pathFromTemplate(template), `/v1${template}`, (context) => {
      context.endpoint = template;
      const route = byMethod.get(routedMethod(context.method) as RouteMethod);
      return admitted(context, route?.access, (own) =>
        route ? respond(route, own) : otherMethod(own.method, allow),
      );
    });
  }

  function mountPublic(route: PublicRoute): void {
    const { method = 'GET', path, check } = route;
    const allow = allowText([method]);
    serve(path, path, (context) => {
      check?.(context);
      return routedMethod(context.method) === method
        ? route.respond(context)
        : otherMethod(context.method, allow);
    });
  }

  const callsOf = createCalls(routes, accounts, readers, respond);

  function mountAdapter(adapter: Adapter): void {
    const { path, method = 'GET', keyParameter, respond: adapted, failed } = adapter;
    const allow = allowText([method]);
    serve(path, path, async (context) => {
      try {
        if (keyParameter) takeKey(context, keyParameter);
        return await admitted(context, undefined, (own) =>
          routedMethod(own.method) === method
            ? adapted(own, callsOf(own))
            : otherMethod(own.method, allow),
        );
      } catch (error) {
        const status = statusFromError(error);
        if (!failed || status >= 500) throw error;
        const { message } = error as Error;
        const headers = error instanceof HttpError ? error.headers : [];
        const written = failed(status, message, context);
        return { ...written, headers: [...written.headers, ...headers] };
      }
    });
  }

  // Express tries paths in this order.
  for (const [template, methods] of Map.groupBy(routes, (route) => route.template)) {
    mount(template, methods);
  }
  const health = healthRoutes({ dataDir, readers, now });
  for (const route of health) mountPublic(route);
  for (const route of documentationRoutes(routes, health)) mountPublic(route);
  for (const route of pageRoutes({ dataDir, readers, now })) mountPublic(route);
  for (const route of [widgetsRoute, ...udfConfigRoutes]) mountPublic(route);
  const mcp = mcpAdapter({ dataDir: settings.dataDir, corsOrigins: origins, sql: options.sql });
  const adapters = [...widgetAdapters, ...udfAdapters(now), ...massiveAdapters(now), mcp];
  for (const adapter of adapters) mountAdapter(adapter);
  const check = createOperatorCheck(settings.operatorToken, accounts, now);
  const families = [metrics.families, ...operator.families];
  const measured = { dataDir, now, families, accounts };
  for (const route of operatorRoutes(operator, measured, check)) mountPublic(route);
  if (operator.jobs?.board) {
    const route = metrics.routeNumber(JOBS_PATH);
    app.use(JOBS_PATH, boardHandler(operator.jobs.board, { check, log, measure, route }));
  }

  /** Handles a request without a route, and a path that the router can't decode. */
  function refuse(request: Request, response: Response, error: unknown): void {
    handle(request, response, (context) => {
      if (GUARDED.test(context.target)) admit(context, undefined);
      const status = statusFromError(error);
      if (status >= 500 || !isMassivePath(context.target)) throw error;
      return failed(status, (error as Error).message, context);
    });
  }
  app.use((request: Request, response: Response) => refuse(request, response, noSuchPath()));
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(request, response, error),
  );
  return app;
}
