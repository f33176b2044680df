/** Dated facts about tickers, as somebody stated them. Their order of entry never matters. */

export const FACT_KINDS = [
  'rename',
  'delist',
  'part',
  'assign',
  'join',
  'spinoff',
  'listed',
] as const;

export interface TickerFact {
  /**
   * - `rename`: who has `ticker` on the day before `day` has `other` from `day` on.
   * - `delist`: `day` is the last trading day of who has `ticker` then; who has `other` on
   *   `otherDay` took it over.
   * - `part`: `ticker` means another security from `day` on.
   * - `assign`: `ticker` from `day` to `endDay` means who has `other` on `otherDay`, or nearest to
   *   these days; a new security if `other` is null.
   * - `join`: who has `ticker` on `day` and who has `other` on `otherDay` are one. Without a day, the
   *   bars decide which of its securities is meant.
   * - `spinoff`: who has `ticker` on `day`, its first day, was a part of who has `other` just before.
   * - `listed`: a directory of `day`, or a person, says that `ticker` is still listed then.
   */
  kind: (typeof FACT_KINDS)[number];
  ticker: string;
  /** Days since the epoch, as all days here; null: open. */
  day: number | null;
  endDay: number | null;
  other: string | null;
  otherDay: number | null;
  /** Source that states it; `stated` is a person. */
  source: string;
  /** Reason of a delisting, see `REMOVAL_REASONS`, or in words. */
  reason?: string | null;
}

export const STATED = 'stated';

/** Source of the facts that follow from stored bars. */
export const PRICES = 'prices';

/** Reasons of removals in words; a filing names the rule of each. */
export const REMOVAL_REASONS: Readonly<Record<string, string>> = {
  redeemed: 'redeemed, matured or paid',
  exchanged: 'exchanged for other securities or money',
  extinguished: 'all rights ended',
  struck: 'struck off by its exchange',
  withdrawn: 'withdrawn by the company',
  deregistered: 'registration ended',
};

/** Returns true for a delisting that a filing or a vendor's list states. */
export function isOfRemoval({ kind, source }: TickerFact): boolean {
  return kind === 'delist' && source !== STATED;
}

/** Days of a ticker that mean one security. Inclusive; null: open on that side. */
export interface Place {
  ticker: string;
  fromDay: number | null;
  toDay: number | null;
  /**
   * - `held`: a fact says who has the ticker.
   * - `open`: no fact concerns the ticker.
   * - `past`: nobody is said to have it, and somebody gets it next. Many vendors list a company's
   *   whole past under its newer ticker.
   * - `late`: the first days after somebody left it, before the first bar of a next one. If only own
   *   values and articles follow, all later days.
   * - `given`: a fact gives them to a security that had another ticker then.
   * - `free`: nobody is said to have it any more; with rows, it is a security that took it.
   */
  role: 'held' | 'open' | 'past' | 'late' | 'given' | 'free';
  /** Number of the security among those of a fold. */
  owner: number;
}

/** First and last day with a stored bar, by ticker. */
export type TickerUse = ReadonlyMap<string, { first: number; last: number }>;

export function fromOf({ fromDay }: Pick<Place, 'fromDay'>): number {
  return fromDay ?? Number.NEGATIVE_INFINITY;
}

export function toOf({ toDay }: Pick<Place, 'toDay'>): number {
  return toDay ?? Number.POSITIVE_INFINITY;
}

export function isWithin(day: number, place: Pick<Place, 'fromDay' | 'toDay'>): boolean {
  return fromOf(place) <= day && day <= toOf(place);
}

/** Returns true for facts about two securities, each of which keeps its own days. */
export function isOfTwo(kind: TickerFact['kind']): boolean {
  return kind === 'delist' || kind === 'spinoff';
}

/** Returns the tickers whose days a fact gives to a security. */
export function placedBy({ kind, ticker, other }: TickerFact): string[] {
  return other === null || isOfTwo(kind) ? [ticker] : [ticker, other];
}

/** Returns the day from which a fact separates the days of one of its tickers. */
export function cutsOf({ kind, ticker, day, other }: TickerFact): [ticker: string, day: number][] {
  if (day === null) return [];
  if (kind === 'rename') return [ticker, other!].map((one) => [one, day]);
  if (kind === 'delist') return [[ticker, day + 1]];
  return kind === 'part' ? [[ticker, day]] : [];
}
