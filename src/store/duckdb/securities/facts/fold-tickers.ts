/**
 * Folds dated facts into the places of tickers: which days of a ticker mean which security. Pure,
 * and the same for facts in any order.
 */

import { passedThrough } from './passed-tickers.ts';
import {
  cutsOf,
  fromOf,
  isWithin,
  type Place,
  type TickerFact,
  type TickerUse,
  toOf,
} from './ticker-facts.ts';

/**
 * Returns the places of all tickers, those of a ticker in order of time and without gaps.
 *
 * @param tickers Any tickers; those of the facts are added.
 */
export function foldTickers(
  stated: readonly TickerFact[],
  tickers: Iterable<string> = [],
  use: TickerUse = new Map(),
): Place[] {
  const facts = passedThrough(stated, use);
  const cuts = new Map<string, Set<number>>();
  for (const ticker of tickers) cuts.set(ticker, new Set());
  for (const { ticker, other } of stated) {
    for (const one of [ticker, other]) if (one !== null) cuts.set(one, cuts.get(one) ?? new Set());
  }
  for (const [ticker, day] of facts.flatMap(cutsOf)) cuts.get(ticker)!.add(day);
  const nodes = new Nodes([...cuts].flatMap(([ticker, days]) => nodesOf(ticker, days)));
  for (const fact of facts) nodes.apply(fact);
  nodes.joinPasts();
  for (const fact of facts) if (fact.kind === 'join') nodes.join(fact);
  return assigned(
    nodes,
    facts.filter(({ kind }) => kind === 'assign'),
  );
}

function nodesOf(ticker: string, days: ReadonlySet<number>): Place[] {
  const starts = [null, ...[...days].sort((a, b) => a - b)];
  const role = starts.length === 1 ? 'open' : 'free';
  return starts.map((fromDay, i) => {
    const next = starts[i + 1];
    return { ticker, fromDay, toDay: next === undefined ? null : next! - 1, role, owner: 0 };
  });
}

/** Places between cuts, and the sets of them that are of one security. */
class Nodes {
  readonly #byTicker: Map<string, Place[]>;
  /** Tickers and days from which on they mean another security, whoever had it before. */
  readonly #parted = new Set<string>();
  readonly #parent: number[];
  readonly all: readonly Place[];

  constructor(all: readonly Place[]) {
    this.all = all;
    for (const [i, node] of all.entries()) node.owner = i;
    this.#byTicker = Map.groupBy(all, ({ ticker }) => ticker);
    this.#parent = all.map((_, i) => i);
  }

  at(ticker: string, day: number | null): Place {
    const nodes = this.#byTicker.get(ticker)!;
    return day === null ? nodes[0] : nodes.find((node) => isWithin(day, node))!;
  }

  apply({ kind, ticker, day, other }: TickerFact): void {
    if (kind === 'rename') this.#unite(this.at(ticker, day! - 1), this.at(other!, day));
    if (kind === 'delist') this.at(ticker, day).role = 'held';
    if (kind !== 'part') return;
    this.at(ticker, day! - 1).role = 'held';
    this.#parted.add(`${ticker} ${day}`);
  }

  /** Unites days on which nobody is said to have a ticker with those of who gets it next. */
  joinPasts(): void {
    for (const nodes of this.#byTicker.values()) {
      for (const [i, node] of nodes.slice(0, -1).entries()) {
        if (node.role === 'held' || this.#parted.has(`${node.ticker} ${node.toDay! + 1}`)) continue;
        this.#unite(node, nodes[i + 1]);
        node.role = 'past';
      }
    }
  }

  /** Returns the days of the ticker to whose security a fact assigns; the latest of the nearest. */
  nearest({ day, endDay, other, otherDay }: TickerFact): Place {
    if (otherDay !== null) return this.at(other!, otherDay);
    const [from, to] = [fromOf({ fromDay: day }), toOf({ toDay: endDay })];
    const distance = (node: Place) => Math.max(0, from - toOf(node), fromOf(node) - to);
    const nodes = this.#byTicker.get(other!)!;
    const held = nodes.filter(({ role }) => role !== 'free');
    return (held.length > 0 ? held : nodes).reduce((best, node) =>
      distance(node) <= distance(best) ? node : best,
    );
  }

  join({ ticker, day, other, otherDay }: TickerFact): void {
    this.#unite(this.at(ticker, day), this.at(other!, otherDay));
  }

  #unite(...pair: Place[]): void {
    const [a, b] = pair.map((node) => this.owner(node));
    this.#parent[Math.max(a, b)] = Math.min(a, b);
    for (const node of pair) node.role = 'held';
  }

  owner({ owner }: Place): number {
    let root = owner;
    while (this.#parent[root] !== root) root = this.#parent[root];
    return root;
  }
}

/** Gives days of tickers to the securities that facts name, over all else. */
function assigned(nodes: Nodes, facts: readonly TickerFact[]): Place[] {
  let places = nodes.all.map((node) => ({ ...node, owner: nodes.owner(node) }));
  for (const [i, fact] of facts.entries()) {
    const { ticker, day: fromDay, endDay: toDay, other } = fact;
    const owner = other === null ? nodes.all.length + i : nodes.owner(nodes.nearest(fact));
    const span: Place = { ticker, fromDay, toDay, role: 'held', owner };
    const spans = spansOf(span, places);
    places = places.flatMap((place) => (place.ticker === ticker ? outside(place, span) : [place]));
    places.push(...spans);
  }
  return places.sort((a, b) => compareText(a.ticker, b.ticker) || compareStart(a, b));
}

/** Parts assigned days: those on which the security has another ticker add none to its tickers. */
function spansOf(span: Place, places: readonly Place[]): Place[] {
  const named = places.filter(
    ({ owner, role, ticker }) =>
      owner === span.owner && ticker !== span.ticker && (role === 'held' || role === 'open'),
  );
  const alone = named.reduce<Place[]>(
    (all, one) => all.flatMap((part) => outside(part, one)),
    [span],
  );
  const shared = alone.reduce<Place[]>(
    (all, one) => all.flatMap((part) => outside(part, one)),
    [span],
  );
  return [...alone, ...shared.map((one): Place => ({ ...one, role: 'given' }))];
}

function compareStart(a: Place, b: Place): number {
  const [from, other] = [fromOf(a), fromOf(b)];
  return from === other ? 0 : from - other;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns what is left of a place before and after a span. */
export function outside(place: Place, span: Pick<Place, 'fromDay' | 'toDay'>): Place[] {
  const { fromDay, toDay } = span;
  const before = fromDay === null ? [] : [{ ...place, toDay: least(place.toDay, fromDay - 1) }];
  const after = toDay === null ? [] : [{ ...place, fromDay: greatest(place.fromDay, toDay + 1) }];
  return [...before, ...after].filter(
    (one) => one.fromDay === null || one.toDay === null || one.fromDay <= one.toDay,
  );
}

function least(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b);
}

function greatest(a: number | null, b: number): number {
  return a === null ? b : Math.max(a, b);
}
