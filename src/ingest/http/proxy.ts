/** Connections through the proxies of the environment, never for this machine itself. */

import { type Agents, closeAgents, createAgents } from '../../base/http/send.ts';

export class ProxiedAgents {
  readonly #direct = createAgents();
  readonly #proxied: Agents;
  readonly #bypasses: readonly Bypass[];

  /** Reads the environment once; names in small letters come first, as with curl. */
  constructor() {
    const httpProxy = fromEnvironment('http_proxy');
    const httpsProxy = fromEnvironment('https_proxy') ?? httpProxy;
    this.#proxied = createAgents({ proxyEnv: { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy } });
    const listed = (fromEnvironment('no_proxy') ?? '').split(/[,\s]+/).filter(Boolean);
    this.#bypasses = [...OWN_MACHINE, ...listed].map(bypassOf);
  }

  for(url: URL): Agents {
    const host = bareHost(url.hostname);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const isDirect = this.#bypasses.some((bypass) => covers(bypass, host, port));
    return isDirect ? this.#direct : this.#proxied;
  }

  close(): void {
    closeAgents(this.#direct);
    closeAgents(this.#proxied);
  }
}

/** One entry of `NO_PROXY`. */
interface Bypass {
  /** Without leading dot or star; `*` covers every host. */
  host: string;
  port: string | undefined;
  /** `*.example.com` covers the names below `example.com` only. */
  isBelowOnly: boolean;
}

const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Parses an entry. Addresses of IPv6 with a port stand in brackets. */
function bypassOf(entry: string): Bypass {
  const [, name, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? ['', entry, undefined];
  const host = name === '*' ? name : bareHost(name.replace(/^\*?\./, ''));
  return { host, port, isBelowOnly: name.startsWith('*.') };
}

function covers(bypass: Bypass, host: string, port: string): boolean {
  if (bypass.port !== undefined && bypass.port !== port) return false;
  if (bypass.host === '*' || host.endsWith(`.${bypass.host}`)) return true;
  return host === bypass.host && !bypass.isBelowOnly;
}

function bareHost(name: string): string {
  return name
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

/** Reads a variable; an empty value counts as unset. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || process.env[name.toUpperCase()] || undefined;
}
