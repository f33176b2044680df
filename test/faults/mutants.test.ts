import { expect, it } from 'vitest';
import { type DiskCall, orderFaults } from './disk-log.ts';
import { MUTANTS } from './mutants.ts';
import { type FlowState, inFreshFolder, runChild, stateOf } from './run-child.ts';
import { isLong, TIMEOUT_MS, tell } from './scale.ts';

/** Those that CI tries: one of each kind. */
const SHORT = new Set([0, 1, 4, 7]);

/** What the checks say of a build: its calls in a whole run, and its state, killed or not. */
async function tried(number: number, killAt = '0'): Promise<{ order: string[]; state: unknown }> {
  return inFreshFolder(async (dataDir) => {
    const options = [dataDir, killAt, String(number)];
    const { notes } = await runChild('mutant-child.ts', options);
    const isKilled = killAt !== '0';
    if (isKilled) await runChild('mutant-child.ts', [dataDir, '0', String(number)]);
    const calls = notes.flatMap((line) => (line.startsWith('{"call"') ? [JSON.parse(line)] : []));
    const state: FlowState | string = await stateOf(dataDir).catch(String);
    return { order: isKilled ? [] : orderFaults(calls as DiskCall[]), state };
  });
}

it.skipIf(process.platform !== 'linux')(
  'a broken build is caught, by the order of its calls or by what it leaves',
  async () => {
    const sound = await tried(-1);
    expect(sound.order).toEqual([]);
    const mutants = MUTANTS.map((mutant, number) => ({ ...mutant, number }));
    const wanted = mutants.filter(({ number }) => isLong || SHORT.has(number));
    for (const { number, name, killAt, caughtBy } of wanted) {
      const { order, state } = await tried(number, killAt);
      if (caughtBy === 'order') expect(order.length, name).toBeGreaterThan(0);
      else expect(state, name).not.toEqual(sound.state);
    }
    tell('broken builds', { tried: wanted.length, caught: wanted.length });
  },
  TIMEOUT_MS,
);
