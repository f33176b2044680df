import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type FlowState, inFreshFolder, type Run, runChild, stateOf } from './children/run.ts';
import { tell } from './scale.ts';
import { type DiskCall, orderFaults } from './support/disk-log.ts';
import { BROKEN, MUTANTS, type Mutant } from './support/mutants.ts';
import { type Stage, soundLines, withUndisturbed } from './support/undisturbed.ts';

/** Number of the build without a defect. */
const SOUND = -1;

/** Parts of a mutant that decide what runs. */
type Runs = Pick<Mutant, 'work' | 'killAt'>;

/** Runs a stage of the flow in a build, and again if it was killed. */
async function runStage(
  dataDir: string,
  build: number,
  stage: number,
  { killAt }: Runs,
): Promise<Run> {
  const run = (by: number, place: string) =>
    runChild('watched.ts', [
      ...[String(by), 'flow.ts', dataDir, place],
      ...[stage, stage + 1].map(String),
    ]);
  if (killAt === undefined) return run(build, '0');
  const killed = await run(build, killAt);
  expect(killed.isKilled, killAt).toBe(true);
  const again = await run(build, '0');
  return { ...again, steps: [...killed.steps, ...again.steps] };
}

/** Does the work of a mutant in a build, with what is there before it. */
function runWork<T>(
  stages: readonly Stage[],
  runs: Runs,
  build: number,
  look: (run: Run, dataDir: string) => T | Promise<T>,
): Promise<T> {
  return inFreshFolder(async (home) => {
    const dataDir = join(home, 'data');
    mkdirSync(dataDir);
    const { work } = runs;
    if (work === 'backup') {
      stages[0].complete(dataDir);
      const target = join(home, 'saved', 'backup');
      const run = ['backup.ts', dataDir, target];
      return look(await runChild('watched.ts', [String(build), ...run]), dataDir);
    }
    stages[work].prepare(dataDir);
    return look(await runStage(dataDir, build, work, runs), dataDir);
  });
}

/** Lines of a watched run that are JSON: its disk calls. */
const isJson = (line: string) => line.startsWith('{');

/** Returns what is wrong with the order of calls. */
function faultsIn(lines: readonly string[]): string[] {
  const calls = lines.filter((line) => isJson(line) && line !== BROKEN);
  return orderFaults(calls.map((line): DiskCall => JSON.parse(line)));
}

function faultsOf({ code, steps, notes }: Run): string[] {
  expect(code, notes.at(-1)).toBe(0);
  return faultsIn(steps);
}

/** Checks that the mutant shows what a sound build does not. */
async function expectCaught(stages: readonly Stage[], mutant: Mutant, number: number) {
  const { name, work, caughtBy } = mutant;
  let isBroken = false;
  const look =
    <T>(use: (run: Run, dataDir: string) => T) =>
    (run: Run, dataDir: string) => {
      isBroken ||= run.steps.includes(BROKEN);
      return use(run, dataDir);
    };
  if (caughtBy === 'order') {
    expect(await runWork(stages, { work }, number, look(faultsOf)), name).not.toEqual([]);
  } else {
    // The final state, or why it can't be read.
    const state: FlowState | string = await runWork(
      stages,
      mutant,
      number,
      look((_, dataDir) => stateOf(dataDir).catch(String)),
    );
    expect(state, name).not.toEqual(stages[Number(work)].state);
  }
  expect(isBroken, `${name}: never did`).toBe(true);
}

it.skipIf(process.platform !== 'linux')(
  'a broken build is caught: by the order of its calls or by the state that it leaves',
  () =>
    withUndisturbed(async (stages) => {
      const mutants = MUTANTS.map((mutant, number) => ({ mutant, number }));
      expect(faultsIn(await soundLines())).toEqual([]);
      expect(await runWork(stages, { work: 'backup' }, SOUND, faultsOf)).toEqual([]);
      for (const { number, mutant } of mutants) await expectCaught(stages, mutant, number);
      tell('broken builds', { tried: mutants.length, caught: mutants.length });
    }),
);
