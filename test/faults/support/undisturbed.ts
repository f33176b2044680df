/**
 * The run that nothing interrupts: what every other one is compared with. It is made once for all
 * files of tests of a run, by the first that needs it.
 */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { madeOnce } from '../../support/made-once.ts';
import { type FlowState, inFreshFolder, runChild, stateOf } from '../children/run.ts';
import { runFlow, STAGE_COUNT } from './flow.ts';
import { createPlaces } from './places.ts';
import { type StatementWatch, watchStatements } from './statement-watch.ts';

/** Results of one command of the flow without interruption. */
interface StageRun {
  /** Points at which it changes the disk, in the order of this run. */
  places: string[];
  ms: number;
  /** Statements of this stage and all stages before it. */
  statements: { changes: number; unlisted: string[] };
  /** State after the stage. */
  state: FlowState;
}

export interface Stage extends StageRun {
  from: number;
  /** The number of the next. */
  to: number;
  /** Fills an empty data directory with what is there before. */
  prepare(dataDir: string): void;
  /** … with what is there afterwards. */
  complete(dataDir: string): void;
}

/** A point of a run: one of its stage's places. */
export interface Point {
  stage: Stage;
  place: string;
}

/**
 * File with the results of the stages. Next to it is a data directory for each number of stages.
 */
const REPORT_NAME = 'report.json';

/** The flow stage by stage, with what is there between them. */
export async function withUndisturbed<T>(work: (stages: readonly Stage[]) => Promise<T>) {
  const home = await madeOnce('undisturbed', makeRuns);
  const runs: StageRun[] = JSON.parse(readFileSync(join(home, REPORT_NAME), 'utf8'));
  const copy = (number: number) => (dataDir: string) =>
    cpSync(join(home, String(number)), dataDir, { recursive: true });
  const stages = runs.map((run, from) => {
    const to = from + 1;
    return { ...run, from, to, prepare: copy(from), complete: copy(to) };
  });
  return work(stages);
}

/** Lines of a watched process that runs all stages of a sound build: its steps and disk calls. */
export async function soundLines(): Promise<string[]> {
  const home = await madeOnce('sound', (folder) =>
    inFreshFolder(async (dataDir) => {
      const { code, steps, notes } = await runChild('watched.ts', ['-1', 'flow.ts', dataDir, '0']);
      if (code !== 0) throw new Error(notes.at(-1));
      writeFileSync(join(folder, REPORT_NAME), JSON.stringify(steps));
    }),
  );
  return JSON.parse(readFileSync(join(home, REPORT_NAME), 'utf8'));
}

async function makeRuns(home: string): Promise<void> {
  await inFreshFolder(async (dataDir) => {
    const runs: StageRun[] = [];
    const watch = watchStatements(modePaths(dataDir, 'live'));
    try {
      for (let from = 0; from < STAGE_COUNT; from++) {
        cpSync(dataDir, join(home, String(from)), { recursive: true });
        const run = await runStage(dataDir, from, watch);
        const statements = { changes: watch.changes, unlisted: [...watch.found] };
        runs.push({ ...run, statements, state: await stateOf(dataDir) });
      }
    } finally {
      watch.end();
    }
    cpSync(dataDir, join(home, String(STAGE_COUNT)), { recursive: true });
    writeFileSync(join(home, REPORT_NAME), JSON.stringify(runs));
  });
}

async function runStage(
  dataDir: string,
  from: number,
  watch: StatementWatch,
): Promise<{ places: string[]; ms: number }> {
  const places: string[] = [];
  const placeOf = createPlaces();
  const startMs = performance.now();
  onFailpoint((name, what) => {
    places.push(placeOf(name, what));
    watch.step(name);
  });
  try {
    await runFlow(dataDir, { from, to: from + 1 });
  } finally {
    onFailpoint(undefined);
  }
  return { places, ms: performance.now() - startMs };
}

export function pointsOf(stages: readonly Stage[]): Point[] {
  return stages.flatMap((stage) => stage.places.map((place) => ({ stage, place })));
}
