/** Bounds on work that is under way at once, of which one account may have at most half. */

import { HttpError } from '../../base/errors.ts';

/** Delay before a retry: most work has ended by then. */
const RETRY = ['Retry-After', '5'];

/** Places of a thread; each account is a text of its own. */
export interface Pool {
  readonly name: string;
  readonly sizeMax: number;
  /** @throws {HttpError} 429: the account has its share; 503: all places are taken. */
  check(account: string): void;
  /** Takes a place. @returns a function that gives it back, once. @throws {HttpError} As `check`. */
  enter(account: string): () => void;
  /** Makes pieces that hold a place from the first to the last, or until the client disconnects. */
  held(account: string, pieces: () => Iterable<Uint8Array>): () => Iterable<Uint8Array>;
}

/** All pools of this thread, for the test that every account leaves room for others. */
export const pools: Pool[] = [];

/** @param name Names the work in errors: `bulk responses`. */
export function createPool(name: string, sizeMax: number): Pool {
  const accountMax = Math.max(1, Math.floor(sizeMax / 2));
  const byAccount = new Map<string, number>();
  let count = 0;

  function check(account: string): void {
    if (count >= sizeMax) {
      throw new HttpError(503, `${count} ${name} are in progress: try again later`, RETRY);
    }
    const own = byAccount.get(account) ?? 0;
    if (own < accountMax) return;
    const share = `half of the ${sizeMax} that this server makes at once`;
    throw new HttpError(429, `The account has ${own} ${name} in progress, ${share}`, RETRY);
  }

  function enter(account: string): () => void {
    check(account);
    count++;
    byAccount.set(account, (byAccount.get(account) ?? 0) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      count--;
      const left = byAccount.get(account)! - 1;
      if (left > 0) byAccount.set(account, left);
      else byAccount.delete(account);
    };
  }

  const pool: Pool = {
    name,
    sizeMax,
    check,
    enter,
    held: (account, pieces) =>
      function* () {
        const leave = enter(account);
        try {
          yield* pieces();
        } finally {
          leave();
        }
      },
  };
  pools.push(pool);
  return pool;
}
