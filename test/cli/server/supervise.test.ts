import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TapeworksError } from '../../../src/base/errors.ts';
import { supervise, superviseWhile } from '../../../src/cli/server/supervise.ts';

/** Runs that a test ends, and what it saw of them. */
function createRuns() {
  const ends: ((how: string) => void)[] = [];
  const reports: ((report: string) => void)[] = [];
  const calls: string[] = [];
  const launch = (report: (report: string) => void) => {
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    ends.push(resolve);
    reports.push(report);
    return {
      ended,
      stop: () => void calls.push('stop'),
      kill() {
        calls.push('kill');
        resolve('killed');
      },
    };
  };
  return { ends, reports, calls, launch };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('supervise', () => {
  it('starts again what ends, after waits that double until it reports', async () => {
    const { ends, reports, launch } = createRuns();
    const notes: string[] = [];
    supervise({ name: 'it', launch, note: (line) => void notes.push(line), stopMs: 1000 });
    for (const waitMs of [250, 500, 1000]) {
      ends.at(-1)?.('exit 1');
      await settled();
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      const count = ends.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(ends).toHaveLength(count + 1);
    }
    reports.at(-1)?.('works');
    await vi.advanceTimersByTimeAsync(60_000);
    ends.at(-1)?.('SIGSEGV');
    await vi.advanceTimersByTimeAsync(250);
    expect(ends).toHaveLength(5);
    expect(notes).toEqual([
      'it ended (exit 1); restarting in 0.25 s',
      'it ended (exit 1); restarting in 0.5 s',
      'it ended (exit 1); restarting in 1 s',
      'it ended (SIGSEGV); restarting in 0.25 s',
    ]);
  });

  it('waits longer each time for what works for less than a minute', async () => {
    const { ends, reports, launch } = createRuns();
    supervise({ name: 'it', launch, note: () => {}, stopMs: 1000 });
    for (const [healthyMs, waitMs] of [
      [0, 250],
      [59_999, 500],
      [30_000, 1000],
      [60_000, 250],
      [0, 500],
    ]) {
      reports.at(-1)?.('works');
      await vi.advanceTimersByTimeAsync(healthyMs);
      // A pipeline reports after each round; the first report counts.
      reports.at(-1)?.('works');
      const count = ends.length;
      ends.at(-1)?.('exit 1');
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(ends).toHaveLength(count);
      await vi.advanceTimersByTimeAsync(1);
      expect(ends).toHaveLength(count + 1);
    }
  });

  it('gives up on what never works where it must', async () => {
    const { ends, launch } = createRuns();
    const supervised = supervise<string>({
      ...{ name: 'it', launch, note: () => {}, stopMs: 1000, fatalUntilReported: true },
    });
    ends[0]('exit 1');
    await expect(supervised.firstReport).rejects.toThrow(new TapeworksError('it ended (exit 1)'));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ends).toHaveLength(1);
    await supervised.stop();
  });

  it('requests the end of a run, waits, and kills one that does not end', async () => {
    const { ends, reports, calls, launch } = createRuns();
    const one = supervise<string>({ name: 'it', launch, note: () => {}, stopMs: 1000 });
    reports[0]('works');
    expect(await one.firstReport).toBe('works');
    const stopped = one.stop();
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toEqual(['stop']);
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    expect(calls).toEqual(['stop', 'kill']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ends).toHaveLength(1);
  });

  it('stops between two runs', async () => {
    const { ends, launch } = createRuns();
    const one = supervise<string>({ name: 'it', launch, note: () => {}, stopMs: 1000 });
    ends[0]('exit 1');
    await settled();
    await one.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ends).toHaveLength(1);
  });
});

const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1000));

it('superviseWhile keeps a run while there is work and thirty seconds longer', async () => {
  const { launch, ends, calls } = createRuns();
  const stop = new AbortController();
  let isBusy = false;
  const asked: boolean[] = [];
  const hasWork = async (isRunning: boolean) => {
    asked.push(isRunning);
    return isBusy;
  };
  const run = () => supervise({ name: 'it', launch, note: () => {}, stopMs: 1000 });
  const ended = superviseWhile(hasWork, run, stop.signal, aSecond);
  await vi.advanceTimersByTimeAsync(2000);
  expect(ends).toHaveLength(0);
  isBusy = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect([ends.length, asked.includes(true)]).toEqual([1, false]);
  isBusy = false;
  await vi.advanceTimersByTimeAsync(29_000);
  expect([calls, asked.at(-1)]).toEqual([[], true]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toEqual(['stop']);
  ends[0]('exit 0');
  isBusy = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(ends).toHaveLength(2);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toEqual(['stop', 'stop']);
  ends[1]('exit 0');
  await ended;
});

it('superviseWhile runs what can’t be asked, so that it says why', async () => {
  const { launch, ends } = createRuns();
  const stop = new AbortController();
  const run = () => supervise({ name: 'it', launch, note: () => {}, stopMs: 1000 });
  const ended = superviseWhile(() => Promise.reject(new Error('full')), run, stop.signal, aSecond);
  await settled();
  expect(ends).toHaveLength(1);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1000);
  ends[0]('exit 0');
  await ended;
});
