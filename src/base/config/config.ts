/**
 * Reads the settings from the environment. All `TAPEWORKS_*` variables are listed here. An unknown
 * one is a startup error, because a misspelled setting that is silently ignored costs hours.
 */

import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.ts';
import { limits } from '../limits/limits.ts';
import { nearestName } from '../nearest-name.ts';
import { redisPlace } from '../redis-address.ts';
import { KEYED_VENDORS, VENDOR_ADDRESSES } from '../sources.ts';
import {
  contact,
  corsOrigins,
  operatorToken,
  type RateLimit,
  rateLimitFromText,
  scheduledSources,
  type TrustedProxies,
  trustedProxies,
  watchlist,
  wordsOf,
} from './values.ts';

export interface Settings {
  dataDir: string;
  host: string;
  port: number;
  rateLimit: RateLimit;
  /** Proxies before the server that may name a client's address. */
  trustProxy: TrustedProxies;
  /** Origins whose pages may read responses; `*` for all. */
  corsOrigins: readonly string[];
  /** True if webhooks may lead to private networks and this machine, also by http. */
  webhookPrivate: boolean;
  logLevel: string;
  /** Token that opens `/metrics` and `/jobs`; undefined: they are off. */
  operatorToken: string | undefined;
  /** Address of the Redis that queues jobs; undefined: jobs run in the process that needs them. */
  redisUrl: string | undefined;
  /** Folder of segments that all machines share; undefined: each mode's own. */
  segmentsDir: string | undefined;
  /** E-mail address that is sent to vendors that require one. */
  contact: string | undefined;
  /** Feeds, as addresses or files, that are read by default. */
  rssFeeds: string[];
  /** Sources that schedules use only if named here, since they need no key; or no schedules. */
  schedule: readonly string[] | 'off';
  /** Canonical symbols that schedules request from single-symbol sources. */
  watchlist: readonly string[];
  /** Base addresses of vendors that the environment sets, by upper-case vendor name. */
  vendorUrls: Record<string, string>;
  /**
   * Keys of vendors, and rate limits that differ from the free subscription's, by the same names.
   */
  vendorKeys: Record<string, string>;
  vendorLimits: Record<string, RateLimit>;
}

/** Settings that a request to a vendor uses. */
export type VendorSettings = Pick<
  Settings,
  'dataDir' | 'contact' | 'vendorUrls' | 'vendorKeys' | 'vendorLimits'
> &
  Partial<Pick<Settings, 'redisUrl'>>;

const PREFIX = 'TAPEWORKS_';

const PORT_RULE = 'must be a port from 0 to 65535';

const settings = {
  TAPEWORKS_DATA_DIR: z.string().min(1).default('./data'),
  TAPEWORKS_HOST: z.string().min(1).default('127.0.0.1'),
  TAPEWORKS_PORT: z.coerce
    .number(PORT_RULE)
    .int(PORT_RULE)
    .min(0, PORT_RULE)
    .max(65_535, PORT_RULE)
    .default(8787),
  TAPEWORKS_RATE_LIMIT: z
    .string()
    .default(`${limits.rateLimit.requests}/${limits.rateLimit.windowS}`),
  TAPEWORKS_TRUST_PROXY: z.string().default('off'),
  TAPEWORKS_CORS_ORIGINS: z.string().default(''),
  TAPEWORKS_WEBHOOK_PRIVATE: z.enum(['on', 'off'], 'must be on or off').default('off'),
  TAPEWORKS_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info'),
  TAPEWORKS_ADMIN_TOKEN: z.string().optional(),
  TAPEWORKS_REDIS_URL: z.string().optional(),
  TAPEWORKS_SEGMENTS_DIR: z.string().optional(),
  TAPEWORKS_CONTACT: z.string().default(''),
  TAPEWORKS_RSS_FEEDS: z.string().default('https://finance.yahoo.com/news/rssindex'),
  TAPEWORKS_SCHEDULE: z.string().default(''),
  TAPEWORKS_WATCHLIST: z.string().default(''),
  TAPEWORKS_ALPACA_SECRET: z.string().optional(),
} as const;

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(settings),
  ...VENDOR_ADDRESSES.map((vendor) => `TAPEWORKS_${vendor}_URL`),
  ...KEYED_VENDORS.flatMap((vendor) => [`TAPEWORKS_${vendor}_KEY`, `TAPEWORKS_${vendor}_LIMIT`]),
];

/** Settings of the API's clients. The program itself does not use them. */
export const CLIENT_SETTING_NAMES: readonly string[] = ['TAPEWORKS_API_KEY', 'TAPEWORKS_URL'];

/**
 * Returns the default of a setting as text.
 *
 * @returns undefined if the setting has none, or its vendor decides.
 */
export function settingDefault(name: string): string | undefined {
  if (!Object.hasOwn(settings, name)) return undefined;
  const value = settings[name as keyof typeof settings].safeParse(undefined).data;
  return value === undefined || value === '' ? undefined : String(value);
}

/**
 * Reads the settings.
 *
 * @throws {ConfigError} a `TAPEWORKS_*` variable is unknown or breaks its rule; the message names
 *   it.
 */
export function settingsFromEnv(env: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(env).filter(([name]) => name.startsWith(PREFIX));
  for (const [name] of given) requireKnown(name);
  const parsed = z.object(settings).safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue.path[0]);
    throw new ConfigError(`${name} ${issue.message}, got "${env[name]}"`);
  }
  const value = parsed.data;
  return {
    dataDir: resolve(value.TAPEWORKS_DATA_DIR),
    host: value.TAPEWORKS_HOST,
    port: value.TAPEWORKS_PORT,
    rateLimit: rateLimitFromText(value.TAPEWORKS_RATE_LIMIT, 'TAPEWORKS_RATE_LIMIT'),
    trustProxy: trustedProxies(value.TAPEWORKS_TRUST_PROXY),
    corsOrigins: corsOrigins(value.TAPEWORKS_CORS_ORIGINS),
    webhookPrivate: value.TAPEWORKS_WEBHOOK_PRIVATE === 'on',
    logLevel: value.TAPEWORKS_LOG_LEVEL,
    operatorToken: operatorToken(value.TAPEWORKS_ADMIN_TOKEN),
    redisUrl: checkedRedisUrl(value.TAPEWORKS_REDIS_URL),
    segmentsDir: value.TAPEWORKS_SEGMENTS_DIR ? resolve(value.TAPEWORKS_SEGMENTS_DIR) : undefined,
    contact: contact(value.TAPEWORKS_CONTACT),
    rssFeeds: wordsOf(value.TAPEWORKS_RSS_FEEDS),
    schedule: scheduledSources(value.TAPEWORKS_SCHEDULE),
    watchlist: watchlist(value.TAPEWORKS_WATCHLIST),
    vendorUrls: byVendor(VENDOR_ADDRESSES, (vendor) => urlOf(env, vendor)),
    vendorKeys: byVendor(KEYED_VENDORS, (vendor) => keyOf(env, vendor)),
    vendorLimits: byVendor(KEYED_VENDORS, (vendor) => {
      const name = `TAPEWORKS_${vendor}_LIMIT`;
      const text = env[name];
      return text ? rateLimitFromText(text, name) : undefined;
    }),
  };
}

function requireKnown(name: string): void {
  const known = [...SETTING_NAMES, ...CLIENT_SETTING_NAMES];
  if (known.includes(name)) return;
  // Without the common prefix, which is spelled right here.
  const ends = known.map((setting) => setting.slice(PREFIX.length));
  const nearest = nearestName(name.slice(PREFIX.length), ends);
  const hint = nearest === undefined ? '' : `; did you mean ${PREFIX}${nearest}?`;
  throw new ConfigError(`${name} is not a setting${hint} (tapeworks settings lists all)`);
}

function checkedRedisUrl(url: string | undefined): string | undefined {
  if (!url) return undefined;
  redisPlace(url);
  return url;
}

function byVendor<T>(
  vendors: readonly string[],
  read: (vendor: string) => T | undefined,
): Record<string, T> {
  const values: Record<string, T> = {};
  for (const vendor of vendors) {
    const value = read(vendor);
    if (value !== undefined) values[vendor] = value;
  }
  return values;
}

function urlOf(env: NodeJS.ProcessEnv, vendor: string): string | undefined {
  const name = `TAPEWORKS_${vendor}_URL`;
  const url = env[name];
  if (!url) return undefined;
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw new ConfigError(`${name} must be an http or https address, got "${url}"`);
}

/**
 * Reads a vendor's key. Alpaca's is `ID:SECRET`, or in two settings. A message never holds a key.
 */
function keyOf(env: NodeJS.ProcessEnv, vendor: string): string | undefined {
  const name = `TAPEWORKS_${vendor}_KEY`;
  const key = env[name]?.trim();
  const secret = vendor === 'ALPACA' ? env.TAPEWORKS_ALPACA_SECRET?.trim() : undefined;
  if (!key && !secret) return undefined;
  const whole = secret ? `${key ?? ''}:${secret}` : (key ?? '');
  if (!/^[!-~]+$/.test(whole)) {
    throw new ConfigError(`${name} must be printable ASCII without blanks`);
  }
  if (vendor === 'ALPACA' && !/^[^:]+:[^:]+$/.test(whole)) {
    throw new ConfigError('TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET go together');
  }
  return whole;
}
