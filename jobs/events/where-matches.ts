/** Rows that match the expressions of webhooks: each distinct one once a publish, in bounded time. */

import { setImmediate } from 'node:timers/promises';
import { ParameterError, TapeworksError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { compileScreen } from '../../src/compute/screens/compile.ts';
import type { ScreenPlan } from '../../src/compute/screens/screen-plan.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { matchesOf } from '../../src/store/arrow/screens/matches.ts';
import { ScreenMemory } from '../../src/store/arrow/screens/screen-memory.ts';
import { universeOf } from '../../src/store/arrow/screens/universe.ts';

/** Rows of `version.screener()`, or the reason why they are not known. */
export type WhereMatches =
  /** `accepts` has 1 at each row that matches. */
  | { accepts: Uint8Array }
  /** `isLate`: other expressions took the time of the publish. */
  | { error: string; isLate: boolean };

export class WhereRun {
  readonly #memory = new ScreenMemory(limits.screens.memoryBytesMax);
  readonly #known = new WeakMap<PublishedVersion, Map<string, WhereMatches>>();
  #usedMs = 0;

  async matches(version: PublishedVersion, where: string): Promise<WhereMatches> {
    const known = this.#known.get(version) ?? new Map<string, WhereMatches>();
    this.#known.set(version, known);
    try {
      const plan = compileScreen({ where });
      const found = known.get(plan.canonical) ?? (await this.#run(version, plan));
      known.set(plan.canonical, found);
      return found;
    } catch (error) {
      // Neither an expression of an earlier release nor damage keeps other events back.
      if (!(error instanceof TapeworksError)) throw error;
      // Only messages about the expression have no path of this machine in them.
      const isOwn = error instanceof ParameterError;
      return { error: isOwn ? error.message : 'Stored bars cannot be read', isLate: false };
    }
  }

  async #run(version: PublishedVersion, plan: ScreenPlan): Promise<WhereMatches> {
    const { screenMs, screensMs, screenTickMs } = limits.events;
    const seconds = (ms: number) => `${ms / 1000} s`;
    if (this.#usedMs >= screensMs) {
      const rule = `Screens of the last publish took more than ${seconds(screensMs)}`;
      return { error: `${rule}: this one comes first at the next`, isLate: true };
    }
    const startMs = performance.now();
    let tickMs = startMs;
    try {
      const steps = matchesOf(version, plan, universeOf(version), this.#memory);
      for (;;) {
        const step = steps.next();
        if (step.done) return { accepts: step.value };
        const nowMs = performance.now();
        if (nowMs - startMs > screenMs) {
          return { error: `The screen took more than ${seconds(screenMs)}`, isLate: false };
        }
        if (nowMs - tickMs < screenTickMs) continue;
        // Locks of the publish are renewed meanwhile.
        await setImmediate();
        tickMs = performance.now();
      }
    } finally {
      this.#usedMs += performance.now() - startMs;
    }
  }
}
