/**
 * Connections to receivers, which are strangers' addresses: none is opened to this machine or to a
 * private network. The name is resolved here, every address it has is checked, and the connection
 * goes to one of those, so that no second answer of a name server can lead elsewhere.
 */

import { lookup, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPlatformAddress, isPublicAddress } from '../../src/base/config/public-address.ts';
import { TapeworksError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';

/** All addresses of a name. @throws {Error} nobody can say. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A receiver's address is none that may be connected to. */
export class PrivateAddressError extends TapeworksError {}

export interface AgentOptions {
  /** The operator's word that private networks and this machine are meant. */
  allowPrivate: boolean;
  /** Replaced by tests. */
  resolve?: Resolve;
  /** A certificate that is trusted beside those that are anyway, in PEM; for tests. */
  ca?: string;
}

export function createGuardedAgent({ allowPrivate, ca, resolve }: AgentOptions): Agent {
  const addressesOf = resolve ?? (allowPrivate ? resolveLikeSystem : createResolve());
  const connect = buildConnector({
    allowH2: false,
    timeout: limits.webhook.connectMs,
    ca,
    lookup: checkedLookup(addressesOf, allowPrivate),
  });
  return new Agent({
    // One session for all would let a slow answer hold up the others.
    allowH2: false,
    connect(options, callback) {
      // Addresses are not looked up.
      const { hostname } = options;
      if (isIP(hostname) === 0 || mayBeCalled(hostname, allowPrivate)) {
        connect(options, callback);
      } else {
        callback(refused(hostname), null);
      }
    },
  });
}

function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One that is not public condemns the name: which of them is called would be chance.
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

/**
 * Asks name servers without the system's resolver, whose few threads are the whole process's: names
 * that nobody answers for would hold up files and other names.
 */
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

/** Names of a private network may stand in the hosts file only. */
const resolveLikeSystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });
