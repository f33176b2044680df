/** Groups of events by a number of the day: its fifth among all symbols with a bar and a value. */

import { LANES } from '../../compute/columns/layout.ts';
import { compileScreen } from '../../screens/plan/compile.ts';
import { evaluateExpression } from '../../screens/plan/evaluate.ts';
import { PastPlan } from '../../screens/study/past-plan.ts';
import { placesOf } from '../../screens/study/run-study.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { NamedStudy } from './request.ts';
import { type EventGroups, groupedBy, type StudyPart } from './tables.ts';

const FIFTHS = 5;

/** Group of an event without a value. */
const UNKNOWN = '';

export class Fifths {
  readonly #snapshot: Snapshot;
  readonly #request: NamedStudy;
  /** By symbol, the group of each of its rows: 0 is unknown, 1 has the smallest values. */
  #groups: ReadonlyMap<number, Uint8Array> | undefined;

  constructor(snapshot: Snapshot, request: NamedStudy) {
    this.#snapshot = snapshot;
    this.#request = request;
  }

  *groupsOf({ run, market }: StudyPart): Generator<undefined, EventGroups> {
    const groups = this.#groups ?? (yield* this.#made(market));
    const { events } = run;
    return yield* groupedBy(placesOf(run), (at) => {
      const fifth = groups.get(events.numbers[at])![events.rows[at]];
      return fifth === 0 ? UNKNOWN : `${fifth} of ${FIFTHS}`;
    });
  }

  *#made(market: StudyMarket): Generator<undefined, ReadonlyMap<number, Uint8Array>> {
    const { by, own, fromDay = -Infinity, toDay = Infinity } = this.#request;
    const screen = compileScreen({ sort: `rank(${by})` }, own);
    const plan = new PastPlan(this.#snapshot, market, screen);
    const isIn = (session: number) =>
      market.sessions[session] >= fromDay && market.sessions[session] <= toDay;
    yield* plan.prepare(() => [...market.sessions.keys()].filter(isIn), []);
    const groups = new Map<number, Uint8Array>();
    for (let at = 0; at < market.order.length; at += LANES) {
      const numbers = market.order.subarray(at, at + LANES);
      for (const [i, values] of plan.of(numbers).entries()) {
        const ranks = evaluateExpression(screen.sort!.expression, values);
        groups.set(numbers[i], Uint8Array.from(ranks, fifthOf));
      }
      yield;
    }
    this.#groups = groups;
    return groups;
  }
}

/** @param rank 0 to 1. */
function fifthOf(rank: number): number {
  return Number.isNaN(rank) ? 0 : Math.min(FIFTHS, Math.floor(rank * FIFTHS) + 1);
}
