/** Shows progress: bars or one line on a terminal, a plain line every few seconds elsewhere. */

import type { SingleBar } from 'cli-progress';
import { countText } from '../base/count-text.ts';
import { wallMs } from '../base/world/clock.ts';
import { process } from '../base/world/process.ts';
import { reportChanges } from '../store/duckdb/connection/writer-lock.ts';
import { durationText, type Output } from './output.ts';

/** Reports `done` of `total` units of a named step; a step may be reported many times. */
export type ReportProgress = (step: string, done: number, total: number) => void;

export interface Progress {
  report: ReportProgress;
  stop(): void;
}

const LINE_INTERVAL_MS = 2000;
/** Least time for which a pace is measured before it is shown. */
const PACE_MIN_MS = 2000;

async function createProgress(note: (line: string) => void): Promise<Progress> {
  return process.stderr.isTTY ? barProgress() : lineProgress(note);
}

/**
 * Estimates the time left of a step from its pace since its first report.
 *
 * @returns a function that gives `, about 3 min left`; empty at first, and at the end.
 */
export function remainingTimes(nowMs: () => number = wallMs) {
  const begun = new Map<string, { done: number; atMs: number }>();
  return (step: string, done: number, total: number): string => {
    const first = begun.get(step);
    // A run that continues starts with earlier work, which does not show its pace.
    if (!first || done < first.done) begun.set(step, { done, atMs: nowMs() });
    if (!first || done <= first.done || done >= total) return '';
    const elapsedMs = nowMs() - first.atMs;
    if (elapsedMs < PACE_MIN_MS) return '';
    const leftS = ((total - done) * elapsedMs) / (done - first.done) / 1000;
    return `, about ${durationText(leftS)} left`;
  };
}

/** Redraws one line on stderr where that is a terminal, else prints lines through `note`. */
export function createLineOfProgress(what: string, note: (line: string) => void): Progress {
  return process.stderr.isTTY ? redrawnProgress(what) : lineProgress(note);
}

function redrawnProgress(what: string): Progress {
  const erase = '\r\x1b[K';
  let drawn = '';
  const remaining = remainingTimes();
  return {
    report(step, done, total) {
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
      const line = `${what}: ${step} ${percent} %${remaining(step, done, total)}`;
      if (line === drawn) return;
      drawn = line;
      process.stderr.write(erase + line);
    },
    stop() {
      if (drawn) process.stderr.write(erase);
      drawn = '';
    },
  };
}

async function barProgress(): Promise<Progress> {
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    {
      format: '{step} {bar} {percentage}% {value}/{total}{left}',
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  const byStep = new Map<string, SingleBar>();
  const remaining = remainingTimes();
  return {
    report(step, done, total) {
      const left = remaining(step, done, total);
      const bar = byStep.get(step) ?? bars.create(total, 0, { step: step.padEnd(12), left });
      byStep.set(step, bar);
      bar.setTotal(total);
      bar.update(done, { left });
    },
    stop: () => bars.stop(),
  };
}

function lineProgress(note: (line: string) => void): Progress {
  const lastLineMs = new Map<string, number>();
  const remaining = remainingTimes();
  return {
    report(step, done, total) {
      const nowMs = wallMs();
      const left = remaining(step, done, total);
      const lastMs = lastLineMs.get(step);
      if (done < total && lastMs !== undefined && nowMs - lastMs < LINE_INTERVAL_MS) return;
      lastLineMs.set(step, nowMs);
      note(`${step}: ${countText(done)} of ${countText(total)}${left}`);
    },
    stop: () => {},
  };
}

/** Runs work with its progress and waits on the terminal; ends the bars before it returns. */
export async function withProgress<T>(
  output: Output,
  work: (shown: Shown) => Promise<T>,
): Promise<T> {
  const progress = await createProgress(output.note);
  try {
    return await work({
      clock: wallMs,
      onProgress: progress.report,
      onWaiting: reportChanges(output.onWaiting),
    });
  } finally {
    progress.stop();
  }
}

interface Shown {
  clock: () => number;
  onProgress: ReportProgress;
  onWaiting: (holder: string) => void;
}

/** Returns a signal that aborts at SIGINT or SIGTERM. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Runs work until it ends or a signal stops it; then prints `note` and fails. */
export async function untilStopSignal(
  output: Output,
  note: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = stopSignal();
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    output.note(note);
    process.exitCode = 1;
  }
}
