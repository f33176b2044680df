/**
 * Random markets of five years with listings, renames, swaps, takeovers, spin-offs, splits,
 * delistings and directories; their files and commands in random orders, with publishes between. The right answer
 * is a fold of the companies.
 */

import { expect, test } from 'vitest';
import { scaled, seededRandom } from '../../../faults/scale.ts';
import { inStore, run } from '../../../jobs/support/store.ts';
import { expectServed, expectStored, shuffled } from '../support/expect-market.ts';
import { freshPaths } from '../support/fixtures.ts';
import { type Company, lineOf, type Span, stepsOf, toldMarket } from '../support/told-market.ts';

const DAYS = 1826;
const TICKERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const FORMS = [
  ...['', ' / one', ' / halves', ' / span', ' / past', ' / adjusted', ' / adjusted, one'],
  ...[' / joins', ' / joins, past', ' / pieces', ' / minutes, pieces', ' / adjusted, pieces'],
];

/** Companies, listed and renamed day by day. */
class GrowingMarket {
  readonly companies: Company[] = [];
  /** Facts about companies that were parts of others. */
  readonly spinOffs: string[] = [];
  readonly #holders = new Map<string, Company>();
  /** Stated last days of tickers. */
  readonly #kept = new Map<string, number>();
  readonly #random: (below: number) => number;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  /** Two facts about one ticker within a week contradict each other, if nothing between is stated. */
  isSettled(day: number): boolean {
    return (
      [...this.#holders.values()].every(({ spans }) => day - (spans.at(-1) as Span).from > 8) &&
      [...this.#kept.values()].every((lastDay) => day - lastDay > 8)
    );
  }

  #held(): string {
    const held = [...this.#holders.keys()];
    return held[this.#random(held.length)];
  }

  #free(day: number): string | undefined {
    const free = TICKERS.filter(
      (ticker) => !this.#holders.has(ticker) && !(this.#kept.get(ticker)! >= day),
    );
    return free[this.#random(free.length)];
  }

  list(day: number): void {
    const ticker = this.#free(day);
    if (ticker === undefined) return;
    // Prices far from each other: those that are not are a question of their own.
    const close = 3 * 2 ** this.companies.length;
    const splitDay = this.#random(3) === 0 ? day + 20 + this.#random(400) : undefined;
    const company = { close, spans: [], isDelisted: false, splitDay };
    this.companies.push(company);
    this.#begin(company, ticker, day);
  }

  delist(day: number): void {
    const ticker = this.#held();
    const company = this.#end(ticker, day);
    company.isDelisted = true;
    // Notices are of the days after the last bar, and the ticker is free from then on.
    if (this.#random(3) > 0) return;
    company.lastDay = day - 1 + this.#random(8);
    this.#kept.set(ticker, company.lastDay);
  }

  rename(day: number): void {
    const to = this.#free(day);
    if (to !== undefined) this.#begin(this.#end(this.#held(), day), to, day);
  }

  swap(day: number): void {
    const [one, other] = [this.#held(), this.#held()];
    if (one === other) return;
    const pair = [this.#end(one, day), this.#end(other, day)];
    this.#begin(pair[0], other, day);
    this.#begin(pair[1], one, day);
  }

  /** One company takes the ticker of another that is bought, or that gets a new name. */
  take(day: number): void {
    const [one, other] = [this.#held(), this.#held()];
    const to = this.#random(2) === 0 ? undefined : this.#free(day);
    if (one === other) return;
    const left = this.#end(other, day);
    if (to === undefined) left.isDelisted = true;
    else this.#begin(left, to, day);
    this.#begin(this.#end(one, day), other, day);
  }

  /** A new company keeps the ticker of its parent. */
  spinOff(day: number): void {
    const to = this.#free(day);
    if (to === undefined) return;
    const ticker = this.#held();
    this.#begin(this.#end(ticker, day), to, day);
    const close = 3 * 2 ** this.companies.length;
    const company = { close, spans: [], isDelisted: false, splitDay: undefined };
    this.companies.push(company);
    this.#begin(company, ticker, day);
    this.spinOffs.push(`spinoff ${ticker} ${day} ${to}`);
  }

  close(): void {
    for (const ticker of [...this.#holders.keys()]) this.#end(ticker, DAYS);
  }

  isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  #begin(company: Company, ticker: string, from: number): void {
    this.#holders.set(ticker, company);
    company.spans.push({ ticker, from, to: DAYS });
  }

  #end(ticker: string, day: number): Company {
    const company = this.#holders.get(ticker)!;
    this.#holders.delete(ticker);
    (company.spans.at(-1) as Span).to = day;
    return company;
  }
}

function toldLines(random: (below: number) => number): { told: string; spinOffs: string[] } {
  const market = new GrowingMarket(random);
  for (let day = 0; day < DAYS; day += 1 + random(60)) {
    const event = market.isEmpty() || !market.isSettled(day) ? 0 : random(7);
    if (event <= 1) market.list(day);
    if (event === 2) market.rename(day);
    if (event === 3) market.swap(day);
    if (event === 4) market.take(day);
    if (event === 5) market.spinOff(day);
    if (event === 6) market.delist(day);
    if (market.companies.length > 11) break;
  }
  market.close();
  return { told: market.companies.map(lineOf).join('; '), spinOffs: market.spinOffs };
}

/** Returns facts that follow from others: a part where a ticker is reused, and days of a rename. */
function facts(line: string): string[] {
  const { companies } = toldMarket(line);
  const all = companies.flatMap(({ spans }) => spans);
  return companies.flatMap(({ spans }) =>
    spans.flatMap(({ ticker, from, to }, i) => {
      const next = spans[i + 1]?.ticker;
      const isAlone = all.filter((one) => one.ticker === next).length === 1;
      const isReused = all.some((one) => one.ticker === ticker && one.to <= from);
      return [
        ...(isReused && spans[i - 1]?.ticker !== ticker ? [`part ${ticker} ${from}`] : []),
        ...(isAlone && next !== ticker ? [`assign ${ticker} ${from} ${to - 1} ${next}`] : []),
      ];
    }),
  );
}

/** `SEEDS_OF_MARKETS=1000-1300` tries others. */
const [from, to] = (process.env.SEEDS_OF_MARKETS ?? `0-${scaled(1, 60)}`).split('-').map(Number);
const SEEDS = Array.from({ length: to - from }, (_, i) => from + i);

test.each(SEEDS)('market %i has each company whole on each day, in any order', async (seed) => {
  const next = seededRandom(seed);
  const random = (below: number) => Math.floor(next() * below);
  const { told, spinOffs } = toldLines(random);
  const also = [...facts(told), ...spinOffs].filter(() => random(4) === 0);
  const form = `${FORMS[seed % FORMS.length]} / members / late / listed`;
  const line = `${told}${form}${also.length > 0 ? ` / also ${also.join(', ')}` : ''}`;
  const market = toldMarket(line);
  expect(market.companies.length).toBeGreaterThan(3);
  const steps = await stepsOf(market);
  const counts = `${market.companies.length} companies, ${steps.length} files and commands`;
  console.log(`market ${seed}: ${counts}: ${line}`);
  const paths = freshPaths();
  const inOrder = shuffled(steps, next);
  while (inOrder.length > 0) {
    // Some two publishes stand between.
    const until = inOrder.findIndex(() => random(steps.length) < 2);
    const before = inOrder.splice(0, until < 0 ? inOrder.length : until + 1);
    await inStore(paths, async (db) => {
      for (const step of before) await step(db);
    });
    await run(paths);
  }
  await inStore(paths, (db) => expectStored(db, market, line));
  expectServed(paths, market, line);
});
