/** Connections through the proxies of the environment, never for this machine itself. */

import { type Agents, createAgents } from '../../base/http/send.ts';
import { process } from '../../base/world/process.ts';

const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Reads the environment once; names in small letters come first, as with curl. */
export function proxiedAgents(): Agents {
  const httpProxy = fromEnvironment('http_proxy');
  const listed = (fromEnvironment('no_proxy') ?? '').split(/[,\s]+/).filter(Boolean);
  const proxyEnv = {
    HTTP_PROXY: httpProxy,
    HTTPS_PROXY: fromEnvironment('https_proxy') ?? httpProxy,
    NO_PROXY: [...OWN_MACHINE, ...listed].flatMap(nodeEntries).join(','),
  };
  return createAgents({ proxyEnv });
}

/** Node wants no brackets, and a dot where a name covers the names below it, as with curl. */
function nodeEntries(entry: string): string[] {
  const bare = entry.replace(/[[\]]/g, '');
  return /^[.*]/.test(bare) ? [bare] : [bare, `.${bare}`, `.${bare}.`];
}

/** Reads a variable; an empty value counts as unset. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || process.env[name.toUpperCase()] || undefined;
}
