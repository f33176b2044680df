/** Computes in small steps, one for all requests that arrive for the same result meanwhile. */

import type { MessagePort } from 'node:worker_threads';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearImmediate, monotonicMs, setImmediate } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { FairQueue } from './fair-queue.ts';

/** A request that waits for a run. */
export interface Waiter {
  port: MessagePort;
  id: number;
  account: string;
  /** Sends the result of the run, which took this time. */
  respond(result: unknown, workMs: number): void;
}

/** Computation of a run. */
export interface Work {
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

const RETRY = ['Retry-After', '1'];
const MICROS_PER_MILLI = 1000;

export class SharedRuns {
  readonly #queue = new FairQueue<Run>(limits.screenThread);
  readonly #runs = new Map<string, Run>();
  /** By port, the requests that wait, by id. */
  readonly #ports = new Map<MessagePort, Map<number, { run: Run; waiter: Waiter }>>();
  readonly #fail: (waiter: Waiter, error: unknown) => void;
  #turn: NodeJS.Immediate | undefined;

  /** @param fail Tells a request why it has no result. */
  constructor(fail: (waiter: Waiter, error: unknown) => void) {
    this.#fail = fail;
  }

  /** Takes requests of a port from now on. */
  open(port: MessagePort): void {
    this.#ports.set(port, new Map());
  }

  /** Adds a request to the run of that name, or begins it. @throws {HttpError} Too many wait. */
  start(waiter: Waiter, { name, field, steps }: Work): void {
    const counts = { workMs: 0, processorMs: 0 };
    const run = this.#runs.get(name) ?? {
      ...{ name, field, steps: steps(), waiters: new Set<Waiter>() },
      ...counts,
    };
    const refusal = this.#queue.add(waiter.account, run);
    if (refusal) throw refused(refusal);
    this.#runs.set(name, run);
    run.waiters.add(waiter);
    this.#ports.get(waiter.port)?.set(waiter.id, { run, waiter });
    this.#turn ??= setImmediate(this.#takeTurn);
  }

  /** Forgets a request. A run that nothing else waits for ends. */
  cancel(port: MessagePort, id: number): void {
    const waiting = this.#ports.get(port)?.get(id);
    if (!waiting) return;
    const { run, waiter } = waiting;
    this.#ports.get(port)?.delete(id);
    run.waiters.delete(waiter);
    const { account } = waiter;
    const others = [...run.waiters];
    if (!others.some((other) => other.account === account)) this.#queue.remove(account, run);
    if (others.length > 0) return;
    this.#runs.delete(run.name);
    run.steps.return?.();
  }

  /** Cancels the requests of a port. */
  forget(port: MessagePort): void {
    for (const id of [...(this.#ports.get(port)?.keys() ?? [])]) this.cancel(port, id);
    this.#ports.delete(port);
  }

  /** Cancels what runs, and closes all ports. */
  close(): void {
    for (const port of [...this.#ports.keys()]) {
      this.forget(port);
      port.close();
    }
    if (this.#turn) clearImmediate(this.#turn);
  }

  readonly #takeTurn = (): void => {
    const run = this.#queue.next();
    this.#turn = run && setImmediate(this.#takeTurn);
    if (run) this.#advance(run);
  };

  /** Takes steps of a run for a tick. */
  #advance(run: Run): void {
    try {
      const result = resultInTick(run);
      if (!result) return;
      this.#end(run);
      for (const waiter of run.waiters) this.#respond(waiter, result.value, run.workMs);
    } catch (error) {
      this.#end(run);
      for (const waiter of run.waiters) this.#fail(waiter, error);
    }
  }

  #respond(waiter: Waiter, result: unknown, workMs: number): void {
    try {
      waiter.respond(result, workMs);
    } catch (error) {
      this.#fail(waiter, error);
    }
  }

  /** Removes a run and what waits for it from all lists. */
  #end(run: Run): void {
    this.#runs.delete(run.name);
    for (const { port, id, account } of run.waiters) {
      this.#queue.remove(account, run);
      this.#ports.get(port)?.delete(id);
    }
  }
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

/** Reads the processor time of this thread, or the time where the runtime has no such clock. */
function processorClockMs(): number {
  // Node has it since version 23.9.
  if (typeof process.threadCpuUsage !== 'function') return monotonicMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROS_PER_MILLI;
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
