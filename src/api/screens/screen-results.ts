/** Results of screens, by the version, the moment and the plan that decide them. */

import { MODES, type Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
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
import type { ScreenRequest } from './messages.ts';
import { runScreen, type Screened } from './screened.ts';
import { screenUniverse } from './universes.ts';
import { requireSameRows } from './verified.ts';

export type ScreenReaders = Record<Mode, Pick<ServingReader, 'current' | 'reaches' | 'folder'>>;

/** Screens that are computed, or kept, by the parts that decide their result. */
export interface Wanted {
  snapshot: Snapshot;
  request: ScreenRequest;
}

/** A result, and the version that it keeps in memory with its files. */
interface KeptResult {
  mode: Mode;
  versionId: string;
  screened: Screened;
}

export class ScreenResults {
  readonly memory = new ScreenMemory(limits.screens.memoryBytesMax);
  readonly #readers: ScreenReaders;
  readonly #results = new KeptResults<KeptResult>(limits.screenThread.resultBytesMax);
  readonly #plans = new Map<string, ScreenPlan>();
  readonly #held: Record<Mode, HeldVersions<Snapshot>>;

  constructor(readers: ScreenReaders) {
    this.#readers = readers;
    const { recentMs, recentVersionsMin } = limits.serving;
    const { versionsMax } = limits.screenThread;
    const bounds = { recentMs, recentVersionsMin, versionsMax };
    this.#held = { live: new HeldVersions(bounds), sandbox: new HeldVersions(bounds) };
  }

  /** Holds a version in which a walk may continue. */
  hold(mode: Mode, version: Snapshot): void {
    this.#held[mode].hold(version);
  }

  /** Lets go of versions whose walks have ended, with their results. */
  release(): void {
    const newest = { live: this.#newestId('live'), sandbox: this.#newestId('sandbox') };
    for (const mode of MODES) this.#held[mode].release(newest[mode], wallMs());
    // No request can reach the others.
    this.#results.retain(
      ({ mode, versionId }) =>
        versionId === newest[mode] || this.#held[mode].find(versionId) !== undefined,
    );
  }

  #newestId(mode: Mode): string | undefined {
    try {
      return this.#readers[mode].current().id;
    } catch {
      // Damage is reported to requests.
      return undefined;
    }
  }

  /** Returns the version of a page: that of the page before, if it is still held. */
  versionOf({ mode, place }: ScreenRequest): { snapshot: Snapshot; isChanged: boolean } {
    const reader = this.#readers[mode];
    // The API thread has waited for the version of the walk, and may have seen it first.
    if (place) reader.reaches(place[0]);
    const newest = reader.current();
    if (!place) return { snapshot: newest, isChanged: false };
    const [id, hasChanged] = place;
    const walked = id === newest.id ? newest : this.#held[mode].find(id);
    return { snapshot: walked ?? newest, isChanged: hasChanged === 1 || !walked };
  }

  /** Returns the texts in one spelling. Own names of all modes are known: a screen may run in any. */
  canonicalOf(texts: ScreenTexts): string {
    const names = MODES.map((mode) => ownNames(this.#readers[mode].current()));
    const own = {
      universes: [...new Set(names.flatMap(({ universes }) => universes))],
      columns: [...new Set(names.flatMap(({ columns }) => columns))],
    };
    return this.#planOf(texts, own).canonical;
  }

  #planOf(texts: ScreenTexts, own: OwnNames): ScreenPlan {
    const key = planKey(texts, own);
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = compileScreen(texts, own);
      if (this.#plans.size >= limits.screenThread.plansMax) this.#plans.clear();
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** Returns a result that is there already. */
  kept(wanted: Wanted): Screened | undefined {
    const plan = this.#plans.get(planKey(wanted.request.texts, ownNames(wanted.snapshot)));
    return plan && this.#results.get(resultKey(wanted, plan))?.screened;
  }

  *steps(wanted: Wanted): Generator<void, Screened> {
    const { snapshot, request } = wanted;
    const plan = this.#planOf(request.texts, ownNames(snapshot));
    yield;
    const key = resultKey(wanted, plan);
    const kept = this.#results.get(key);
    if (kept) return kept.screened;
    const screened = yield* computed(wanted, plan, this.memory);
    const { mode } = request;
    this.#results.put(key, { mode, versionId: snapshot.id, screened }, screened.bytes);
    return screened;
  }

  /** Computes a screen in memory and from files, too. @throws {TapeworksError} The rows differ. */
  *verifiedSteps(wanted: Wanted): Generator<void, Screened> {
    const { snapshot, request } = wanted;
    const { texts } = request;
    const screened = yield* this.steps(wanted);
    const plan = this.#planOf(texts, ownNames(snapshot));
    requireSameRows(texts, screened, yield* computed(wanted, plan, this.memory), 'in memory');
    using opened = openPublished(this.#readers[request.mode].folder);
    if (opened?.id !== snapshot.id) return screened;
    const cold = { snapshot: opened, request };
    requireSameRows(texts, screened, yield* computed(cold, plan, new ScreenMemory(0)), 'cold');
    return screened;
  }
}

/** Names a run of a screen. */
export function runName(wanted: Wanted, isVerified: boolean): string {
  return [isVerified, nameOfMoment(wanted), textsKey(wanted.request.texts)].join('\n');
}

function resultKey(wanted: Wanted, plan: ScreenPlan): string {
  const { texts, isExplained } = wanted.request;
  // Texts are part of the result where it shows them.
  const shown = plan.columns.length > 0 || isExplained ? textsKey(texts) : '';
  return [nameOfMoment(wanted), plan.canonical, shown].join('\n');
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
