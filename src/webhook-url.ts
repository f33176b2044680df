/** Addresses that webhooks may be sent to, as far as the text alone shows it. */

import { isIP } from 'node:net';
import { ParameterError } from './errors.ts';
import { limits } from './limits.ts';
import { isPublicAddress } from './public-address.ts';

/** Parsers of URLs mend or drop more than this, which would hide from people what is meant. */
const PLAIN = /^https?:\/\/[^\s\p{C}/\\][^\s\p{C}\\]*$/iu;

/** Also an empty one, which parsers drop. */
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

const LOCALHOST = /(^|\.)localhost(\.localdomain)?$/;

/**
 * The address of a webhook. Names are not resolved: where they lead is checked at each connection.
 *
 * @param text         An absolute URL.
 * @param allowPrivate The operator's word that http, private networks and this machine are meant.
 * @throws {ParameterError} `url`: it is none, or none that may be called.
 */
export function checkedWebhookUrl(text: string, allowPrivate: boolean): URL {
  const { urlCharsMax } = limits.webhook;
  if (text.length > urlCharsMax) throw refused(text, `must have at most ${urlCharsMax} characters`);
  const url = PLAIN.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) {
    throw refused(text, `must be an ${allowPrivate ? 'http or https' : 'https'} address`);
  }
  if (CREDENTIALS.test(text)) {
    throw new ParameterError('url', 'url must not hold a user name or password');
  }
  if (url.port === '0') throw refused(text, 'must not have port 0');
  if (url.hostname.endsWith('.')) throw refused(text, 'must have a host without a dot at its end');
  if (!allowPrivate && isPrivateHost(url.hostname)) {
    throw refused(text, 'must not lead to this machine or a private network');
  }
  return url;
}

/**
 * @param hostname As `URL` gives it: whatever notation an IPv4 address was written in, it has four
 *   decimal parts by now, and IPv6 addresses stand in brackets.
 */
function isPrivateHost(hostname: string): boolean {
  const host = hostFromHostname(hostname);
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return LOCALHOST.test(host);
}

/** Without the brackets of IPv6. */
function hostFromHostname(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const QUOTED_MAX = 100;

function refused(text: string, rule: string): ParameterError {
  const shown = text.length <= QUOTED_MAX ? `"${text}"` : `"${text.slice(0, QUOTED_MAX)}…"`;
  return new ParameterError('url', `url ${rule}, got ${shown}`);
}
