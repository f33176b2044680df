/** Rules of settings: each parses a text and says what it must be. */

import { resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { limits } from '../limits.ts';
import { NAMED_SOURCES } from '../sources.ts';
import { canonicalSymbol, symbolOrFault } from '../symbols.ts';
import { type OvernightHours, TRADE_DATE_TURN } from '../time/calendar-rules.ts';
import { dayFromDate } from '../time/dates.ts';
import { isIP } from '../world/sockets.ts';

/** `words` continue the setting's name in messages. `read` gives undefined for a broken rule. */
export interface Rule<T> {
  words: string;
  read: (text: string) => T | undefined;
}

const rule = <T>(words: string, read: Rule<T>['read']): Rule<T> => ({ words, read });

export interface RateLimit {
  requests: number;
  windowS: number;
}

/** Trusted proxies: none, a number of them in a row, or those with these addresses or networks. */
export type TrustedProxies = false | number | readonly string[];

/** Parses a text by a rule. @throws {ConfigError} it breaks the rule. */
export function parsed<T>(name: string, text: string, { words, read }: Rule<T>): T {
  const value = read(text);
  if (value !== undefined) return value;
  throw new ConfigError(`${name} ${words}, got "${text}"`);
}

export const nonEmpty = rule('must not be empty', (text) => text || undefined);

export const folder = rule('must be a folder', (text) => (text ? resolve(text) : undefined));

export const port = rule('must be a port from 0 to 65535', (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
);

export const onOrOff = rule('must be on or off', (text) =>
  ['on', 'off'].includes(text) ? text === 'on' : undefined,
);

export const share = rule('must be a share from 0 to 1, like 0.001', (text) =>
  /^(0|1|0?\.\d{1,9})$/.test(text) ? Number(text) : undefined,
);

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

export const logLevel = rule(`must be one of ${LEVELS.join(', ')}`, (text) =>
  LEVELS.find((level) => level === text),
);

export const rateLimit = rule('must be REQUESTS/SECONDS like 600/60', (text) => {
  const [, requests, windowS] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return requests >= 1 && windowS >= 1 ? { requests, windowS } : undefined;
});

export function rateLimitFromText(text: string, field: string): RateLimit {
  return parsed(field, text, rateLimit);
}

const OVERNIGHT_ROW = /^(\d{4}-\d\d-\d\d)\/(\d\d):(\d\d)\/(\d\d):(\d\d)$/;

/** Parses rows of a first trade date and two openings on the evening before, from 20:00 on. */
export const overnightHours = rule(
  'must be rows DATE/HH:MM/HH:MM with times from 20:00 to 23:59, like 2027-03-01/20:00/21:00',
  (text) => {
    const rows = text === '' ? [] : text.split(',').map((row) => overnightRow(row.trim()));
    return rows.every((row) => row !== undefined) ? rows : undefined;
  },
);

function overnightRow(text: string): OvernightHours | undefined {
  const [, date = '', ...clock] = OVERNIGHT_ROW.exec(text) ?? [];
  const [openHour, openMinute, hour, minute] = clock.map(Number);
  const [open, reopen] = [openHour * 60 + openMinute, hour * 60 + minute];
  const isEvening = (time: number) => time >= TRADE_DATE_TURN && time < 24 * 60;
  const isDate = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  const isRow = date !== '' && isDate && openMinute < 60 && minute < 60;
  if (!isRow || !isEvening(open) || !isEvening(reopen)) return undefined;
  return { fromDay: dayFromDate(date), open, reopen };
}

export const httpAddress = rule('must be an http or https address', (url) =>
  URL.canParse(url) && /^https?:/i.test(url) ? url : undefined,
);

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

/** `off`, `on` (one proxy), a count of proxies, or a comma list of addresses and networks. */
export const trustedProxies = rule<TrustedProxies>(
  'must be off, on, a number of proxies, or addresses and networks like 10.0.0.0/8,::1',
  (text) => {
    const word = text.trim().toLowerCase();
    if (['off', 'false', '0', ''].includes(word)) return false;
    if (['on', 'true'].includes(word)) return 1;
    if (/^[1-9]\d?$/.test(word)) return Number(word);
    const proxies = word.split(',').map((part) => part.trim());
    const isKnown = (proxy: string) => PROXY_GROUPS.includes(proxy) || isNetwork(proxy);
    return proxies.every(isKnown) ? proxies : undefined;
  },
);

function isNetwork(text: string): boolean {
  const [address, bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** A comma list of origins as browsers send them, or `*`. */
export const corsOrigins = rule('must be origins like https://app.example.com, or *', (text) => {
  const origins = text.split(',').flatMap((part) => part.trim() || []);
  const isOrigin = (o: string) => o === '*' || (URL.canParse(o) && new URL(o).origin === o);
  return origins.every(isOrigin) ? origins : undefined;
});

const EMAIL = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;

/** The contact that is sent to the SEC in a header: one line with exactly one e-mail address. */
export const contact = rule(
  'must be an e-mail address, or words and an address like "Sample Company admin@example.com", ' +
    `in at most ${limits.contactCharsMax} characters of printable ASCII`,
  (text) => {
    const words = text.trim();
    const addresses = words.split(/\s+/).filter((word) => word.includes('@'));
    const isAddress = addresses.length === 1 && EMAIL.test(addresses[0].replace(/^<(.*)>$/, '$1'));
    const isShort = words.length <= limits.contactCharsMax;
    return isAddress && isShort && /^[ -~]+$/.test(words) ? words : undefined;
  },
);

/** Parses the operator's token. No message holds it. */
export function operatorToken(name: string, text: string): string {
  const token = text.trim();
  const { tokenCharsMin } = limits.operator;
  if (token.length >= tokenCharsMin && /^[!-~]+$/.test(token)) return token;
  throw new ConfigError(
    `${name} must be at least ${tokenCharsMin} characters of printable ASCII without blanks`,
  );
}

const WEBHOOK_KEY_BYTES = 32;

/** Reads the key that encrypts secrets of webhooks. @returns undefined if the text holds none. */
export function webhookKeyFrom(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === WEBHOOK_KEY_BYTES && key.toString('base64') === text ? key : undefined;
}

/** Parses the key that encrypts secrets of webhooks. No message holds it. */
export function webhookKey(name: string, text: string): Buffer {
  const key = webhookKeyFrom(text.trim());
  if (key) return key;
  throw new ConfigError(
    `${name} must hold ${WEBHOOK_KEY_BYTES} bytes in base64, as openssl rand -base64 32 writes them`,
  );
}

export const scheduledSources = rule<readonly string[] | 'off'>(
  `must be off or a list of ${NAMED_SOURCES.join(', ')} (sources with a key run because they ` +
    'have one)',
  (text) => {
    const sources = wordsOf(text.toLowerCase());
    if (sources.join() === 'off') return 'off';
    return sources.every((source) => NAMED_SOURCES.includes(source)) ? sources : undefined;
  },
);

/** Parses a list of symbols. @throws {ConfigError} one of them is none, or is not held. */
export function watchlist(name: string, text: string): string[] {
  const symbols = wordsOf(text).map((word) => {
    const found = symbolOrFault(() => canonicalSymbol(word));
    if ('symbol' in found) return found.symbol;
    throw new ConfigError(`${name} must be a list of symbols, and "${word}" ${found.fault}`);
  });
  return [...new Set(symbols)];
}

export const wordList = rule('must be a list', wordsOf);

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
