/**
 * A night of all parts in one fleet: vendors, workers and jobs in Redis, the folder that they load
 * into and publish, perhaps a copy of it, three replicas, readers of each, and accounts in Postgres
 * with servers and deliveries.
 */

import { AccountsPart } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import { FleetNight } from './fleet-night.ts';
import { newBucket } from './object-store.ts';
import { QueueNight } from './queue-night.ts';
import type { Simulation } from './simulation.ts';
import { newPostgres } from './world/pg.ts';
import { newOutside } from './world/work.ts';

/** Files of a machine that publishes or serves; the checks of a fleet look at them. */
const STAYS = /^\/data\/(live\/(serving|upload|files|replica|status|writer)|accounts-copy|uploads)/;

export class WholeNight {
  readonly #fleet: FleetNight;
  readonly #queue: QueueNight;

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    newPostgres();
    const bucket = newBucket();
    const outside = newOutside();
    const disks = new Map<string, Disk>();
    const diskOf = (name: string) => {
      const disk = disks.get(name) ?? addDisk(name);
      disks.set(name, disk);
      return disk;
    };
    const fleet = new FleetNight(now, diskOf, { bucket, hasWorkers: true });
    outside.readers = {
      accept: () => fleet.accept(),
      publish: (epoch) => fleet.publishLoaded(epoch),
    };
    const accounts = new AccountsPart(now, outside, 'postgres://tapeworks@db/accounts');
    const parts = { bucket, outside, accounts, end: () => fleet.end(), stays: STAYS };
    this.#queue = new QueueNight(
      now,
      (name) => diskOf(name === 'store' ? 'publisher' : name),
      parts,
    );
    for (const disk of fleet.servers) {
      if (disk.name.startsWith('replica')) accounts.start(disk, ['server']);
    }
    this.#fleet = fleet;
  }

  get publishes(): number {
    return this.#fleet.publishes;
  }

  end(): Promise<void> {
    return this.#queue.end();
  }

  checkEnd(): void {
    this.#fleet.checkEnd();
    this.#queue.checkEnd();
  }
}
