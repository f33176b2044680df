/**
 * All routes: a row per noun. The app, `/v1/openapi.json`, `/docs`, `docs/routes.md`, the metrics
 * and the usage endpoints are made from this list.
 */

import type { Route } from '../contract/route.ts';
import { NO_ENDPOINT } from '../http/send.ts';
import { accountRoutes } from './accounts/route.ts';
import { analystRoutes } from './analysts/route.ts';
import { uploadRoutes } from './backfills/files.ts';
import { backfillRoutes } from './backfills/route.ts';
import { candleOriginRoutes } from './candle-origin/route.ts';
import { candleRoutes } from './candles/route.ts';
import { corporateActionRoutes } from './corporate-actions/route.ts';
import { earningsRoutes } from './earnings/route.ts';
import { factorRoutes } from './factors/route.ts';
import { fileRoutes } from './files/route.ts';
import { filingRoutes } from './filings/route.ts';
import { fundamentalRoutes } from './fundamentals/route.ts';
import { indicatorRoutes } from './indicators/route.ts';
import { insiderRoutes } from './insider/route.ts';
import { keyRoutes } from './keys/route.ts';
import { newsRoutes } from './news/route.ts';
import { optionRoutes } from './options/route.ts';
import { quoteRoutes } from './quotes/route.ts';
import { screenerRoutes } from './screener/route.ts';
import { screenRoutes } from './screens/route.ts';
import { streamRoutes } from './stream/route.ts';
import { studyRoutes } from './study/route.ts';
import { symbolRoutes } from './symbols/route.ts';
import { technicalRoutes } from './technical/route.ts';
import { universeRoutes } from './universes/route.ts';
import { USAGE_PATHS, usageRoutes } from './usage/route.ts';
import { deliveryRoutes } from './webhooks/deliveries.ts';
import { webhookRoutes } from './webhooks/route.ts';

const NOUNS: readonly Route[] = [
  ...technicalRoutes,
  ...indicatorRoutes,
  ...quoteRoutes,
  ...candleRoutes,
  ...candleOriginRoutes,
  ...fileRoutes,
  ...screenerRoutes,
  ...screenRoutes,
  ...studyRoutes,
  ...symbolRoutes,
  ...universeRoutes,
  ...corporateActionRoutes,
  ...factorRoutes,
  ...fundamentalRoutes,
  ...filingRoutes,
  ...insiderRoutes,
  ...newsRoutes,
  ...analystRoutes,
  ...earningsRoutes,
  ...optionRoutes,
  // Before the path with an id, which would match it too.
  ...uploadRoutes,
  ...backfillRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...streamRoutes,
];

const templates = new Set([...NOUNS.map(({ template }) => template), ...USAGE_PATHS]);

/** Endpoints that usage is counted by: all templates, and one for paths without a route. */
export const USAGE_ENDPOINTS: readonly string[] = [...[...templates].sort(), NO_ENDPOINT];

export const ROUTES: readonly Route[] = [...NOUNS, ...usageRoutes(USAGE_ENDPOINTS)];

/** Returns the name of a route: `GET /svc/quotes/{symbol}`. */
export function routeName({ method = 'GET', template }: Route): string {
  return `${method} ${template}`;
}
