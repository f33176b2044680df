/** Runs a sequence over the model of BullMQ's queues and prints it: `SEED STEPS`. */

import '../register.ts';

const { Simulation, simulate } = await import('../simulation.ts');
const { newJobs } = await import('../world/job-connection.ts');
const { runSequence } = await import('./queue-sequence.ts');

const [seed, steps] = process.argv.slice(2).map(Number);
const now = simulate(new Simulation(seed));
now.faults.isOn = false;
const jobs = newJobs();
let clientMs = now.nowMs;
const machine = {
  name: 'client',
  // The time of clients does not advance with the commands.
  get clockMs() {
    return clientMs + 0.5 - now.nowMs;
  },
  loseUnsynced() {},
};
let told: string[] | undefined;
now.start('client', machine, async () => {
  told = await runSequence(seed, steps, {
    connection: { host: 'night', port: 0, maxRetriesPerRequest: null },
    endLock: async (queue, id) => jobs.loseLock(`model:${queue}`, id),
    endPause: async (queue) => {
      jobs.queue(`model:${queue}`).checkedUntilMs = 0;
    },
    pass: (ms) => {
      clientMs += ms;
    },
  });
});
while (told === undefined && now.violations.length === 0) await now.run(now.elapsedMs + 1000);
console.log([...now.violations, ...(told ?? [])].join('\n'));
process.exit(now.violations.length);
