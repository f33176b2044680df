/**
 * A night of three machines that share accounts in Postgres: each has a server with a copy of the keys,
 * two deliver events, and one hands them over.
 */

import { AccountsPart } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import type { Simulation } from './simulation.ts';
import { endOfWork } from './work-night.ts';
import { newPostgres } from './world/pg.ts';
import { newOutside } from './world/work.ts';

/** Processes of each machine. */
const MACHINES = {
  machine1: ['server', 'deliver', 'relay'],
  machine2: ['server', 'deliver'],
  machine3: ['server'],
};

export class AccountsNight {
  readonly publishes = 0;
  readonly #now: Simulation;
  readonly #accounts: AccountsPart;

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    newPostgres();
    this.#accounts = new AccountsPart(now, newOutside(), 'postgres://tapeworks@db/accounts');
    for (const [name, processes] of Object.entries(MACHINES)) {
      this.#accounts.start(addDisk(name), processes);
    }
  }

  end(): Promise<void> {
    return endOfWork(this.#now);
  }

  checkEnd(): Promise<void> {
    this.#now.end();
    return this.#accounts.checkEnd();
  }
}
