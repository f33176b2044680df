/** Checks the addresses of webhooks, as far as their text allows. */

import { ParameterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { quoted } from '../quoted.ts';
import { isIP } from '../world/sockets.ts';
import { isPlatformAddress, isPublicAddress } from './public-address.ts';

/** Addresses that parsers read unchanged; a repaired one would hide its real target. */
const PLAIN = /^https?:\/\/[^\s\p{C}/\\][^\s\p{C}\\]*$/iu;

/** User name and password, also empty ones, which parsers drop. */
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

/** Names whose form shows this machine or a private network (RFC 6761, 6762, 8375). */
const PRIVATE_NAME = /(^|\.)(localhost(\.localdomain)?|local|internal|home\.arpa)$|^[^.]+$/;

/** Names by which machines of Google and others reach their platform. */
const PLATFORM_NAME = /^metadata(\.google\.internal|\.goog)?$/;

const SETTING = 'TAPEWORKS_WEBHOOK_PRIVATE=on';

/**
 * Parses the address of a webhook. Names are not resolved here; each connection checks the address
 * behind its name.
 *
 * @param text An absolute URL.
 * @param allowPrivate True if the operator allows http, private networks and this machine. A
 *   cloud's platform is never allowed.
 * @throws {ParameterError} `url`: the text is no URL, or one that must not be called.
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

/** Removes the brackets that `URL` puts around IPv6. */
function hostFromHostname(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refused(text: string, rule: string): ParameterError {
  return new ParameterError('url', `url ${rule}, got ${quoted(text)}`);
}
