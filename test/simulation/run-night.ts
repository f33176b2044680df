/** Sets up the night of a seed, runs it, and reports what happened. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../src/base/limits.ts';
import { AccountsNight } from './accounts-night.ts';
import { addDisk, Disk, forgetDisks } from './disk.ts';
import type { Fault } from './faults.ts';
import { FilesNight } from './files-night.ts';
import { FleetNight } from './fleet-night.ts';
import { LoadsNight } from './loads-night.ts';
import { QueueNight } from './queue-night.ts';
import { outside, Simulation, type SimulationOptions, simulate } from './simulation.ts';
import { WholeNight } from './whole-night.ts';
import { WorkNight } from './work-night.ts';

/** Simulated time with faults. */
const FAULTS_MS = 12_000;

const NIGHTS = {
  ...{ fleet: FleetNight, files: FilesNight, work: WorkNight, accounts: AccountsNight },
  queue: QueueNight,
  loads: LoadsNight,
  whole: WholeNight,
};

export type NightName = keyof typeof NIGHTS;

export const NIGHT_NAMES = Object.keys(NIGHTS) as NightName[];

export interface NightReport {
  seed: number;
  violations: string[];
  steps: number;
  simulatedMs: number;
  publishes: number;
  compared: number;
  counts: ReadonlyMap<Fault, number>;
  happened: readonly string[];
}

export interface NightOptions extends SimulationOptions {
  stepsMax?: number;
}

export async function runNight(
  name: NightName,
  seed: number,
  root: string,
  { stepsMax = Number.POSITIVE_INFINITY, ...options }: NightOptions = {},
): Promise<NightReport> {
  rmSync(root, { recursive: true, force: true });
  forgetDisks();
  const now = simulate(new Simulation(seed, options));
  // A night may have waits of its own.
  const usual = Object.values<object | number>(limits).flatMap((group) =>
    typeof group === 'object' ? [[group, { ...group }] as const] : [],
  );
  const catchOther = (error: unknown) => noteUnexpected(now, error);
  process.on('unhandledRejection', catchOther);
  try {
    const night = new NIGHTS[name](now, (machine) =>
      addDisk(new Disk(machine, join(root, machine), seed)),
    );
    await now.run(FAULTS_MS, stepsMax);
    if (now.steps < stepsMax) {
      now.faults.isOn = false;
      now.tell('no more faults');
      await night.end();
      if (now.violations.length === 0) await outside(() => night.checkEnd());
    }
    const { violations, steps, compared, elapsedMs: simulatedMs, faults } = now;
    const { counts, happened } = faults;
    const { publishes } = night;
    return { seed, violations, steps, simulatedMs, publishes, compared, counts, happened };
  } finally {
    process.off('unhandledRejection', catchOther);
    for (const [group, values] of usual) Object.assign(group, values);
    now.end();
    forgetDisks();
    rmSync(root, { recursive: true, force: true });
  }
}

function noteUnexpected(now: Simulation, error: unknown): void {
  const { code, constructor: kind } = (error ?? {}) as NodeJS.ErrnoException;
  // A killed process rolls back over a connection that is closed already.
  if (kind?.name === 'Killed' || code === 'ERR_INVALID_STATE') return;
  now.violate('no call fails unseen', String((error as Error)?.stack ?? error));
}
