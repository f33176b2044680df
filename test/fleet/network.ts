/** A network namespace of one machine, with a cable of its own to each service. Only root makes one. */

import { execFileSync } from 'node:child_process';

export const SERVICES = ['postgres', 'redis', 'objects', 'others'] as const;

export type Service = (typeof SERVICES)[number];

export interface Network {
  /** Command before a command that runs on the machine. */
  within: readonly string[];
  /** Address of the machine. */
  address: string;
  /** Address at which the machine reaches a service. */
  hostOf(service: Service): string;
  /** Loses all packets between the machine and a service, without a word to either. */
  cut(service: Service): void;
  mend(service: Service): void;
  remove(): void;
}

/** A hardware address that no device has. */
const NOWHERE = '02:00:00:00:00:99';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * Addresses are of 198.18.0.0/15, which is kept for tests of networks (RFC 2544).
 *
 * @param place Number of the machine, from 0.
 * @returns undefined where this user may not make namespaces.
 */
export function makeNetwork(place: number): Network | undefined {
  const name = `tapeworks-${process.pid}-${place}`;
  try {
    ip('netns', 'add', name);
  } catch {
    return undefined;
  }
  const cables = SERVICES.map((service, i) => ({
    service,
    // At most 15 characters.
    device: `tw${process.pid % 1_000_000}-${place}-${i}`,
    here: `198.18.${place}.${4 * i + 1}`,
    there: `198.18.${place}.${4 * i + 2}`,
  }));
  ip('-n', name, 'link', 'set', 'lo', 'up');
  for (const { service, device, here, there } of cables) {
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', service, 'netns', name);
    ip('addr', 'add', `${here}/30`, 'dev', device);
    ip('link', 'set', device, 'up');
    ip('-n', name, 'addr', 'add', `${there}/30`, 'dev', service);
    ip('-n', name, 'link', 'set', service, 'up');
  }
  const cableOf = (wanted: Service) =>
    cables.find(({ service }) => service === wanted) as (typeof cables)[number];
  return {
    within: ['ip', 'netns', 'exec', name],
    address: cableOf('others').there,
    hostOf: (service) => cableOf(service).here,
    // Kernels without packet filters have neighbours: frames to another device are dropped.
    cut(wanted) {
      const { service, device, here, there } = cableOf(wanted);
      const bad = ['lladdr', NOWHERE, 'nud', 'permanent', 'dev'];
      ip('neigh', 'replace', there, ...bad, device);
      ip('-n', name, 'neigh', 'replace', here, ...bad, service);
    },
    mend(wanted) {
      const { service, device, here, there } = cableOf(wanted);
      ip('neigh', 'del', there, 'dev', device);
      ip('-n', name, 'neigh', 'del', here, 'dev', service);
    },
    remove() {
      for (const { device } of cables) ip('link', 'del', device);
      ip('netns', 'del', name);
    },
  };
}
