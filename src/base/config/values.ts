/** Parses the texts of settings that are more than a word or a number. */

import { isIP } from 'node:net';
import { ConfigError } from '../errors.ts';
import { limits } from '../limits/limits.ts';
import { NAMED_SOURCES } from '../sources.ts';
import { canonicalSymbol } from '../symbols.ts';

export interface RateLimit {
  requests: number;
  windowS: number;
}

/** Trusted proxies: none, a number of them in a row, or those with these addresses or networks. */
export type TrustedProxies = false | number | readonly string[];

const RATE_SHAPE = /^(\d+)\/(\d+)$/;

/** Parses a rate limit: `600/60` is 600 requests in 60 seconds. */
export function rateLimitFromText(text: string, field: string): RateLimit {
  const match = RATE_SHAPE.exec(text);
  const requests = Number(match?.[1]);
  const windowS = Number(match?.[2]);
  if (!match || requests < 1 || windowS < 1) {
    throw new ConfigError(`${field} must be REQUESTS/SECONDS like 600/60, got "${text}"`);
  }
  return { requests, windowS };
}

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Parses `off`, `on` (one proxy), a count of proxies, or a comma list of addresses and networks.
 */
export function trustedProxies(text: string): TrustedProxies {
  const word = text.trim().toLowerCase();
  if (['off', 'false', '0', ''].includes(word)) return false;
  if (['on', 'true'].includes(word)) return 1;
  if (/^[1-9]\d?$/.test(word)) return Number(word);
  const proxies = word.split(',').map((part) => part.trim());
  if (proxies.every((proxy) => PROXY_GROUPS.includes(proxy) || isNetwork(proxy))) return proxies;
  throw new ConfigError(
    'TAPEWORKS_TRUST_PROXY must be off, on, a number of proxies, or addresses and networks ' +
      `like 10.0.0.0/8,::1, got "${text}"`,
  );
}

function isNetwork(text: string): boolean {
  const [address, bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** Parses a comma list of origins as browsers send them, or `*`. */
export function corsOrigins(text: string): string[] {
  const origins = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = origins.find((o) => o !== '*' && !(URL.canParse(o) && new URL(o).origin === o));
  if (wrong === undefined) return origins;
  throw new ConfigError(
    `TAPEWORKS_CORS_ORIGINS must be origins like https://app.example.com, or *, got "${wrong}"`,
  );
}

const EMAIL = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;

/**
 * Parses the contact that is sent to the SEC in a header: an e-mail address, or words and an
 * address.
 *
 * @throws {ConfigError} there is no single address, or the text is not one line of printable ASCII.
 */
export function contact(text: string): string | undefined {
  const words = text.trim();
  if (words === '') return undefined;
  const addresses = words.split(/\s+/).filter((word) => word.includes('@'));
  const isAddress = addresses.length === 1 && EMAIL.test(addresses[0].replace(/^<(.*)>$/, '$1'));
  const isShort = words.length <= limits.contactCharsMax;
  if (isAddress && isShort && /^[ -~]+$/.test(words)) return words;
  throw new ConfigError(
    'TAPEWORKS_CONTACT must be an e-mail address, or words and an address like ' +
      `"Sample Company admin@example.com", in at most ${limits.contactCharsMax} characters of ` +
      `printable ASCII, got "${text}"`,
  );
}

/** Parses the operator's token. A message never holds it. */
export function operatorToken(text: string | undefined): string | undefined {
  const token = text?.trim();
  if (!token) return undefined;
  const charsMin = limits.operator.tokenCharsMin;
  if (token.length >= charsMin && /^[!-~]+$/.test(token)) return token;
  throw new ConfigError(
    `TAPEWORKS_ADMIN_TOKEN must be at least ${charsMin} characters of printable ASCII without blanks`,
  );
}

export function scheduledSources(text: string): readonly string[] | 'off' {
  if (text.trim().toLowerCase() === 'off') return 'off';
  const sources = wordsOf(text).map((word) => word.toLowerCase());
  if (sources.every((source) => NAMED_SOURCES.includes(source))) return sources;
  throw new ConfigError(
    `TAPEWORKS_SCHEDULE must be off or a list of ${NAMED_SOURCES.join(', ')} (sources with a key ` +
      `run because they have one), got "${text}"`,
  );
}

export function watchlist(text: string): readonly string[] {
  try {
    return [...new Set(wordsOf(text).map((word) => canonicalSymbol(word)))];
  } catch (cause) {
    throw new ConfigError(`TAPEWORKS_WATCHLIST must be a list of symbols, got "${text}"`, {
      cause,
    });
  }
}

export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
