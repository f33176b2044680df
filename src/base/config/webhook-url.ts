/** Addresses that webhooks may be sent to, as far as the text alone shows it. */

import { isIP } from 'node:net';
import { ParameterError } from '../errors.ts';
import { limits } from '../limits/limits.ts';
import { quoted } from '../quoted.ts';
import { isPlatformAddress, isPublicAddress } from './public-address.ts';

/** Parsers of URLs mend or drop more than this, which would hide from people what is meant. */
const PLAIN = /^https?:\/\/[^\s\p{C}/\\][^\s\p{C}\\]*$/iu;

/** Also an empty one, which parsers drop. */
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

/** Names that are of this machine or a private network by their form alone (RFC 6761, 6762, 8375). */
const PRIVATE_NAME = /(^|\.)(localhost(\.localdomain)?|local|internal|home\.arpa)$|^[^.]+$/;

/** Of Google's and others' machines: the address of the platform by its name. */
const PLATFORM_NAME = /^metadata(\.google\.internal|\.goog)?$/;

const SETTING = 'TAPEWORKS_WEBHOOK_PRIVATE=on';

/**
 * The address of a webhook. Names are not resolved: where they lead is checked at each connection.
 *
 * @param text         An absolute URL.
 * @param allowPrivate The operator's word that http, private networks and this machine are meant;
 *   never a cloud's platform.
 * @throws {ParameterError} `url`: it is none, or none that may be called.
 */
export function checkedWebhookUrl(text: string, allowPrivate: boolean): URL {
  const { urlCharsMax } = limits.webhook;
  if (text.length > urlCharsMax) throw refused(text, `must have at most ${urlCharsMax} characters`);
  const url = PLAIN.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) {
    const rule = allowPrivate
      ? 'must be an http or https address'
      : `must be an https address (http too with ${SETTING})`;
    throw refused(text, rule);
  }
  if (CREDENTIALS.test(text)) {
    throw new ParameterError('url', 'url must not hold a user name or password');
  }
  if (url.port === '0') throw refused(text, 'must not have port 0');
  if (url.hostname.endsWith('.')) throw refused(text, 'must have a host without a dot at its end');
  const host = hostFromHostname(url.hostname);
  if (PLATFORM_NAME.test(host) || isPlatformAddress(host)) {
    throw refused(text, "must not lead to a cloud's platform");
  }
  if (!allowPrivate && isPrivateHost(host)) {
    throw refused(text, `must not lead to this machine or a private network without ${SETTING}`);
  }
  return url;
}

function isPrivateHost(host: string): boolean {
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : !isPublicAddress(host);
}

/**
 * Without the brackets of IPv6.
 *
 * @param hostname As `URL` gives it: whatever notation an IPv4 address was written in, it has four
 *   decimal parts by now, and IPv6 addresses stand in brackets.
 */
function hostFromHostname(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refused(text: string, rule: string): ParameterError {
  return new ParameterError('url', `url ${rule}, got ${quoted(text)}`);
}
