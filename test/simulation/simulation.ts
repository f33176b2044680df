/**
 * One simulated night: machines, their processes, and one clock. It runs one step at a time; the
 * seed decides which.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fault } from './faults.ts';
import { Faults } from './faults.ts';
import { Random } from './random.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);

/** Waits of a restarted process, in simulated milliseconds. */
const RESTART_MS = [50, 3000] as const;

/** Clocks jump by up to this, either way. */
export const JUMP_MS = 90_000;

/** Sleep of a process. */
const SLEEP_MS = 25_000;

/** Ends the calls of a process that was killed. */
export class Killed extends Error {}

export interface Machine {
  readonly name: string;
  /** Error of its wall clock. */
  clockMs: number;
  /** The disk loses what was not synced. */
  loseUnsynced(): void;
}

export interface Process {
  readonly name: string;
  readonly machine: Machine;
  readonly pid: number;
  readonly main: (process: Process) => Promise<void>;
  isDead: boolean;
  /** Begin and end of its last sleep. */
  sleep?: { fromMs: number; untilMs: number };
  /** Closes what the kernel closes when the process ends. */
  readonly open: Set<() => void>;
}

interface Step {
  process: Process | undefined;
  atMs: number;
  label: string;
  run: () => void;
}

export class Simulation {
  readonly seed: number;
  readonly faults: Faults;
  readonly processes: Process[] = [];
  readonly violations: string[] = [];
  nowMs = START_MS;
  steps = 0;
  /** Versions whose numbers were all compared with the fold. */
  compared = 0;
  readonly #random: Random;
  readonly #chance: Random;
  readonly #waiting: Step[] = [];
  #story: ((line: string) => void) | undefined;
  #nextPid = 100;
  #realCalls = 0;
  /** Called when no call is left that takes real time. */
  #realEnd = () => {};

  constructor(seed: number, { allowed, story }: SimulationOptions = {}) {
    this.seed = seed;
    this.faults = new Faults(seed, allowed);
    this.#random = new Random(seed, 'order');
    this.#chance = new Random(seed, 'chance');
    this.#story = story;
  }

  get elapsedMs(): number {
    return this.nowMs - START_MS;
  }

  /** Random numbers that the program asks for. */
  get chance(): Random {
    return this.#chance;
  }

  /** True if what is told is read. */
  get isTold(): boolean {
    return this.#story !== undefined;
  }

  tell(text: string, process = current()): void {
    if (!this.#story) return;
    const who = process ? `${process.machine.name}/${process.name}` : 'world';
    this.#story(`${this.steps} ${this.elapsedMs.toFixed(0)} ms ${who}: ${text}`);
  }

  violate(invariant: string, text: string): void {
    this.violations.push(`${invariant}: ${text}`);
    this.tell(`VIOLATION ${invariant}: ${text}`);
  }

  start(name: string, machine: Machine, main: Process['main']): Process {
    const pid = this.#nextPid++;
    const process: Process = { name, machine, pid, main, isDead: false, open: new Set() };
    this.processes.push(process);
    this.later(process, 0, 'start', () => {
      context.run(process, () => {
        main(process).catch((error) => {
          if (process.isDead) return;
          this.violate('a process runs on', `${name} ended: ${(error as Error).stack}`);
        });
      });
    });
    return process;
  }

  /** Runs something at a time, if its process still lives. */
  later(process: Process | undefined, ms: number, label: string, run: () => void): () => void {
    // A handler of the error that killed it may ask for more.
    if (process?.isDead) return () => {};
    const atMs = Math.max(this.nowMs + Math.max(0, ms), process?.sleep?.untilMs ?? 0);
    const step = { process, atMs, label, run };
    this.#waiting.push(step);
    return () => {
      const at = this.#waiting.indexOf(step);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Waits until it is this process's turn. A killed process waits for ever. */
  turn(label: string, ms = 0): Promise<void> {
    const process = current();
    if (process?.isDead) return new Promise(() => {});
    return new Promise((resolve) => void this.later(process, ms, label, resolve));
  }

  /** Ends all processes without a word. */
  end(): void {
    this.#story = undefined;
    for (const process of [...this.processes]) this.kill(process);
  }

  /** Kills a process, which starts again later. */
  kill(process: Process): void {
    if (process.isDead) return;
    this.tell('killed', process);
    process.isDead = true;
    this.processes.splice(this.processes.indexOf(process), 1);
    // As a part of the process: what it still does with that fails, or waits for ever.
    for (const close of [...process.open]) context.run(process, close);
    // A closed connection may be kept, and with it all that these functions lead to.
    process.open.clear();
    const kept = this.#waiting.filter((step) => step.process !== process);
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    const waitMs = this.#random.between(...RESTART_MS);
    this.later(undefined, waitMs, `start ${process.name}`, () => {
      this.start(process.name, process.machine, process.main);
    });
  }

  /** The power of a machine fails: its processes end, and its disk loses what was not synced. */
  failPower(machine: Machine): void {
    this.tell(`power of ${machine.name} fails`, undefined);
    for (const process of [...this.processes]) {
      if (process.machine === machine) this.kill(process);
    }
    machine.loseUnsynced();
  }

  /**
   * Lets the process of this call die, or its machine.
   *
   * @param power Kind of its failure, which has something to lose before a sync.
   * @throws {Killed} It did.
   */
  mayDie(power: Fault = 'power failure'): void {
    const process = current();
    if (!process) return;
    if (process.isDead) throw new Killed();
    if (this.faults.happens('kill')) this.kill(process);
    else if (this.faults.happens(power)) this.failPower(process.machine);
    if (process.isDead) throw new Killed();
    if (this.happens('sleeping process')) this.#sleep(process);
    if (!this.faults.happens('clock jump')) return;
    process.machine.clockMs += this.#random.between(-JUMP_MS, JUMP_MS);
    this.tell('the clock jumps');
  }

  /** Lets all that a process waits for come late. */
  #sleep(process: Process): void {
    process.sleep = { fromMs: this.nowMs, untilMs: this.nowMs + SLEEP_MS };
    for (const step of this.#waiting) {
      if (step.process === process) step.atMs = Math.max(step.atMs, process.sleep.untilMs);
    }
  }

  happens(kind: Fault): boolean {
    const isThere = this.faults.happens(kind);
    if (isThere) this.tell(kind);
    return isThere;
  }

  /** Runs steps until a time, a number of steps or a violation. */
  async run(untilMs: number, stepsMax = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.steps < stepsMax && this.violations.length === 0) {
      const step = this.#next(untilMs);
      if (!step) {
        this.nowMs = Math.max(this.nowMs, START_MS + untilMs);
        return;
      }
      this.steps++;
      this.nowMs = Math.max(this.nowMs, step.atMs) + this.#random.next() / 50;
      this.tell(step.label, step.process);
      this.#take(step);
      // What the step allowed to go on has come to its next wait after this.
      await new Promise((resolve) => void setImmediate(resolve));
      while (this.#realCalls > 0) {
        await new Promise<void>((resolve) => {
          this.#realEnd = resolve;
        });
        await new Promise((resolve) => void setImmediate(resolve));
      }
    }
  }

  /** Lets the next step wait for a call that takes real time. */
  awaitReal<T>(call: Promise<T>): Promise<T> {
    this.#realCalls++;
    const done = () => {
      this.#realCalls--;
      if (this.#realCalls === 0) this.#realEnd();
    };
    call.then(done, done);
    return call;
  }

  /** An error that a callback throws ends its process. */
  #take({ process, run }: Step): void {
    try {
      if (process) context.run(process, run);
      else run();
    } catch (error) {
      if (!process) throw error;
      if (process.isDead) return;
      this.violate('a process runs on', `${process.name} ended: ${(error as Error).stack}`);
    }
  }

  /** Takes a step that is due; without one, the clock advances to the next. */
  #next(untilMs: number): Step | undefined {
    const waiting = this.#waiting;
    const due: number[] = [];
    let firstMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < waiting.length; i++) {
      const dueMs = Math.max(waiting[i].atMs, this.nowMs);
      if (dueMs > firstMs) continue;
      if (dueMs < firstMs) due.length = 0;
      firstMs = dueMs;
      due.push(i);
    }
    if (due.length === 0 || firstMs > START_MS + untilMs) return undefined;
    return waiting.splice(this.#random.pick(due), 1)[0];
  }
}

export interface SimulationOptions {
  allowed?: ReadonlySet<string>;
  /** Receives a line for each step. */
  story?: (line: string) => void;
}

const context = new AsyncLocalStorage<Process>();

/** The simulation of this process; one runs at a time. */
let running: Simulation | undefined;

export function simulate(next: Simulation): Simulation {
  running = next;
  return next;
}

export function simulation(): Simulation {
  if (!running) throw new Error('no simulation runs');
  return running;
}

/** Returns the simulated process whose code runs; undefined for the simulation itself. */
export function current(): Process | undefined {
  return context.getStore();
}

/** Runs code of the simulation itself, which nothing kills. */
export function outside<T>(run: () => T): T {
  return context.exit(run);
}
