import { expect, it } from 'vitest';
import { type DiskCall, orderFaults } from './disk-log.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { type FlowState, inFreshFolder, runChild, stateOf } from './run-child.ts';
import { isLong, TIMEOUT_MS, tell } from './scale.ts';
import { withUndisturbed } from './undisturbed.ts';

/** Those that CI tries: one of each kind. */
const SHORT = new Set([0, 1, 4, 7]);

/** The flow's first command in a build. */
function runBuild(dataDir: string, { number, killAt = '0' }: { number: number; killAt?: string }) {
  return runChild('mutant-child.ts', [dataDir, killAt, '0', '1', String(number)]);
}

/** What is wrong with the order of calls of an undisturbed run. */
function faultsOf(number: number): Promise<string[]> {
  return inFreshFolder(async (dataDir) => {
    const { code, notes } = await runBuild(dataDir, { number });
    expect(code, notes.at(-1)).toBe(0);
    const calls = notes.flatMap((line) => (line.startsWith('{"call"') ? [JSON.parse(line)] : []));
    return orderFaults(calls as DiskCall[]);
  });
}

/** What is there after a kill and the same command again; or why it can't be read. */
function stateAfterKill(number: number, { killAt }: Mutant): Promise<FlowState | string> {
  return inFreshFolder(async (dataDir) => {
    const { isKilled } = await runBuild(dataDir, { number, killAt });
    expect(isKilled, killAt).toBe(true);
    await runBuild(dataDir, { number });
    return stateOf(dataDir).catch(String);
  });
}

it.skipIf(process.platform !== 'linux')(
  'a broken build is caught, by the order of its calls or by what it leaves',
  () =>
    withUndisturbed(async ([{ state: sound }]) => {
      expect(await faultsOf(-1)).toEqual([]);
      const mutants = MUTANTS.map((mutant, number) => ({ mutant, number }));
      const wanted = mutants.filter(({ number }) => isLong || SHORT.has(number));
      for (const { number, mutant } of wanted) {
        const { name, caughtBy } = mutant;
        if (caughtBy === 'order') expect(await faultsOf(number), name).not.toEqual([]);
        else expect(await stateAfterKill(number, mutant), name).not.toEqual(sound);
      }
      tell('broken builds', { tried: wanted.length, caught: wanted.length });
    }, 1),
  TIMEOUT_MS,
);
