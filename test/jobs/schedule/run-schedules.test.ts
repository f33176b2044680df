import { describe, expect, it } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { runSchedules, type ScheduleDeps } from '../../../jobs/schedule/run-schedules.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { QueueUnavailableError } from '../../../src/base/errors.ts';
import { freshFolder } from '../../support/folders.ts';

const RSS = { TAPEWORKS_SCHEDULE: 'rss,nasdaq' };

/** Records the runs that a runner gets, up to a number. */
class Recorder {
  readonly plans: Run[] = [];
  readonly tasks: Run[] = [];
  readonly stop = new AbortController();
  readonly #count: number;
  readonly #known: Set<string>;
  unfinished = new Set<string>();

  constructor(count: number, known = new Set<string>()) {
    this.#count = count;
    this.#known = known;
  }

  async enqueue(plan: Run): Promise<boolean> {
    // Maintenance is due in every set-up.
    if (plan.task) {
      this.tasks.push(plan);
      return true;
    }
    const isNew = !this.#known.has(plan.id);
    this.#known.add(plan.id);
    if (isNew) this.plans.push(plan);
    if (this.plans.length >= this.#count) this.stop.abort();
    return isNew;
  }

  async isUnfinished(id: string): Promise<boolean> {
    return this.unfinished.has(id);
  }
}

/** A clock that is ahead by `stepMs` each time it is asked. */
function risingClock(from: string, stepMs: number): () => number {
  let nowMs = Date.parse(from) - stepMs;
  return () => {
    nowMs += stepMs;
    return nowMs;
  };
}

function deps(runner: Recorder, clock: () => number, more: Partial<ScheduleDeps> = {}) {
  const settings = settingsFromEnv({ ...RSS, TAPEWORKS_DATA_DIR: freshFolder() });
  const onFailure = (_: unknown, error: unknown) => {
    throw error;
  };
  const wait = () => new Promise(setImmediate);
  return { settings, runner, clock, onFailure, signal: runner.stop.signal, wait, ...more };
}

const ticks = ({ plans }: Recorder) => plans.map(({ verb, tick }) => `${verb} ${tick}`);

/** Runs schedules from 07:00 UTC on with no source, on data that are there since a moment. */
async function nightUntil(end: string, dataSince = '2026-01-01T00:00:00Z'): Promise<Recorder> {
  const runner = new Recorder(1);
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: freshFolder() });
  const clock = risingClock('2026-11-20T07:00:00Z', 60_000);
  const wait = async () => {
    if (clock() > Date.parse(end)) runner.stop.abort();
  };
  const dataSinceMs = Date.parse(dataSince);
  await runSchedules({ ...deps(runner, clock), settings, wait, dataSinceMs });
  return runner;
}

describe('schedules', () => {
  it('make a run of a missed tick and of each later one', async () => {
    const runner = new Recorder(4);
    await runSchedules(deps(runner, risingClock('2026-11-20T13:02:00Z', 20_000)));
    expect(ticks(runner)).toEqual([
      'schedule news 2026-11-20T13:00:00.000Z',
      'schedule earnings dates 2026-11-20T12:00:00.000Z',
      'schedule news 2026-11-20T13:05:00.000Z',
      'schedule news 2026-11-20T13:10:00.000Z',
    ]);
  });

  it('run a tick once, however many processes there are', async () => {
    const known = new Set<string>();
    const runners = [new Recorder(3, known), new Recorder(3, known)];
    const clock = risingClock('2026-11-20T13:02:00Z', 5_000);
    await Promise.race(runners.map((runner) => runSchedules(deps(runner, clock))));
    for (const { stop } of runners) stop.abort();
    const all = runners.flatMap(ticks);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('schedule earnings dates 2026-11-20T12:00:00.000Z');
  });

  it('leave out a tick while the one before still runs', async () => {
    const runner = new Recorder(3);
    const clock = risingClock('2026-11-20T13:02:00Z', 20_000);
    // It takes until some time after 13:08.
    runner.isUnfinished = async (id) =>
      runner.plans.some((plan) => plan.id === id) && clock() < Date.parse('2026-11-20T13:08:00Z');
    await runSchedules(deps(runner, clock));
    expect(ticks(runner)).toEqual([
      'schedule news 2026-11-20T13:00:00.000Z',
      'schedule earnings dates 2026-11-20T12:00:00.000Z',
      'schedule news 2026-11-20T13:05:00.000Z',
    ]);
    expect(runner.plans[2].createdMs).toBeGreaterThan(Date.parse('2026-11-20T13:08:00Z'));
  });

  it('leave out ticks while one still runs that a process before has added', async () => {
    const before = new Recorder(2);
    await runSchedules(deps(before, risingClock('2026-11-20T13:02:00Z', 20_000)));
    const [news] = before.plans;
    // Started again later, with some ticks in between that were left out.
    const runner = new Recorder(2);
    const clock = risingClock('2026-11-20T13:33:00Z', 20_000);
    runner.isUnfinished = async (id) =>
      id === news.id && clock() < Date.parse('2026-11-20T13:41:00Z');
    await runSchedules(deps(runner, clock));
    expect(ticks(runner)).toEqual([
      'schedule earnings dates 2026-11-20T12:00:00.000Z',
      'schedule news 2026-11-20T13:40:00.000Z',
    ]);
  });

  it('go on after a tick that could not be added', async () => {
    const runner = new Recorder(2);
    const failures: string[] = [];
    const enqueue = runner.enqueue.bind(runner);
    runner.enqueue = async (plan) => {
      if (plan.task) return true;
      if (failures.length === 0) throw new Error('no room');
      return enqueue(plan);
    };
    const onFailure: ScheduleDeps['onFailure'] = ({ name }, error) => {
      failures.push(`${name}: ${error}`);
    };
    await runSchedules(deps(runner, risingClock('2026-11-20T13:02:00Z', 20_000), { onFailure }));
    expect(failures).toEqual(['news: Error: no room']);
    expect(ticks(runner)[1]).toBe('schedule news 2026-11-20T13:05:00.000Z');
  });

  it('try again while the queue is away', async () => {
    const runner = new Recorder(3);
    const failures: unknown[] = [];
    let tries = 0;
    const enqueue = runner.enqueue.bind(runner);
    runner.enqueue = async (plan) => {
      if (plan.task) return true;
      if (++tries <= 4) throw new QueueUnavailableError('Redis does not answer');
      return enqueue(plan);
    };
    const onFailure: ScheduleDeps['onFailure'] = ({ name }) => failures.push(name);
    const dealt = new Set<string>();
    const onDealt = (tickMs: number) => dealt.add(`${tries} ${new Date(tickMs).toISOString()}`);
    const clock = risingClock('2026-11-20T13:00:00Z', 5000);
    await runSchedules(deps(runner, clock, { onFailure, onDealt }));
    expect(failures).toEqual(['news', 'earnings dates']);
    expect([...dealt]).toEqual(['6 2026-11-20T13:00:00.000Z']);
    expect(ticks(runner)).toEqual([
      'schedule news 2026-11-20T13:00:00.000Z',
      'schedule earnings dates 2026-11-20T12:00:00.000Z',
      'schedule news 2026-11-20T13:05:00.000Z',
    ]);
  });

  it('run maintenance each night, also where no source is configured', async () => {
    const runner = await nightUntil('2026-11-20T10:00:00Z');
    // What was missed the night before is made up for first.
    expect(runner.tasks.map(({ task, tick }) => `${task} ${tick}`)).toEqual([
      'retention 2026-11-19T08:10:00.000Z',
      'roll-up 2026-11-19T08:20:00.000Z',
      'integrity 2026-11-19T08:30:00.000Z',
      'compact 2026-11-19T09:15:00.000Z',
      'retention 2026-11-20T08:10:00.000Z',
      'roll-up 2026-11-20T08:20:00.000Z',
      'integrity 2026-11-20T08:30:00.000Z',
      'compact 2026-11-20T09:15:00.000Z',
    ]);
    expect(runner.tasks.every(({ mode, childCount }) => mode === 'live' && childCount === 0)).toBe(
      true,
    );
  });

  it('make up for no maintenance of a time in which there were no data', async () => {
    const runner = await nightUntil('2026-11-20T08:25:00Z', '2026-11-20T06:59:00Z');
    expect(runner.tasks.map(({ task, tick }) => `${task} ${tick}`)).toEqual([
      'retention 2026-11-20T08:10:00.000Z',
      'roll-up 2026-11-20T08:20:00.000Z',
    ]);
  });

  it('run maintenance on data that were made while the clock was ahead', async () => {
    const runner = await nightUntil('2026-11-20T08:25:00Z', '2027-01-01T00:00:00Z');
    const tasks = ['retention', 'roll-up', 'integrity', 'compact', 'retention', 'roll-up'];
    expect(runner.tasks.map(({ task }) => task)).toEqual(tasks);
  });

  it('end at once where they are switched off', async () => {
    const runner = new Recorder(1);
    const off = { TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_DATA_DIR: freshFolder() };
    await runSchedules({ ...deps(runner, Date.now), settings: settingsFromEnv(off) });
    expect([runner.plans, runner.tasks]).toEqual([[], []]);
  });
});
