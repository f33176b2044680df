/** Progress of a long run: bars on a terminal, a plain line every few seconds elsewhere. */

import type { SingleBar } from 'cli-progress';
import { countText } from './output.ts';

/** Reports `done` of `total` units of a named step; a step may be reported many times. */
export type ReportProgress = (step: string, done: number, total: number) => void;

export interface Progress {
  report: ReportProgress;
  stop(): void;
}

const LINE_INTERVAL_MS = 2000;

/** Bars on stderr where that is a terminal, else lines through `note`. */
export async function createProgress(note: (line: string) => void): Promise<Progress> {
  return process.stderr.isTTY ? barProgress() : lineProgress(note);
}

async function barProgress(): Promise<Progress> {
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    {
      format: '{step} {bar} {percentage}% {value}/{total}',
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  const byStep = new Map<string, SingleBar>();
  return {
    report(step, done, total) {
      const bar = byStep.get(step) ?? bars.create(total, 0, { step: step.padEnd(12) });
      byStep.set(step, bar);
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bars.stop(),
  };
}

function lineProgress(note: (line: string) => void): Progress {
  const lastLineMs = new Map<string, number>();
  return {
    report(step, done, total) {
      const nowMs = Date.now();
      const lastMs = lastLineMs.get(step);
      if (done < total && lastMs !== undefined && nowMs - lastMs < LINE_INTERVAL_MS) return;
      lastLineMs.set(step, nowMs);
      note(`${step}: ${countText(done)} of ${countText(total)}`);
    },
    stop: () => {},
  };
}
