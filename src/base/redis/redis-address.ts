/** Parses the address of Redis: one server, or sentinels. Loads no driver. */

import { ConfigError } from '../errors.ts';
import { quoted } from '../quoted.ts';

/** Address as options of the driver, which parses a plain address itself. */
export type RedisPlace =
  | { url: string }
  | {
      sentinels: { host: string; port: number }[];
      /** Name of the master that the sentinels know. */
      name: string;
      db: number;
      username?: string;
      password?: string;
      sentinelUsername?: string;
      sentinelPassword?: string;
      tls?: object;
      sentinelTLS?: object;
      enableTLSForSentinelMode?: boolean;
    };

const SENTINEL_PORT = 26_379;

const SENTINELS =
  /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)(?:\/([^/?]+)(?:\/(\d+))?)?(.*)$/;
const SENTINEL_HOST = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i;
const SENTINEL_QUERY = ['sentinelUsername', 'sentinelPassword'];

/** Parses `TAPEWORKS_REDIS_URL`. @throws {ConfigError} the message holds no password. */
export function redisPlace(url: string): RedisPlace {
  if (!/^rediss?\+sentinel:/.test(url)) return { url: plainUrl(url) };
  const [, protocol, user, hosts, name, db, rest] = SENTINELS.exec(url) ?? [];
  if (name === undefined) {
    throw malformed(url, 'must name its master, like redis+sentinel://host1,host2/mymaster');
  }
  const isQuery = rest === '' || /^\/?\?/.test(rest);
  const query = new URLSearchParams(rest.slice(rest.indexOf('?') + 1));
  if (!isQuery || [...query.keys()].some((key) => !SENTINEL_QUERY.includes(key))) {
    const known = SENTINEL_QUERY.join(' and ');
    throw malformed(url, `must end in the master, a database number, and ${known} at most`);
  }
  const tls = protocol === 'rediss' ? {} : undefined;
  return {
    sentinels: hosts.split(',').map((host) => sentinelFromText(host, url)),
    name: decoded(name, url),
    db: Number(db ?? 0),
    ...userFromText(user, url),
    ...Object.fromEntries(query),
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** Returns the address for messages, without user, password and options. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)(?:.*@)?([^?#]*).*$/i, '$1$2');
}

/** Beginnings of the replies of a cluster. */
const CLUSTER_WORDS = /^(CROSSSLOT|CLUSTERDOWN|MOVED|ASK|TRYAGAIN) /;

/**
 * Recognizes replies of a Redis that can't do our work however often it is asked: a cluster, and a
 * user without a right. Undefined for all other errors.
 */
export function redisRefusal(error: unknown): ConfigError | undefined {
  const {
    name,
    message,
    previousErrors = [],
  } = (error ?? {}) as Error & {
    /** Errors of the commands of a transaction. */
    previousErrors?: Error[];
  };
  for (const previous of previousErrors) {
    const refusal = redisRefusal(previous);
    if (refusal) return refusal;
  }
  if (name !== 'ReplyError') return undefined;
  if (CLUSTER_WORDS.test(message)) return clusterRefusal();
  if (!message.startsWith('NOPERM')) return undefined;
  const said = quoted(message);
  return new ConfigError(
    `TAPEWORKS_REDIS_URL must name a user with the rights ~tw:* +@all; Redis says ${said}`,
    { cause: error },
  );
}

export function clusterRefusal(): ConfigError {
  return new ConfigError(
    'TAPEWORKS_REDIS_URL must name a single Redis, or sentinels: it names a cluster, which runs ' +
      'no command over keys of several slots',
  );
}

function plainUrl(url: string): string {
  const isRedis = URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol);
  if (!isRedis || !new URL(url).hostname) {
    throw malformed(
      url,
      'must be an address like redis://host:6379, or redis+sentinel://host1,host2/mymaster',
    );
  }
  if (!/^(\/\d*)?$/.test(new URL(url).pathname)) {
    throw malformed(url, 'must end in the number of a database');
  }
  return url;
}

function sentinelFromText(text: string, url: string): { host: string; port: number } {
  const [, address, name, port = String(SENTINEL_PORT)] = SENTINEL_HOST.exec(text) ?? [];
  const host = address ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw malformed(
      url,
      `must name sentinels as host:port with commas between them, not "${text}"`,
    );
  }
  return { host, port: Number(port) };
}

function userFromText(text: string | undefined, url: string) {
  const [, username, password] = /^([^:]*):?(.*)$/.exec(text ?? '') ?? [];
  return {
    ...(username && { username: decoded(username, url) }),
    ...(password && { password: decoded(password, url) }),
  };
}

function decoded(text: string, url: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(url, 'must escape special characters as %XX');
  }
}

function malformed(url: string, rule: string): ConfigError {
  return new ConfigError(`TAPEWORKS_REDIS_URL ${rule}, got "${withoutPassword(url)}"`);
}
