/**
 * Environment → validated settings. Every `TAPEWORKS_*` variable is listed here; an unknown one
 * is a startup error, because a misspelled setting that is silently ignored costs hours.
 */

import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './errors.ts';
import { limits } from './limits.ts';

export interface RateLimit {
  requests: number;
  windowS: number;
}

export interface Settings {
  dataDir: string;
  host: string;
  port: number;
  rateLimit: RateLimit;
  logLevel: string;
  /** E-mail address that vendors who ask for one are told. */
  contact: string | undefined;
  /** Base addresses of vendors, by upper-case vendor name, where the environment sets them. */
  vendorUrls: Record<string, string>;
}

/** Vendors that are asked over the network. */
const VENDORS = ['YAHOO', 'NASDAQTRADER', 'SEC'] as const;

const RATE_SHAPE = /^(\d+)\/(\d+)$/;

/** `600/60` → 600 requests in 60 seconds. */
export function rateLimitFromText(text: string, field: string): RateLimit {
  const match = RATE_SHAPE.exec(text);
  const requests = Number(match?.[1]);
  const windowS = Number(match?.[2]);
  if (!match || requests < 1 || windowS < 1) {
    throw new ConfigError(`${field} must be REQUESTS/SECONDS like 600/60, got "${text}"`);
  }
  return { requests, windowS };
}

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
  TAPEWORKS_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info'),
  TAPEWORKS_CONTACT: z.email().optional(),
} as const;

/** Names of all settings, for the documentation test. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(settings),
  ...VENDORS.map((vendor) => `TAPEWORKS_${vendor}_URL`),
];

/**
 * Reads the settings.
 *
 * @throws {ConfigError} a `TAPEWORKS_*` variable is unknown or breaks its rule; names it.
 */
export function settingsFromEnv(env: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(env).filter(([name]) => name.startsWith('TAPEWORKS_'));
  for (const [name] of given) {
    if (!SETTING_NAMES.includes(name)) {
      throw new ConfigError(`${name} is not a setting; known ones: ${SETTING_NAMES.join(', ')}`);
    }
  }
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
    logLevel: value.TAPEWORKS_LOG_LEVEL,
    contact: value.TAPEWORKS_CONTACT,
    vendorUrls: vendorUrls(env),
  };
}

function vendorUrls(env: NodeJS.ProcessEnv): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const vendor of VENDORS) {
    const url = env[`TAPEWORKS_${vendor}_URL`];
    if (url) urls[vendor] = url;
  }
  return urls;
}
