/**
 * A night of three machines that share accounts in Postgres: each has a server with a copy of the keys,
 * two deliver events, and one hands them over.
 */

import { AccountsPart } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import type { Simulation } from './simulation.ts';
import { endOfWork } from './work-night.ts';
import { newPostgres, postgresAway } from './world/pg.ts';
import { newOutside } from './world/work.ts';

/** After the faults Postgres is away for longer than machines admit keys without it. */
const AWAY_MS = 1_200_000;
const AWAY_QUIET_MS = 2_000;

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

  async end(): Promise<void> {
    const now = this.#now;
    postgresAway.sinceMs = now.nowMs;
    now.nowMs += AWAY_MS;
    await now.run(now.elapsedMs + AWAY_QUIET_MS);
    postgresAway.sinceMs = Number.POSITIVE_INFINITY;
    await endOfWork(now);
  }

  checkEnd(): Promise<void> {
    this.#now.end();
    return this.#accounts.checkEnd();
  }
}
