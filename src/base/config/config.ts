/**
 * Reads the settings from the environment. All `TAPEWORKS_*` variables are listed here. An unknown
 * one is a startup error, because a misspelled setting that is silently ignored costs hours.
 */

import { resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { limits } from '../limits.ts';
import { nearestName } from '../nearest-name.ts';
import { redisPlace } from '../redis/redis-address.ts';
import { KEYED_VENDORS, VENDOR_ADDRESSES } from '../sources.ts';
import { useOvernightHours } from '../time/calendar-rules.ts';
import { objectPlace, s3Access } from './object-place.ts';
import { postgresPlace } from './postgres-address.ts';
import * as rules from './values.ts';

const PREFIX = 'TAPEWORKS_';

/** Declares a setting; `byDefault` is the text that stands for a missing variable. */
function setting<T>(name: string, byDefault: string, rule: rules.Rule<T>) {
  const read = (given: string, text: string) => rules.parsed(given, text, rule);
  return { name: PREFIX + name, byDefault, read };
}

/** Declares a setting whose value is undefined if its variable is missing or blank. */
function optional<T>(name: string, read: (name: string, text: string) => T) {
  const readGiven = (given: string, text: string) => (text.trim() ? read(given, text) : undefined);
  return { name: PREFIX + name, byDefault: '', read: readGiven };
}

const { requests, windowS } = limits.rateLimit;

const SETTINGS = {
  dataDir: setting('DATA_DIR', './data', rules.folder),
  host: setting('HOST', '127.0.0.1', rules.nonEmpty),
  port: setting('PORT', '8787', rules.port),
  rateLimit: setting('RATE_LIMIT', `${requests}/${windowS}`, rules.rateLimit),
  /** Proxies before the server that may name a client's address. */
  trustProxy: setting('TRUST_PROXY', 'off', rules.trustedProxies),
  /** Origins whose pages may read responses; `*` for all. */
  corsOrigins: setting('CORS_ORIGINS', '', rules.corsOrigins),
  /** True if webhooks may lead to private networks and this machine, also by http. */
  webhookPrivate: setting('WEBHOOK_PRIVATE', 'off', rules.onOrOff),
  /** True to make Parquet files for other engines after each publish. */
  files: setting('FILES', 'on', rules.onOrOff),
  /** Share of screens that are computed again and compared with their response. */
  verify: setting('VERIFY', '0', rules.share),
  logLevel: setting('LOG_LEVEL', 'info', rules.logLevel),
  /** Token that opens `/metrics` and `/jobs`; undefined: they are off. */
  operatorToken: optional('ADMIN_TOKEN', rules.operatorToken),
  /** Address of the Redis that queues jobs; undefined: jobs run in the process that needs them. */
  redisUrl: optional('REDIS_URL', (_name, url) => redisPlace(url) && url),
  /** Address of the Postgres that has the accounts; undefined: a file in the data folder. */
  accountsUrl: optional('ACCOUNTS_URL', (_name, url) => postgresPlace(url.trim()) && url.trim()),
  /** Key that encrypts secrets of webhooks; undefined: that of `webhook.key` in the data folder. */
  webhookKey: optional('WEBHOOK_KEY', rules.webhookKey),
  /** Folder of segments, which machines may share; undefined: each mode's own. */
  segmentsDir: optional('SEGMENTS_DIR', (_name, path) => resolve(path)),
  /** Object storage in which fetched segments and uploads travel; undefined: folders. */
  segmentsUrl: optional('SEGMENTS_URL', objectPlace),
  /** Object storage for published files, which replicas follow; undefined: they stay here. */
  snapshotsUrl: optional('SNAPSHOTS_URL', objectPlace),
  /** E-mail address that is sent to vendors that require one. */
  contact: optional('CONTACT', (name, text) => rules.parsed(name, text, rules.contact)),
  /** Feeds, as addresses or files, that are read by default. */
  rssFeeds: setting('RSS_FEEDS', 'https://finance.yahoo.com/news/rssindex', rules.wordList),
  /** Hours of overnight trading beside those that the calendar knows. */
  overnightHours: setting('OVERNIGHT_HOURS', '', rules.overnightHours),
  /** Sources that schedules use only if named here, since they need no key; or no schedules. */
  schedule: setting('SCHEDULE', '', rules.scheduledSources),
  /** Canonical symbols that schedules request from single-symbol sources. */
  watchlist: { name: `${PREFIX}WATCHLIST`, byDefault: '', read: rules.watchlist },
};

type PlainSettings = {
  [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']>;
};

export interface Settings extends PlainSettings {
  /** Base addresses of vendors that the environment sets, by upper-case vendor name. */
  vendorUrls: Record<string, string>;
  /** Keys of vendors, and rate limits of paid subscriptions, by the same names. */
  vendorKeys: Record<string, string>;
  vendorLimits: Record<string, rules.RateLimit>;
}

/** Settings that a request to a vendor uses. */
export type VendorSettings = Pick<
  Settings,
  'dataDir' | 'contact' | 'vendorUrls' | 'vendorKeys' | 'vendorLimits'
> &
  Partial<Pick<Settings, 'redisUrl'>>;

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.values(SETTINGS).map(({ name }) => name),
  'TAPEWORKS_ALPACA_SECRET',
  ...VENDOR_ADDRESSES.map((vendor) => `TAPEWORKS_${vendor}_URL`),
  ...KEYED_VENDORS.flatMap((vendor) => [`TAPEWORKS_${vendor}_KEY`, `TAPEWORKS_${vendor}_LIMIT`]),
];

/** Settings of the API's clients. The program itself does not use them. */
export const CLIENT_SETTING_NAMES: readonly string[] = ['TAPEWORKS_API_KEY', 'TAPEWORKS_URL'];

/** Returns the default of a setting as text; undefined if it has none, or its vendor decides. */
export function settingDefault(name: string): string | undefined {
  return Object.values(SETTINGS).find((known) => known.name === name)?.byDefault || undefined;
}

/** Reads the settings, and gives the calendar its hours. @throws {ConfigError} a variable is unknown or breaks its rule. */
export function settingsFromEnv(env: NodeJS.ProcessEnv): Settings {
  for (const name of Object.keys(env)) if (name.startsWith(PREFIX)) requireKnown(name);
  const values = Object.entries(SETTINGS).map(([field, { name, byDefault, read }]) => {
    return [field, read(name, env[name] ?? byDefault)];
  });
  const plain = Object.fromEntries(values) as PlainSettings;
  for (const field of ['segmentsUrl', 'snapshotsUrl'] as const) {
    if (plain[field]?.kind === 's3') s3Access(SETTINGS[field].name, env);
  }
  useOvernightHours(plain.overnightHours);
  return {
    ...plain,
    vendorUrls: byVendor(VENDOR_ADDRESSES, (vendor) =>
      vendorValue(env, `${PREFIX}${vendor}_URL`, rules.httpAddress),
    ),
    vendorKeys: byVendor(KEYED_VENDORS, (vendor) => keyOf(env, vendor)),
    vendorLimits: byVendor(KEYED_VENDORS, (vendor) =>
      vendorValue(env, `${PREFIX}${vendor}_LIMIT`, rules.rateLimit),
    ),
  };
}

function requireKnown(name: string): void {
  const known = [...SETTING_NAMES, ...CLIENT_SETTING_NAMES];
  if (known.includes(name)) return;
  // Without the common prefix, which is spelled right here.
  const ends = known.map((one) => one.slice(PREFIX.length));
  const nearest = nearestName(name.slice(PREFIX.length), ends);
  const hint = nearest === undefined ? '' : `; did you mean ${PREFIX}${nearest}?`;
  throw new ConfigError(`${name} is not a setting${hint} (tapeworks settings lists all)`);
}

function vendorValue<T>(env: NodeJS.ProcessEnv, name: string, rule: rules.Rule<T>): T | undefined {
  const text = env[name];
  return text ? rules.parsed(name, text, rule) : undefined;
}

function byVendor<T>(
  vendors: readonly string[],
  read: (vendor: string) => T | undefined,
): Record<string, T> {
  return Object.fromEntries(
    vendors.flatMap((vendor) => {
      const value = read(vendor);
      return value === undefined ? [] : [[vendor, value]];
    }),
  );
}

/** Reads a vendor's key. Alpaca's is `ID:SECRET`, or in two settings. */
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
