/** A network namespace of one machine, with a cable of its own to each service. Only root makes one. */

import { execFileSync } from 'node:child_process';
import { isRunning } from '../../src/base/is-running.ts';

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

const NAME = /^tapeworks-(\d+)-\d+$/;
const DEVICE = /^tw(\d+)-\d+-\d+$/;

/**
 * Removes the namespaces and cables of processes that were killed: packets to the same addresses
 * would go into their cables.
 *
 * @returns their names.
 */
export function removeLeftNetworks(): string[] {
  const left = (list: string[], name: RegExp) =>
    namesOf(list).filter((one) => {
      const pid = name.exec(one)?.[1];
      return pid !== undefined && !isRunning(Number(pid));
    });
  const devices = left(['link', 'show', 'type', 'veth'], DEVICE);
  const namespaces = left(['netns', 'list'], NAME);
  // A cable goes with its other end, also while its namespace still ends.
  for (const device of devices) ip('link', 'del', device);
  for (const name of namespaces) ip('netns', 'del', name);
  return [...devices, ...namespaces];
}

/** Lists devices or namespaces; none where this user, or this system, has no such command. */
function namesOf(list: string[]): string[] {
  try {
    const json: { ifname?: string; name?: string }[] = JSON.parse(
      String(ip('-json', ...list)) || '[]',
    );
    return json.flatMap(({ ifname, name }) => ifname ?? name ?? []);
  } catch {
    return [];
  }
}

/**
 * Addresses are of 198.18.0.0/15, which is kept for tests of networks (RFC 2544).
 *
 * @param place Number of the machine, from 0.
 * @param pid Process that it is of.
 * @returns undefined where this user may not make namespaces.
 */
export function makeNetwork(place: number, pid = process.pid): Network | undefined {
  const name = `tapeworks-${pid}-${place}`;
  if (place === 0) removeLeftNetworks();
  try {
    ip('netns', 'add', name);
  } catch {
    return undefined;
  }
  const cables = SERVICES.map((service, i) => ({
    service,
    // At most 15 characters.
    device: `tw${pid}-${place}-${i}`,
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
