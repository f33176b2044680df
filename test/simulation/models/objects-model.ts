/** Runs a sequence over the model of object storage and prints it: `SEED STEPS`. */

import '../register.ts';

const { Simulation, simulate } = await import('../simulation.ts');
const { newBucket, openObjects } = await import('../object-store.ts');
const { runObjects } = await import('./objects-sequence.ts');

const [seed, steps] = process.argv.slice(2).map(Number);
const now = simulate(new Simulation(seed));
now.faults.isOn = false;
newBucket();
let told: string[] | undefined;
now.start('client', { name: 'client', clockMs: 0, loseUnsynced() {} }, async () => {
  told = await runObjects(seed, steps, await openObjects({ folder: 'bucket' }));
});
while (told === undefined && now.violations.length === 0) await now.run(now.elapsedMs + 1000);
console.log([...now.violations, ...(told ?? [])].join('\n'));
process.exit(now.violations.length);
