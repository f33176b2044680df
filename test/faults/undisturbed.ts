/** The run that nothing interrupts: what every other one is compared with. */

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onStep } from '../../src/steps.ts';
import { runFlow, STAGE_COUNT } from './flow.ts';
import { createPlaces } from './places.ts';
import { type FlowState, inFreshFolder, stateOf } from './run-child.ts';

/** One command of the flow, as it goes when nothing interrupts it. */
export interface Stage {
  from: number;
  /** The number of the next. */
  to: number;
  /** Points at which it changes the disk, in the order of this run. */
  places: string[];
  ms: number;
  /** What is there afterwards. */
  state: FlowState;
  /** Fills an empty data directory with what is there before. */
  prepare(dataDir: string): void;
}

/** A point of a run: one of its stage's places. */
export interface Point {
  stage: Stage;
  place: string;
}

/** Runs the flow once, stage by stage, and keeps what is there between them during the work. */
export function withUndisturbed<T>(
  work: (stages: readonly Stage[]) => Promise<T>,
  stageCount = STAGE_COUNT,
): Promise<T> {
  return inFreshFolder(async (home) => {
    const folderOf = (number: number) => join(home, String(number));
    mkdirSync(folderOf(0));
    const stages: Stage[] = [];
    for (let from = 0; from < stageCount; from++) {
      const [before, after] = [folderOf(from), folderOf(from + 1)];
      cpSync(before, after, { recursive: true });
      const prepare = (dataDir: string) => cpSync(before, dataDir, { recursive: true });
      const run = await runStage(after, from);
      stages.push({ from, to: from + 1, ...run, state: await stateOf(after), prepare });
    }
    return work(stages);
  });
}

async function runStage(dataDir: string, from: number): Promise<{ places: string[]; ms: number }> {
  const places: string[] = [];
  const placeOf = createPlaces();
  const startMs = performance.now();
  onStep((name, what) => places.push(placeOf(name, what)));
  try {
    await runFlow(dataDir, { from, to: from + 1 });
  } finally {
    onStep(undefined);
  }
  return { places, ms: performance.now() - startMs };
}

export function pointsOf(stages: readonly Stage[]): Point[] {
  return stages.flatMap((stage) => stage.places.map((place) => ({ stage, place })));
}
