/**
 * Faults of a night: each kind has a rate that the seed draws, and is counted where it happens.
 * Many kinds at once hide what one of them does, so the seed also draws how many are absent.
 */

import { Random } from './random.ts';

/** Usual highest rate of each kind, per place at which it can happen; three times it in few nights. */
export const FAULTS = {
  // Processes and machines; a place is a step of a process.
  kill: 0.004,
  'power failure': 0.002,
  'power failure before a sync': 0.02,
  // A folder holds what becomes visible at once, so what it loses matters most.
  'power failure before a folder sync': 0.1,
  'clock jump': 0.002,
  // Sleeps for longer than its locks in Redis last.
  'sleeping process': 0.001,
  // Disks. The first four are counted where a power failure or a call meets them.
  'lost name': 0.6,
  'lost write': 0.8,
  'torn write': 0.5,
  'full disk': 0.005,
  'flipped bit': 0.02,
  // A place is a replica at the end of a night.
  'late flipped bit': 1,
  // A place is a read of a manifest, a table or a state.
  'flipped read': 0.01,
  // A place is such a read shortly after a flipped one of the same process.
  'flipped read again': 0.8,
  'slow disk': 0.01,
  // Object storage; a place is a request.
  'slow response': 0.2,
  'refused request': 0.08,
  'lost reply': 0.08,
  'cut body': 0.05,
  'flipped body': 0.05,
  'old object': 0.03,
  'late list': 0.3,
  // Redis; a place is a script, once before it and once before its reply.
  'dropped connection': 0.05,
  'lost lock': 0.1,
  // Postgres; a place is a connection, a statement, a commit.
  'refused connection': 0.02,
  'lost connection': 0.01,
  'failed transaction': 0.1,
  'lost reply of a commit': 0.3,
  // Vendors and receivers of events; a place is a request.
  'refused task': 0.3,
  'refused delivery': 0.3,
  'lost response': 0.3,
  // New kinds come last, so that older seeds keep their rates. A place is a request or an answer.
  'no answer': 0.1,
  'no subscription': 0.05,
  nothing: 0.1,
  'short page': 0.2,
  'changed history': 0.3,
  // A place is the renewal of the lock of a job.
  'lost lock of a job': 0.3,
  // A place is a second: Redis comes back without it.
  'lost second of Redis': 0.1,
  // A place is a write.
  'short write': 0.02,
  // A place is a load in a night with an operator: checks refuse it for good.
  'refused load': 0.3,
} as const;

export type Fault = keyof typeof FAULTS;

export class Faults {
  readonly counts = new Map<Fault, number>();
  /** Names of the faults that happened, in order: kind and number of the place. */
  readonly happened: string[] = [];
  /** Set to false while the night ends: nothing fails any more. */
  isOn = true;
  readonly #random = new Map<Fault, Random>();
  readonly #rates = new Map<Fault, number>();
  readonly #places = new Map<Fault, number>();
  readonly #allowed: ReadonlySet<string> | undefined;

  /** @param allowed Names of faults that may happen; undefined: all. */
  constructor(seed: number, allowed?: ReadonlySet<string>) {
    this.#allowed = allowed;
    const random = new Random(seed, 'rates');
    const absentShare = random.between(0.1, 0.8);
    for (const [kind, highest] of Object.entries(FAULTS) as [Fault, number][]) {
      const isAbsent = random.next() < absentShare;
      const share = 10 ** random.between(-1, 0.5);
      this.#rates.set(kind, isAbsent ? 0 : Math.min(1, highest * share));
      this.#random.set(kind, new Random(seed, kind));
    }
  }

  /** Returns true if a fault happens at this place. It depends on no other kind. */
  happens(kind: Fault): boolean {
    const place = (this.#places.get(kind) ?? 0) + 1;
    this.#places.set(kind, place);
    const rate = this.#rates.get(kind)!;
    if (!this.isOn || rate === 0) return false;
    if (this.#random.get(kind)!.at(place) >= rate) return false;
    const name = `${kind}#${place}`;
    if (this.#allowed && !this.#allowed.has(name)) return false;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.happened.push(name);
    return true;
  }
}
