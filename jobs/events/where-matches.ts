/** Rows that match the expressions of webhooks: each distinct one once a publish, in bounded time. */

import { ParameterError, TapeworksError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { monotonicMs, nextTick } from '../../src/base/world/clock.ts';
import { compileScreen } from '../../src/screens/plan/compile.ts';
import type { ScreenPlan } from '../../src/screens/plan/screen-plan.ts';
import { matchesOf } from '../../src/screens/run/matches.ts';
import { ownNames } from '../../src/screens/run/own-fields.ts';
import { ScreenMemory } from '../../src/screens/run/screen-memory.ts';
import { universeOf } from '../../src/screens/run/universe.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';

/** Rows of `version.screener()`, or the reason why they are not known. */
export type WhereMatches =
  /** `accepts` has 1 at each row that matches. */
  | { accepts: Uint8Array }
  /** `isLate`: other expressions took the time of the publish. */
  | { error: string; isLate: boolean };

/** Matches of expressions that read daily bars alone. */
interface DailyMatches {
  dailyId: string;
  /** Symbols of the rows. */
  symbols: readonly string[];
  byScreen: Map<string, Uint8Array>;
}

/** By folder of a mode. Most publishes bring minutes, which leave daily bars as they are. */
const dailyMatches = new Map<string, DailyMatches>();

/** Evaluates expressions over one version. */
export class WhereRun {
  readonly #version: PublishedVersion;
  readonly #ofDays: Map<string, Uint8Array>;
  readonly #known = new Map<string, WhereMatches>();
  readonly #memory = new ScreenMemory(limits.screens.memoryBytesMax);
  #usedMs = 0;

  /** @param serving Folder of the version. */
  constructor(serving: string, version: PublishedVersion) {
    this.#version = version;
    this.#ofDays = matchesOfDays(serving, version);
  }

  async matches(where: string): Promise<WhereMatches> {
    try {
      const plan = compileScreen({ where }, ownNames(this.#version));
      const { canonical, fields } = plan;
      const kept = this.#ofDays.get(canonical);
      if (kept) return { accepts: kept };
      const found = this.#known.get(canonical) ?? (await this.#run(plan));
      this.#known.set(canonical, found);
      const isOfDays = fields.length === 0 && this.#ofDays.size < limits.events.screensKept;
      if (isOfDays && 'accepts' in found) this.#ofDays.set(canonical, found.accepts);
      return found;
    } catch (error) {
      // Neither an expression of an earlier release nor damage keeps other events back.
      if (!(error instanceof TapeworksError)) throw error;
      // Only messages about the expression have no path of this machine in them.
      const isOwn = error instanceof ParameterError;
      return { error: isOwn ? error.message : 'Stored bars cannot be read', isLate: false };
    }
  }

  async #run(plan: ScreenPlan): Promise<WhereMatches> {
    const { screenMs, screensMs, screenTickMs } = limits.events;
    const seconds = (ms: number) => `${ms / 1000} s`;
    if (this.#usedMs >= screensMs) {
      const rule = `Screens of the last publish took more than ${seconds(screensMs)}`;
      return { error: `${rule}: this one comes first at the next`, isLate: true };
    }
    const startMs = monotonicMs();
    let tickMs = startMs;
    try {
      const universe = universeOf(this.#version);
      const steps = matchesOf(this.#version, plan, universe, this.#memory);
      for (;;) {
        const step = steps.next();
        if (step.done) return { accepts: step.value };
        const nowMs = monotonicMs();
        if (nowMs - startMs > screenMs) {
          return { error: `The screen took more than ${seconds(screenMs)}`, isLate: false };
        }
        if (nowMs - tickMs < screenTickMs) continue;
        // Locks of the publish are renewed meanwhile.
        await nextTick();
        tickMs = monotonicMs();
      }
    } finally {
      this.#usedMs += monotonicMs() - startMs;
    }
  }
}

/** Returns the matches that an earlier version with the same days and rows has left. */
function matchesOfDays(serving: string, version: PublishedVersion): Map<string, Uint8Array> {
  const { dailyId } = version;
  const { symbols } = version.screener();
  const before = dailyMatches.get(serving);
  const isSame =
    before?.dailyId === dailyId &&
    before.symbols.length === symbols.length &&
    before.symbols.every((symbol, row) => symbol === symbols[row]);
  if (isSame) return before.byScreen;
  const byScreen = new Map<string, Uint8Array>();
  dailyMatches.set(serving, { dailyId, symbols, byScreen });
  return byScreen;
}
