import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type FlowState, inFreshFolder, type Run, runChild, stateOf } from './children/run.ts';
import { isLong, TIMEOUT_MS, tell } from './scale.ts';
import { type DiskCall, orderFaults } from './support/disk-log.ts';
import { MUTANTS, type Mutant } from './support/mutants.ts';
import { type Stage, withUndisturbed } from './support/undisturbed.ts';

type Work = Mutant['work'];

/** Not a broken one. */
const SOUND = -1;

/** Runs a stage of the flow in a build, and again if it was killed. */
async function runStage(dataDir: string, build: number, stage: number, killAt?: string) {
  const run = (place: string) =>
    runChild('mutant.ts', [
      ...[String(build), 'flow.ts', dataDir, place],
      ...[stage, stage + 1].map(String),
    ]);
  if (killAt === undefined) return run('0');
  expect((await run(killAt)).isKilled, killAt).toBe(true);
  return run('0');
}

/** Does the work of a mutant in a build, with what is there before it. */
function runWork<T>(
  stages: readonly Stage[],
  { work, killAt }: { work: Work; killAt?: string },
  build: number,
  look: (run: Run, dataDir: string) => T | Promise<T>,
): Promise<T> {
  return inFreshFolder(async (home) => {
    const dataDir = join(home, 'data');
    mkdirSync(dataDir);
    if (work === 'backup') {
      stages[0].complete(dataDir);
      const target = join(home, 'saved', 'backup');
      const run = ['backup.ts', dataDir, target];
      return look(await runChild('mutant.ts', [String(build), ...run]), dataDir);
    }
    stages[work].prepare(dataDir);
    return look(await runStage(dataDir, build, work, killAt), dataDir);
  });
}

/** What is wrong with the order of calls. */
function faultsOf({ code, notes }: Run): string[] {
  expect(code, notes.at(-1)).toBe(0);
  const calls = notes.flatMap((line) => (line.startsWith('{"call"') ? [JSON.parse(line)] : []));
  return orderFaults(calls as DiskCall[]);
}

/** What the mutant shows that a sound build does not. */
async function expectCaught(stages: readonly Stage[], mutant: Mutant, number: number) {
  const { name, work, caughtBy } = mutant;
  if (caughtBy === 'order') {
    expect(await runWork(stages, { work }, number, faultsOf), name).not.toEqual([]);
  } else if (caughtBy === 'waiting') {
    const stepsOf = async (build: number) =>
      (await runWork(stages, { work }, build, (run) => run)).steps;
    expect(await stepsOf(SOUND)).toEqual(['waiting', 'done']);
    expect(await stepsOf(number), name).toEqual(['done']);
  } else {
    // What is there, or why it can't be read.
    const state: FlowState | string = await runWork(stages, mutant, number, (_, dataDir) =>
      stateOf(dataDir).catch(String),
    );
    expect(state, name).not.toEqual(stages[Number(work)].state);
  }
}

/** That those which only the long form tries can be tried: texts and places move as the program does. */
function expectCurrent(stages: readonly Stage[], { name, file, from, to, work, killAt }: Mutant) {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(source.includes(from), name).toBe(true);
  const isOwnPlace = to.includes('step(');
  if (killAt && !isOwnPlace) expect(stages[Number(work)].places, name).toContain(killAt);
}

it.skipIf(process.platform !== 'linux')(
  'a broken build is caught, by the order of its calls, by what it leaves or by whom it waits for',
  () =>
    withUndisturbed(async (stages) => {
      for (const mutant of MUTANTS) expectCurrent(stages, mutant);
      const mutants = MUTANTS.map((mutant, number) => ({ mutant, number }));
      const wanted = mutants.filter(({ mutant }) => isLong || mutant.isShort);
      const ordered = wanted.filter(({ mutant }) => mutant.caughtBy === 'order');
      for (const work of new Set(ordered.map(({ mutant }) => mutant.work))) {
        expect(await runWork(stages, { work }, SOUND, faultsOf), `${work}`).toEqual([]);
      }
      for (const { number, mutant } of wanted) await expectCaught(stages, mutant, number);
      tell('broken builds', { tried: wanted.length, caught: wanted.length });
    }),
  TIMEOUT_MS,
);
