/**
 * Markets told in a line: companies, what they were called, and what was stated. The right answer is
 * folded from the companies alone, which know nothing of facts and places.
 */

import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { stateFact } from '../../../../src/store/duckdb/securities/change-securities.ts';
import type { NamedFact } from '../../../../src/store/duckdb/securities/named-facts.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { actionsOf, dateAfter, load, NOW_MS, segmentOf, type TestBar } from './fixtures.ts';
import { land, loadSegment } from './row-fixtures.ts';

/** Day 0 of the lines. */
export const FIRST = '2018-01-01';

/** Days of a company under one ticker, the last one not included. */
export interface Span {
  ticker: string;
  from: number;
  to: number;
}

export interface Company {
  close: number;
  spans: Span[];
  isDelisted: boolean;
  /** Stated last trading day, if it is later than that of the last bar. */
  lastDay?: number | undefined;
  /** Days without a bar. */
  holes?: Omit<Span, 'ticker'>[];
  /** Day from which on one share is two; prices before it are doubled in raw files. */
  splitDay: number | undefined;
}

export type Step = (db: MarketDb) => Promise<unknown>;

export interface ToldMarket {
  companies: Company[];
  /** `rename A B 30`, `delist A 29`, `not rename A B 30`, `assign A 30 40 B`, as said on a day. */
  commands: string[];
  options: Set<string>;
}

/**
 * Reads a market: `20 A 0-30 B 30-60 s30 x; 50 B 0-30 / one, adjusted`. A company has its close and
 * spans, `s` with the day of a split, `h20-25` for days without a bar, and `x` if its delisting is
 * stated, `x33` on that day. Renames and delistings are
 * stated as they were; `say …` after the slash replaces them, `also …` adds to them. With `joins`,
 * renames between tickers that no other company had are stated as joins, which have no day.
 */
export function toldMarket(line: string): ToldMarket {
  const [market, ...rest] = line.split(' / ');
  const after = (verb: string) =>
    rest
      .filter((text) => text.startsWith(`${verb} `))
      .flatMap((text) => text.slice(verb.length + 1).split(', '));
  const companies = market.split('; ').map(companyOf);
  const said = after('say');
  const options = new Set(rest.flatMap((text) => text.split(', ')));
  const isJoined = (ticker: string) => options.has('joins') && isOfOne(companies, ticker);
  const told = companies.flatMap((company) => commandsOf(company, isJoined));
  const commands = said.length > 0 ? said : [...new Set(told)];
  return { companies, commands: [...commands, ...after('also')], options };
}

/** Returns the text of a company. */
export function lineOf({ close, spans, isDelisted, splitDay, lastDay, holes }: Company): string {
  const words = spans.map(({ ticker, from, to }) => `${ticker} ${from}-${to}`);
  const split = splitDay === undefined ? [] : [`s${splitDay}`];
  const without = (holes ?? []).map((hole) => `h${hole.from}-${hole.to}`);
  return [close, ...words, ...split, ...without, ...(isDelisted ? [`x${lastDay ?? ''}`] : [])].join(
    ' ',
  );
}

function companyOf(text: string): Company {
  const [close, ...words] = text.split(' ');
  const split = words.find((word) => /^s\d/.test(word));
  const spans: Span[] = [];
  for (const [i, word] of words.entries()) {
    const found = /^(\d+)-(\d+)$/.exec(word);
    if (found) spans.push({ ticker: words[i - 1], from: Number(found[1]), to: Number(found[2]) });
  }
  const splitDay = split === undefined ? undefined : Number(split.slice(1));
  const holes = words.flatMap((word) => {
    const found = /^h(\d+)-(\d+)$/.exec(word);
    return found ? [{ from: Number(found[1]), to: Number(found[2]) }] : [];
  });
  const end = words.find((word) => /^x\d*$/.test(word));
  const lastDay = end !== undefined && end.length > 1 ? Number(end.slice(1)) : undefined;
  return { close: Number(close), spans, isDelisted: end !== undefined, splitDay, lastDay, holes };
}

function isOfOne(companies: readonly Company[], ticker: string): boolean {
  return companies.filter(({ spans }) => spans.some((one) => one.ticker === ticker)).length === 1;
}

function commandsOf(
  { spans, isDelisted, lastDay }: Company,
  isJoined: (ticker: string) => boolean,
): string[] {
  const renames = spans.slice(1).flatMap(({ ticker, from }, i) => {
    const before = spans[i].ticker;
    if (ticker === before) return [];
    const pair = `${before} ${ticker}`;
    return isJoined(before) && isJoined(ticker) ? [`join ${pair}`] : [`rename ${pair} ${from}`];
  });
  const last = spans[spans.length - 1];
  return isDelisted ? [...renames, `delist ${last.ticker} ${lastDay ?? last.to - 1}`] : renames;
}

const dateOf = (day: number) => dateAfter(FIRST, day);
const dayOf = (day: number) => dayFromDate(FIRST) + day;

function stepOf(command: string): Step {
  const words = command.split(' ');
  const isUndone = words[0] === 'not';
  const [kind, ticker, ...rest] = isUndone ? words.slice(1) : words;
  const days = rest.filter((word) => /^\d+$/.test(word)).map((word) => dayOf(Number(word)));
  const other = rest.find((word) => !/^\d+$/.test(word));
  const fact = {
    ...{ kind, ticker, day: days[0] ?? null, endDay: days[1] ?? null },
    other: other === undefined || other === 'new' ? null : other,
  } as NamedFact;
  return (db) => stateFact(db, { fact, isUndone, nowMs: NOW_MS });
}

/** Returns the raw price of a company on a day. */
function priceOn({ close, splitDay }: Company, day: number, isAdjusted = false): number {
  if (isAdjusted) return close;
  return splitDay !== undefined && day < splitDay ? close * 2 : close;
}

interface TickerBars {
  ticker: string;
  bars: TestBar[];
}

function barsOf(company: Company, { from, to }: Span, isAdjusted: boolean): TestBar[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
    .filter((day) => !isHole(company, day))
    .map((day): TestBar => [dateOf(day), priceOn(company, day, isAdjusted)]);
}

function isHole({ holes = [] }: Company, day: number): boolean {
  return holes.some(({ from, to }) => from <= day && day < to);
}

/** Returns the newest day with a bar by a day; -1 without one. */
function lastBarBy(company: Company, day: number): number {
  const isBar = (at: number) =>
    company.spans.some(({ from, to }) => from <= at && at < to) && !isHole(company, at);
  let at = day;
  while (at >= 0 && !isBar(at)) at--;
  return at;
}

/** Returns the bars of each ticker as they were, whoever had it. */
function tickerBars({ companies, options }: ToldMarket): TickerBars[] {
  const all = companies.flatMap((company) =>
    company.spans.map((span) => ({
      ...{ ticker: span.ticker, bars: barsOf(company, span, options.has('adjusted')) },
    })),
  );
  if (options.has('span')) return all;
  return [...Map.groupBy(all, ({ ticker }) => ticker)].map(([ticker, of]) => {
    const bars = of.flatMap((one) => one.bars).sort(([a], [b]) => (a < b ? -1 : 1));
    return { ticker, bars };
  });
}

/** Cuts files into pieces by time. */
function cutInto(files: readonly TickerBars[], count: number): TickerBars[] {
  return files.flatMap(({ ticker, bars }) => {
    const length = Math.ceil(bars.length / count);
    return Array.from({ length: count }, (_, i) => {
      return { ticker, bars: bars.slice(i * length, (i + 1) * length) };
    }).filter((piece) => piece.bars.length > 0);
  });
}

/** Cuts each file into another number of pieces, up to five. */
function pieces(file: TickerBars, i: number): TickerBars[] {
  return cutInto([file], 1 + ((file.bars.length + i) % 5));
}

function segmentsOf(market: ToldMarket): CandleSegment[] {
  const { companies, options } = market;
  const basis = options.has('adjusted') ? 'all' : 'raw';
  const whole = tickerBars(market);
  const count = options.has('halves') ? 2 : 1;
  const files = options.has('pieces') ? whole.flatMap(pieces) : cutInto(whole, count);
  const groups = options.has('one') ? [files] : files.map((file) => [file]);
  const segments = groups.map((group, i) =>
    segmentOf(
      group.map(({ ticker: symbol, bars }) => ({ symbol, bars })),
      { basis, name: String(i) },
    ),
  );
  if (options.has('past')) segments.push(...companies.flatMap(wholePast));
  if (options.has('minutes')) segments.push(...minutesOf(market));
  return segments;
}

/** A source that lists the whole past of who has a ticker by now. */
function wholePast(company: Company): CandleSegment[] {
  if (company.isDelisted) return [];
  const symbol = company.spans[company.spans.length - 1].ticker;
  const bars = company.spans.flatMap((span) => barsOf(company, span, false));
  return [segmentOf([{ symbol, bars }], { source: 'yahoo', basis: 'raw', name: 'past' })];
}

/** Two minutes of each day, one file of each ticker. */
function minutesOf(market: ToldMarket): CandleSegment[] {
  const { companies } = market;
  return tickerBars({ companies, commands: [], options: new Set() }).map(({ ticker, bars }) =>
    segmentOf(
      [
        {
          symbol: ticker,
          bars: bars.flatMap(([date, close]): TestBar[] => [
            [`${date} 15:00:00`, close],
            [`${date} 20:59:00`, close],
          ]),
        },
      ],
      { basis: 'raw', interval: '1m', name: 'minutes' },
    ),
  );
}

/** Returns the days on which a company was split; undefined if it was gone by then. */
function splitSpan({ spans, splitDay }: Company): Span | undefined {
  return spans.find(({ from, to }) => splitDay !== undefined && from <= splitDay && splitDay < to);
}

/** Splits of all companies, under the tickers of their days. */
function splitsOf({ companies }: ToldMarket): CandleSegment[] {
  return companies.flatMap((company) => {
    const { splitDay } = company;
    const span = splitSpan(company);
    if (!span) return [];
    const days = [dateOf(span.from), dateOf(span.to - 1)] as const;
    const actions = [actionsOf(span.ticker, days, { splits: [dateOf(splitDay!)] })];
    return [segmentOf([], { basis: 'raw', actions })];
  });
}

/**
 * Rows of a dataset on the first and last day of each span, with the close of the company. With
 * `late` also some weeks after a ticker was left for good.
 */
function valuesOf({ companies, options }: ToldMarket, of: readonly Company[] = companies) {
  return of.flatMap((company) => {
    const rows = company.spans.flatMap(({ ticker, ...span }) => {
      const dates = barsOf(company, { ticker, ...span }, false).map(([date]) => dayFromDate(date));
      const isHeld = companies.some(({ spans, isDelisted }) =>
        spans.some((one, i) => {
          const isOpen = !isDelisted && i === spans.length - 1;
          return one.ticker === ticker && (one.to > span.to || isOpen);
        }),
      );
      const late = options.has('late') && !isHeld ? [dayOf(span.to + LATE_DAYS)] : [];
      return [dates[0], dates[dates.length - 1], ...late].map((date) => [date, ticker] as const);
    });
    return [...new Map(rows.toReversed())].map(([date, symbol]) => ({
      ...{ symbol, name: 'close_of', date, value: company.close },
    }));
  });
}

const LATE_DAYS = 40;

/** Rows of an index in which each company is from its first bar on, under its ticker of that day. */
function membersOf(companies: readonly Company[]) {
  return companies.map((company) => {
    const [{ ticker }] = company.spans;
    const [[date]] = barsOf(company, company.spans[0], false);
    return { index: 'told', title: 'Told', symbol: ticker, from: dayFromDate(date), to: null };
  });
}

/** Returns the days of directories, on which all companies with a ticker are listed. */
function directoryDays({ companies, options }: ToldMarket): number[] {
  if (!options.has('listed')) return [];
  const days = companies.flatMap(({ spans }) => spans.map(({ from }) => from + 3));
  return [...new Set(days)].filter((_, i) => i % 3 === 0);
}

/** Returns the companies of a directory, with the ticker that each has then. */
function listedOn({ companies }: ToldMarket, day: number): (readonly [Company, string])[] {
  return companies.flatMap((company) => {
    const span = company.spans.find(({ from, to }) => from <= day && day < to);
    return span ? [[company, span.ticker] as const] : [];
  });
}

const nameOf = ({ close }: Company) => `Company of ${close}`;

function directoryStep(market: ToldMarket, day: number): Step {
  const takenMs = Date.parse(`${dateOf(day)}T22:00:00Z`);
  const place = {
    exchange: 'NASDAQ',
    venue: 'NASDAQ',
    country: null,
    sector: null,
    industry: null,
  };
  const listings = listedOn(market, day).map(([company, symbol]) => {
    return { symbol, companyName: nameOf(company), type: 'stock', cik: company.close, ...place };
  });
  const asOfUs = BigInt(takenMs) * 1000n;
  const snapshots = [{ list: 'nasdaqlisted', takenMs, listings }];
  const read = { source: 'nasdaqtrader', nowMs: NOW_MS, asOfUs, snapshots };
  return (db) => loadSymbols(db, listings, read);
}

/** Returns the files and commands of a market, each as a step. */
export async function stepsOf(market: ToldMarket): Promise<Step[]> {
  const values = await land('values', valuesOf(market));
  const isOfIndex = market.options.has('members');
  const members = isOfIndex ? [await land('members', membersOf(market.companies))] : [];
  const segments = [...segmentsOf(market), ...splitsOf(market)];
  return [
    ...segments.map(
      (segment): Step =>
        (db) =>
          load(db, segment),
    ),
    (db) => loadSegment(db, values),
    ...members.map(
      (segment): Step =>
        (db) =>
          loadSegment(db, segment),
    ),
    ...directoryDays(market).map((day) => directoryStep(market, day)),
    ...stepsOfCommands(market.commands),
  ];
}

/** A statement and its withdrawal are one step: the second is refused before the first. */
function stepsOfCommands(commands: readonly string[]): Step[] {
  const withdrawn = commands.filter((one) => one.startsWith('not '));
  return commands
    .filter((one) => !one.startsWith('not '))
    .map((one): Step => {
      const steps = [one, ...withdrawn.filter((other) => other === `not ${one}`)].map(stepOf);
      return async (db) => {
        for (const step of steps) await step(db);
      };
    });
}

/**
 * Returns the symbols of companies: the last ticker. If another one had it last, the month of the
 * last day under it follows, or the day if two ended in that month.
 */
export function symbolsOf(companies: readonly Company[]): string[] {
  const lasts = companies.map((company) => {
    const { ticker, to } = company.spans[company.spans.length - 1];
    const next = companies
      .flatMap(({ spans }) => spans)
      .filter((one) => one.ticker === ticker && one.from >= to)
      .sort((a, b) => a.from - b.from)[0];
    const end = company.lastDay === undefined ? to : company.lastDay + 1;
    return { ticker, to: company.isDelisted || !next ? end : next.from };
  });
  return lasts.map(({ ticker, to }) => {
    const ofTicker = lasts.filter((one) => one.ticker === ticker);
    const newest = Math.max(...ofTicker.map((one) => one.to));
    if (to === newest) return ticker;
    const endOf = (day: number) => dateOf(day - 1).replaceAll('-', '');
    const month = endOf(to).slice(0, 6);
    const isAlone =
      ofTicker.filter((one) => one.to < newest && endOf(one.to).startsWith(month)).length === 1;
    return `${ticker}.${isAlone ? month : endOf(to)}`;
  });
}

type Row = readonly (string | number)[];

export function byText(rows: Row[]): Row[] {
  return rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Returns symbol, days, first and last day and closes of each company, as series must be. */
export function seriesOf({ companies, options }: ToldMarket): Row[] {
  const symbols = symbolsOf(companies);
  const rows = companies.map((company, i) => {
    const bars = company.spans.flatMap((span) => barsOf(company, span, options.has('adjusted')));
    const [first, last] = [bars[0], bars[bars.length - 1]];
    return [symbols[i], bars.length, first[0], last[0], last[1], first[1]];
  });
  return byText(rows);
}

/** Returns symbol, value and number of the rows of a dataset, as they must be. */
export function recordsOf(market: ToldMarket): Row[] {
  const { companies } = market;
  const symbols = symbolsOf(companies);
  const rows = companies.map((company, i) => {
    return [symbols[i], company.close, valuesOf(market, [company]).length];
  });
  return byText(rows);
}

interface Known {
  name: string;
  symbol: string;
  price: number;
  /** Day of the newest bar. */
  at: number;
  hasEnded: boolean;
}

/** Returns the companies with a bar by a day, by the tickers of the day. */
function knownOn({ companies, options }: ToldMarket, day: number): Known[] {
  const symbols = symbolsOf(companies);
  return companies.flatMap((company, i) => {
    const span = company.spans.findLast(({ from }) => from <= day);
    if (!span) return [];
    const at = lastBarBy(company, Math.min(day, span.to - 1));
    if (at < 0) return [];
    // A known split after the day is taken out of adjusted prices.
    const isLeft = options.has('adjusted') && splitSpan(company) === undefined;
    const price = priceOn(company, at, isLeft);
    const isLast = day >= span.to && span === company.spans[company.spans.length - 1];
    // One that nobody delisted has its ticker until another one gets it.
    const isTaken = companies.some((other) =>
      other.spans.some(({ ticker, from }) => {
        return other !== company && ticker === span.ticker && from >= span.to && from <= day;
      }),
    );
    const hasEnded =
      isLast && ((company.isDelisted && day > (company.lastDay ?? span.to - 1)) || isTaken);
    return [{ name: span.ticker, symbol: symbols[i], price, at, hasEnded }];
  });
}

/** Gives one that has ended its present symbol, if another has its ticker; then all that share one. */
function keptApart(known: readonly Known[], isMeant = ({ hasEnded }: Known) => hasEnded): Known[] {
  const counts = Map.groupBy(known, ({ name }) => name);
  const isShared = ({ name }: Known) => counts.get(name)!.length > 1;
  if (!known.some(isShared)) return [...known];
  const apart = known.map((one) =>
    isShared(one) && isMeant(one) ? { ...one, name: one.symbol } : one,
  );
  // A present symbol may be the ticker that a third one had on the day.
  return keptApart(apart, () => true);
}

/** Returns the universe `all` of a day. */
export function allOn(market: ToldMarket, day: number): string[] {
  return keptApart(knownOn(market, day))
    .map(({ name }) => name)
    .sort();
}

/** Returns the members of the index of a day. */
export function toldOn(market: ToldMarket, day: number): string[] {
  return keptApart(knownOn(market, day).filter(({ hasEnded }) => !hasEnded))
    .map(({ name }) => name)
    .sort();
}

/** Returns names and prices of a screen as of a day: of newest bars a week old at most. */
export function screenOn(market: ToldMarket, day: number): Row[] {
  const known = knownOn(market, day);
  const newest = Math.max(...known.map(({ at }) => at));
  const fresh = known.filter(({ at }) => at >= newest - 7);
  return byText(keptApart(fresh).map(({ name, price }) => [name, price]));
}
