/**
 * Work of several accounts on one thread. Accounts take turns, and so does the work of each: an
 * account with much work delays its own work, not that of others.
 */

export interface QueueLimits {
  /** Pieces of work of one account that are under way at once; the others wait. */
  accountRunningMax: number;
  /** Pieces under way up to which an account may have more than one. */
  runningMax: number;
  /** Accounts with work under way. */
  accountsRunningMax: number;
  accountWaitingMax: number;
  waitingMax: number;
}

interface AccountWork<T> {
  running: T[];
  waiting: T[];
}

/** Reason for refusing work: the account has too much of it, or all accounts together have. */
export type Refusal = 'account' | 'all';

export class FairQueue<T> {
  readonly #limits: QueueLimits;
  /** A Map iterates in order of insertion: the first account is next. */
  readonly #accounts = new Map<string, AccountWork<T>>();
  #runningCount = 0;
  #waitingCount = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get runningCount(): number {
    return this.#runningCount;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Adds work at the end of the account's own; does nothing if the account has it already. */
  add(account: string, work: T): Refusal | undefined {
    const { accountWaitingMax, waitingMax } = this.#limits;
    const own = this.#accounts.get(account) ?? { running: [], waiting: [] };
    if (own.running.includes(work) || own.waiting.includes(work)) return undefined;
    if (this.#mayRun(own) && own.waiting.length === 0) {
      own.running.push(work);
      this.#runningCount++;
    } else {
      if (own.waiting.length >= accountWaitingMax) return 'account';
      if (this.#waitingCount >= waitingMax) return 'all';
      own.waiting.push(work);
      this.#waitingCount++;
    }
    this.#accounts.set(account, own);
    return undefined;
  }

  /** Removes finished or cancelled work; waiting work takes its place. */
  remove(account: string, work: T): void {
    const own = this.#accounts.get(account);
    if (!own) return;
    if (removed(own.running, work)) this.#runningCount--;
    else if (removed(own.waiting, work)) this.#waitingCount--;
    if (own.running.length + own.waiting.length === 0) this.#accounts.delete(account);
    this.#fill();
  }

  /** Returns the work whose turn it is; undefined if none is under way. */
  next(): T | undefined {
    for (const [account, own] of this.#accounts) {
      const work = own.running.shift();
      if (work === undefined) continue;
      own.running.push(work);
      this.#accounts.delete(account);
      this.#accounts.set(account, own);
      return work;
    }
    return undefined;
  }

  #mayRun({ running }: AccountWork<T>): boolean {
    const { accountRunningMax, runningMax, accountsRunningMax } = this.#limits;
    if (running.length === 0) return this.#runningCount < Math.max(runningMax, accountsRunningMax);
    return running.length < accountRunningMax && this.#runningCount < runningMax;
  }

  /** Starts waiting work, of accounts with the least work under way first. */
  #fill(): void {
    for (;;) {
      let chosen: AccountWork<T> | undefined;
      for (const own of this.#accounts.values()) {
        if (own.waiting.length === 0 || !this.#mayRun(own)) continue;
        if (!chosen || own.running.length < chosen.running.length) chosen = own;
      }
      if (!chosen) return;
      chosen.running.push(chosen.waiting.shift()!);
      this.#waitingCount--;
      this.#runningCount++;
    }
  }
}

function removed<T>(list: T[], item: T): boolean {
  const place = list.indexOf(item);
  if (place >= 0) list.splice(place, 1);
  return place >= 0;
}
