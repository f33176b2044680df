/**
 * Connections to receivers, none of them to this machine or a private network. The name is resolved
 * and checked here, so a second DNS response cannot lead elsewhere.
 */

import type { LookupFunction } from 'node:net';
import { isPlatformAddress, isPublicAddress } from '../../src/base/config/public-address.ts';
import { TapeworksError } from '../../src/base/errors.ts';
import { type Agents, createAgents } from '../../src/base/http/send.ts';
import { limits } from '../../src/base/limits.ts';
import { lookup, promises } from '../../src/base/world/network.ts';
import { isIP } from '../../src/base/world/sockets.ts';

/** Resolves all addresses of a host name. @throws {Error} if DNS fails. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export class PrivateAddressError extends TapeworksError {}

export interface AgentOptions {
  /** True if the operator allows private networks and this machine. */
  allowPrivate: boolean;
  /** Set by tests. */
  resolve?: Resolve;
  ca?: string;
}

export function createGuardedAgents({ allowPrivate, ca, resolve }: AgentOptions): Agents {
  const addressesOf = resolve ?? (allowPrivate ? resolveLikeSystem : createResolve());
  const agents = createAgents({ ca, lookup: checkedLookup(addressesOf, allowPrivate) });
  for (const agent of [agents.http, agents.https]) {
    const connect = agent.createConnection.bind(agent);
    // An address is not looked up, so it is checked here.
    agent.createConnection = (options, callback) => {
      const host = options.host ?? '';
      if (isIP(host) === 0 || mayBeCalled(host, allowPrivate)) return connect(options, callback);
      throw refused(host);
    };
  }
  return agents;
}

function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One private address refuses the name: which address would be used is chance.
        if (!addresses.every((address) => mayBeCalled(address, allowPrivate))) {
          callback(refused(hostname), '');
          return;
        }
        if (addresses.length === 0) {
          callback(new TapeworksError(`"${hostname}" has no address`), '');
          return;
        }
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, found);
        else callback(null, found[0].address, found[0].family);
      },
      (error) => callback(error, ''),
    );
  };
}

function mayBeCalled(address: string, allowPrivate: boolean): boolean {
  return allowPrivate ? !isPlatformAddress(address) : isPublicAddress(address);
}

function refused(hostname: string): PrivateAddressError {
  return new PrivateAddressError(
    `"${hostname}" leads to this machine, a private network or a cloud's platform`,
  );
}

/** Builds a resolver that does not use the system's few threads, which slow names would block. */
function createResolve(): Resolve {
  const resolver = new promises.Resolver({ timeout: limits.webhook.connectMs / 2, tries: 1 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

/** Resolves with the system: names of a private network may be in the hosts file only. */
const resolveLikeSystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });
