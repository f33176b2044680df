/**
 * Runs screens in small steps, between which it reads messages and starts other screens. It belongs
 * on a thread of its own.
 */

import type { MessagePort } from 'node:worker_threads';
import { MODES, type Mode } from '../../base/config/data-dir.ts';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { randomFraction } from '../../base/world/chance.ts';
import {
  clearImmediate,
  clearInterval,
  monotonicMs,
  setImmediate,
  setInterval,
  wallMs,
} from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import type { OwnNames } from '../../screens/language/scope.ts';
import { compileScreen } from '../../screens/plan/compile.ts';
import type { ScreenPlan } from '../../screens/plan/screen-plan.ts';
import { ownNames } from '../../screens/run/own-fields.ts';
import { ScreenMemory } from '../../screens/run/screen-memory.ts';
import { HeldVersions } from '../../store/arrow/read/held-versions.ts';
import { openPublished } from '../../store/arrow/read/reader.ts';
import type { ServingReader, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { KeptResults } from '../responses/kept-results.ts';
import { type StudyResult, studySteps } from '../study/respond.ts';
import { FairQueue } from './fair-queue.ts';
import type { ScreenMessage, ScreenReply, ScreenRequest, StudyMessage } from './messages.ts';
import { screenPage } from './page.ts';
import { runScreen, type Screened } from './screened.ts';
import { sentError } from './sent-error.ts';
import { screenUniverse } from './universes.ts';
import { requireSameRows } from './verified.ts';
import { writtenRows } from './written-rows.ts';

export interface ScreenService {
  /** Serves the requests that arrive at a port until its other side is closed. */
  accept(port: MessagePort): void;
  /** Holds a version in which a walk of another machine may continue. */
  hold(mode: Mode, version: Snapshot): void;
  /** Cancels what runs, and closes all ports. */
  close(): void;
}

/** A request that waits for a run. */
interface Waiter {
  port: MessagePort;
  id: number;
  account: string;
  /** Sends the result of the run, which took this time. */
  respond(result: unknown, workMs: number): void;
}

/** Computation of a run. */
interface Work {
  name: string;
  /** Parameter that an error of a run without an end names. */
  field: string;
  steps(): Iterator<void, unknown>;
}

/** One computation, for all requests that arrive for the same result meanwhile. */
interface Run {
  name: string;
  field: string;
  steps: Iterator<void, unknown>;
  waiters: Set<Waiter>;
  /** Time of its ticks; other threads may have had the processor meanwhile. */
  workMs: number;
  /** Processor time, in the steps of the system's clock: some milliseconds. */
  processorMs: number;
}

/** Screens that are computed, or kept, by the parts that decide their result. */
interface Wanted {
  snapshot: Snapshot;
  request: ScreenRequest;
}

/** A result, and the version that it keeps in memory with its files. */
interface KeptResult {
  mode: Mode;
  versionId: string;
  screened: Screened;
}

const RETRY = ['Retry-After', '1'];
const MICROS_PER_MILLI = 1000;

/** Reads the processor time of this thread, or the time where the runtime has no such clock. */
function processorClockMs(): number {
  // Node has it since version 23.9.
  if (typeof process.threadCpuUsage !== 'function') return monotonicMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROS_PER_MILLI;
}

/** @param verifiedShare Share of requests whose screens are computed again and compared. */
export function startScreenService(
  readers: Record<Mode, Pick<ServingReader, 'current' | 'reaches' | 'folder'>>,
  verifiedShare = 0,
): ScreenService {
  const bounds = limits.screenThread;
  const queue = new FairQueue<Run>(bounds);
  const runs = new Map<string, Run>();
  const results = new KeptResults<KeptResult>(bounds.resultBytesMax);
  const plans = new Map<string, ScreenPlan>();
  const memory = new ScreenMemory(limits.screens.memoryBytesMax);
  const { recentMs, recentVersionsMin } = limits.serving;
  const versionLimits = { recentMs, recentVersionsMin, versionsMax: bounds.versionsMax };
  const held = {
    live: new HeldVersions<Snapshot>(versionLimits),
    sandbox: new HeldVersions<Snapshot>(versionLimits),
  };
  /** By port, the requests that wait, by id. */
  const ports = new Map<MessagePort, Map<number, { run: Run; waiter: Waiter }>>();
  let turn: NodeJS.Immediate | undefined;

  function release(): void {
    const newest = { live: newestId('live'), sandbox: newestId('sandbox') };
    for (const mode of MODES) held[mode].release(newest[mode], wallMs());
    // No request can reach the others.
    results.retain(
      ({ mode, versionId }) =>
        versionId === newest[mode] || held[mode].find(versionId) !== undefined,
    );
  }

  function newestId(mode: Mode): string | undefined {
    try {
      return readers[mode].current().id;
    } catch {
      // Damage is reported to requests.
      return undefined;
    }
  }

  function planOf(texts: ScreenTexts, own: OwnNames): ScreenPlan {
    const key = planKey(texts, own);
    let plan = plans.get(key);
    if (!plan) {
      plan = compileScreen(texts, own);
      if (plans.size >= bounds.plansMax) plans.clear();
      plans.set(key, plan);
    }
    return plan;
  }

  /** Returns the names of all modes: a saved screen may run in any. */
  function namesOfModes(): OwnNames {
    const names = MODES.map((mode) => ownNames(readers[mode].current()));
    return {
      universes: [...new Set(names.flatMap(({ universes }) => universes))],
      columns: [...new Set(names.flatMap(({ columns }) => columns))],
    };
  }

  /** Returns the version of a page: that of the page before, if it is still held. */
  function versionOf({ mode, place }: ScreenRequest): { snapshot: Snapshot; isChanged: boolean } {
    // The API thread has waited for the version of the walk, and may have seen it first.
    if (place) readers[mode].reaches(place[0]);
    const newest = readers[mode].current();
    if (!place) return { snapshot: newest, isChanged: false };
    const [id, hasChanged] = place;
    const walked = id === newest.id ? newest : held[mode].find(id);
    return { snapshot: walked ?? newest, isChanged: hasChanged === 1 || !walked };
  }

  function resultKey(wanted: Wanted, plan: ScreenPlan): string {
    const { texts, isExplained } = wanted.request;
    // Texts are part of the result where it shows them.
    const shown = plan.columns.length > 0 || isExplained ? textsKey(texts) : '';
    return [nameOfMoment(wanted), plan.canonical, shown].join('\n');
  }

  function keptResult(wanted: Wanted): Screened | undefined {
    const plan = plans.get(planKey(wanted.request.texts, ownNames(wanted.snapshot)));
    return plan && results.get(resultKey(wanted, plan))?.screened;
  }

  function* steps(wanted: Wanted): Generator<void, Screened> {
    const { snapshot, request } = wanted;
    const plan = planOf(request.texts, ownNames(snapshot));
    yield;
    const key = resultKey(wanted, plan);
    const kept = results.get(key);
    if (kept) return kept.screened;
    const screened = yield* computed(wanted, plan, memory);
    const { mode } = request;
    results.put(key, { mode, versionId: snapshot.id, screened }, screened.bytes);
    return screened;
  }

  /** Computes a screen in memory and from files, too. @throws {TapeworksError} The rows differ. */
  function* verifiedSteps(wanted: Wanted): Generator<void, Screened> {
    const { snapshot, request } = wanted;
    const { texts } = request;
    const screened = yield* steps(wanted);
    const plan = planOf(texts, ownNames(snapshot));
    requireSameRows(texts, screened, yield* computed(wanted, plan, memory), 'in memory');
    using opened = openPublished(readers[request.mode].folder);
    if (opened?.id !== snapshot.id) return screened;
    const cold = { snapshot: opened, request };
    requireSameRows(texts, screened, yield* computed(cold, plan, new ScreenMemory(0)), 'cold');
    return screened;
  }

  function reply(port: MessagePort, message: ScreenReply): void {
    const kept = message.kind === 'page' ? message.page.rows : '';
    port.postMessage(message, typeof kept === 'string' ? [] : [kept.buffer]);
  }

  /** A page of a screen that a request waits for. */
  interface PageWaiter {
    port: MessagePort;
    id: number;
    request: ScreenRequest;
    isChanged: boolean;
    arrivedMs: number;
  }

  function respond(
    { port, id, request, isChanged, arrivedMs }: PageWaiter,
    snapshot: Snapshot,
    screened: Screened,
    workMs: number,
  ): void {
    const page = screenPage(snapshot, screened, request, isChanged, (rows) =>
      writtenRows(screened, rows, request),
    );
    if (page.next) held[request.mode].hold(snapshot);
    const totalMs = monotonicMs() - arrivedMs;
    reply(port, { kind: 'page', id, page: { ...page, totalMs, workMs } });
  }

  function start(waiter: Waiter, work: Work): void {
    const { name, field } = work;
    const run = runs.get(name) ?? {
      name,
      field,
      steps: work.steps(),
      waiters: new Set<Waiter>(),
      workMs: 0,
      processorMs: 0,
    };
    const refusal = queue.add(waiter.account, run);
    if (refusal) throw refused(refusal);
    runs.set(name, run);
    run.waiters.add(waiter);
    ports.get(waiter.port)?.set(waiter.id, { run, waiter });
    turn ??= setImmediate(takeTurn);
  }

  function takeTurn(): void {
    const run = queue.next();
    turn = run && setImmediate(takeTurn);
    if (run) advance(run);
  }

  /** Runs a screen or a study for a tick. */
  function advance(run: Run): void {
    try {
      const result = resultInTick(run);
      if (!result) return;
      end(run);
      for (const waiter of run.waiters)
        answer(waiter, () => waiter.respond(result.value, run.workMs));
    } catch (error) {
      end(run);
      for (const waiter of run.waiters) {
        answer(waiter, () => {
          throw error;
        });
      }
    }
  }

  function answer({ port, id }: Pick<Waiter, 'port' | 'id'>, respond: () => void): void {
    try {
      respond();
    } catch (error) {
      reply(port, { kind: 'error', id, error: sentError(error) });
    }
  }

  /** Removes a run and what waits for it from all lists. */
  function end(run: Run): void {
    runs.delete(run.name);
    for (const { port, id, account } of run.waiters) {
      queue.remove(account, run);
      ports.get(port)?.delete(id);
    }
  }

  function cancel(port: MessagePort, id: number): void {
    const waiting = ports.get(port)?.get(id);
    if (!waiting) return;
    const { run, waiter } = waiting;
    ports.get(port)?.delete(id);
    run.waiters.delete(waiter);
    const { account } = waiter;
    const others = [...run.waiters];
    if (!others.some((other) => other.account === account)) queue.remove(account, run);
    if (others.length > 0) return;
    runs.delete(run.name);
    run.steps.return?.();
  }

  function receivePage(port: MessagePort, id: number, request: ScreenRequest): void {
    const arrivedMs = monotonicMs();
    const { snapshot, isChanged } = versionOf(request);
    const waiter = { port, id, request, isChanged, arrivedMs };
    const wanted = { snapshot, request };
    const isVerified = verifiedShare > 0 && randomFraction() < verifiedShare;
    const kept = isVerified ? undefined : keptResult(wanted);
    if (kept) {
      respond(waiter, snapshot, kept, 0);
      return;
    }
    const { account, texts } = request;
    const field =
      texts.where !== undefined ? 'where' : texts.columns !== undefined ? 'columns' : 'sort';
    start(
      {
        ...{ port, id, account },
        respond: (screened, workMs) => respond(waiter, snapshot, screened as Screened, workMs),
      },
      {
        name: [isVerified, nameOfMoment(wanted), textsKey(texts)].join('\n'),
        field,
        steps: () => (isVerified ? verifiedSteps(wanted) : steps(wanted)),
      },
    );
  }

  function receiveStudy(
    port: MessagePort,
    id: number,
    { mode, account, request }: StudyMessage,
  ): void {
    const arrivedMs = monotonicMs();
    const snapshot = readers[mode].current();
    start(
      {
        ...{ port, id, account },
        respond(result, workMs) {
          const totalMs = monotonicMs() - arrivedMs;
          const study = { ...(result as StudyResult), totalMs, workMs };
          reply(port, { kind: 'studied', id, study });
        },
      },
      {
        name: ['study', mode, snapshot.id, JSON.stringify(request)].join('\n'),
        field: 'where',
        steps: () => studySteps(snapshot, memory, request),
      },
    );
  }

  function receive(port: MessagePort, message: ScreenMessage): void {
    const { id } = message;
    answer({ port, id }, () => {
      switch (message.kind) {
        case 'cancel':
          return cancel(port, id);
        case 'page':
          return receivePage(port, id, message.request);
        case 'study':
          return receiveStudy(port, id, message.study);
        case 'check':
          return reply(port, {
            ...{ kind: 'checked', id },
            canonical: planOf(message.texts, namesOfModes()).canonical,
          });
      }
    });
  }

  function forget(port: MessagePort): void {
    for (const id of [...(ports.get(port)?.keys() ?? [])]) cancel(port, id);
    ports.delete(port);
  }

  const releasing = setInterval(release, bounds.releaseMs).unref();
  return {
    accept(port) {
      ports.set(port, new Map());
      port.on('message', (message: ScreenMessage) => receive(port, message));
      port.on('close', () => forget(port));
    },
    hold: (mode, version) => held[mode].hold(version),
    close() {
      clearInterval(releasing);
      for (const port of [...ports.keys()]) {
        forget(port);
        port.close();
      }
      if (turn) clearImmediate(turn);
    },
  };
}

function* computed(
  { snapshot, request }: Wanted,
  plan: ScreenPlan,
  memory: ScreenMemory,
): Generator<void, Screened> {
  const { isExplained, asOfDay } = request;
  const universe = yield* screenUniverse(snapshot, memory, asOfDay);
  return yield* runScreen(snapshot, plan, universe, {
    ...{ isExplained, needsRsi: needsRsi(request), memory },
  });
}

function planKey(texts: ScreenTexts, { universes, columns }: OwnNames): string {
  return `${textsKey(texts)} ${universes} ${columns}`;
}

function textsKey({ where = '', columns = '', sort = '' }: ScreenTexts): string {
  return JSON.stringify([where, columns, sort]);
}

/** Takes steps for the time of a tick. @returns the result, if that was the last step. */
function resultInTick(run: Run): { value: unknown } | undefined {
  const startMs = monotonicMs();
  const processorStartMs = processorClockMs();
  for (;;) {
    const { done, value } = run.steps.next();
    const workMs = monotonicMs() - startMs;
    if (!done && workMs < limits.tickBudgetMs) continue;
    run.workMs += workMs;
    run.processorMs += processorClockMs() - processorStartMs;
    if (done) return { value };
    if (run.processorMs > limits.screenThread.workMs) throw tooLong(run);
    return undefined;
  }
}

function needsRsi({ asOfDay, filters, sort, texts }: ScreenRequest): boolean {
  if (asOfDay === undefined) return false;
  const isSorted = texts.sort === undefined && sort === 'rsi14';
  return isSorted || filters.some((filter) => filter.kind === 'range' && filter.name === 'rsi14');
}

/** Names all that decides a result, the texts left out. */
function nameOfMoment({ snapshot, request }: Wanted): string {
  const { mode, asOfDay, isExplained } = request;
  return `${mode} ${snapshot.id} ${asOfDay ?? ''} ${isExplained} ${needsRsi(request)}`;
}

function tooLong({ field }: Run): ParameterError {
  const seconds = limits.screenThread.workMs / 1000;
  const rule = `${field} must take at most ${seconds} s of processor time`;
  return new ParameterError(field, `${rule}: use fewer or shorter conditions`);
}

function refused(refusal: 'account' | 'all'): HttpError {
  if (refusal === 'all') {
    return new HttpError(503, 'Too many screens are waiting: try again in 1 s', RETRY);
  }
  const { accountRunningMax, accountWaitingMax } = limits.screenThread;
  const count = accountRunningMax + accountWaitingMax;
  const rule = `The account has ${count} screens in progress, which is the limit`;
  return new HttpError(429, `${rule}: wait for their responses and try again in 1 s`, RETRY);
}
