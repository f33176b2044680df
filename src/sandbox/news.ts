/** News of the sandbox: articles that follow from what its companies, insiders and analysts do. */

import type { RowOf } from '../base/datasets/datasets.ts';
import type { news } from '../base/datasets/market.ts';
import { newsId } from '../base/datasets/news-id.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { sandboxReviews } from './analysts.ts';
import { finalEstimate } from './earnings.ts';
import { sandboxFactors } from './factors.ts';
import { companyRoot } from './filings.ts';
import { dilutedSharesOn, perShare, quarterIncome } from './fundamentals.ts';
import { filedDeeds } from './insiders.ts';
import { integerAt, seedAt, uniformAt } from './random.ts';
import {
  companySeed,
  type FiscalQuarter,
  isWithin,
  newYorkMs,
  quartersAround,
  type SandboxSpan,
} from './reporting.ts';
import {
  insiderStory,
  listingStory,
  resultsStory,
  reviewStory,
  type Story,
  sectorStory,
  splitStory,
} from './stories.ts';
import type { SandboxSecurity } from './universe.ts';

type NewsRow = RowOf<typeof news>;

/** A story on its way to its row. */
interface Draft extends Story {
  publishedAt: number;
  /** Tells it from others of the company and day. */
  topic: string;
  peers?: readonly SandboxSecurity[];
}

const SOURCES = [
  'Sandbox Wire',
  'Zindado Financial',
  'Ploquvi Markets',
  'Fenqebra Business',
] as const;
/** How long after an event its article comes. */
const WRITING_MS = 20 * 60_000;
/** Of quarters, how many bring a piece on the company's sector. */
const SECTOR_ODDS = 0.4;

/** Of a company's seed: quarters add up with these. */
const AT = { hasSector: 10_000, sector: 20_000 } as const;

/**
 * Articles about a company that were published in a span, oldest first; they name both of its
 * classes of shares, or up to two peers. The second class of a company, and a fund, have none of
 * their own.
 *
 * @param market All securities of the same days.
 */
export function sandboxNews(
  security: SandboxSecurity,
  span: SandboxSpan,
  market: readonly SandboxSecurity[],
): NewsRow[] {
  if (security.type === 'etf' || security.symbol.endsWith('.B')) return [];
  const drafts = [
    ...results(security, span),
    ...filings(security, span),
    ...companyEvents(security, span),
    ...sectorPieces(security, span, market),
  ];
  const lastDay = security.model.lastDay ?? Number.POSITIVE_INFINITY;
  return drafts
    .filter(({ publishedAt }) => isWithin(publishedAt, span) && newYorkDay(publishedAt) <= lastDay)
    .sort((a, b) => a.publishedAt - b.publishedAt)
    .map((draft) => newsRow(security, draft, market));
}

function results(security: SandboxSecurity, span: SandboxSpan): Draft[] {
  return quartersAround(security, span, { before: 2, after: 0 }).map((quarter) => {
    const { number, fiscalYear, fiscalQuarter, reportDay, reportMs } = quarter;
    const { netIncome, revenue } = quarterIncome(security, number);
    const expected = finalEstimate(security, quarter).netIncome;
    const perShareOf = (amount: number) =>
      perShare(amount, dilutedSharesOn(security, reportDay, amount));
    const story = resultsStory(security.companyName, {
      quarter: `Q${fiscalQuarter} ${fiscalYear}`,
      eps: perShareOf(netIncome),
      expectedEps: perShareOf(expected),
      revenue,
    });
    return { ...story, publishedAt: reportMs + WRITING_MS, topic: 'results' };
  });
}

/** What insiders and analysts did a little before. */
function filings(security: SandboxSecurity, span: SandboxSpan): Draft[] {
  const { companyName } = security;
  const earlier = { afterMs: span.afterMs - WRITING_MS, throughMs: span.throughMs - WRITING_MS };
  // That a chief executive sells is told too; others who sell are many.
  const deeds = filedDeeds(security, earlier)
    .filter(({ kind, seat }) => kind === 'buy' || (kind === 'sell' && seat === 0))
    .map((deed) => ({
      ...insiderStory(companyName, deed),
      publishedAt: deed.filedAt + WRITING_MS,
      topic: `insider-${deed.seat + 1}`,
    }));
  const reviews = sandboxReviews(security, earlier)
    .filter(({ action }) => action !== 'maintain' && action !== 'reiterate')
    .map((review) => ({
      ...reviewStory(companyName, review),
      publishedAt: review.publishedAt + WRITING_MS,
      topic: `rating-${review.firm.split(' ')[0].toLowerCase()}`,
    }));
  return [...deeds, ...reviews];
}

function companyEvents(security: SandboxSecurity, span: SandboxSpan): Draft[] {
  const { companyName, exchange, firstDay, sector, model } = security;
  const fromDay = newYorkDay(span.afterMs);
  const splits = model.splits
    .filter(({ exDay }) => exDay >= fromDay && exDay <= newYorkDay(span.throughMs))
    .map((split) => ({
      ...splitStory(companyName, split),
      publishedAt: newYorkMs(split.exDay, 8, 0),
      topic: 'split',
    }));
  return [
    ...splits,
    {
      ...listingStory(companyName, sector ?? '', exchange),
      publishedAt: newYorkMs(firstDay, 8, 0),
      topic: 'listing',
    },
  ];
}

function sectorPieces(
  security: SandboxSecurity,
  span: SandboxSpan,
  market: readonly SandboxSecurity[],
): Draft[] {
  const seed = companySeed(security, 'news');
  return quartersAround(security, span, { before: 2, after: 0 })
    .filter(({ number }) => uniformAt(seed, AT.hasSector + number) < SECTOR_ODDS)
    .flatMap((quarter) => sectorPiece(security, quarter, { seed, market }) ?? []);
}

function sectorPiece(
  security: SandboxSecurity,
  { number, session }: FiscalQuarter,
  { seed, market }: { seed: number; market: readonly SandboxSecurity[] },
): Draft | undefined {
  const own = seedAt(seed, AT.sector + number);
  const { days, market: level, sectors } = sandboxFactors();
  const at = session + 5 + integerAt(own, 0, 40);
  const day = days[at];
  if (day === undefined) return undefined;
  const peers = peersOn(security, day, market);
  const count = peers.length === 0 ? 0 : 1 + integerAt(own, 1, Math.min(2, peers.length));
  const start = integerAt(own, 2, peers.length);
  const named = Array.from({ length: count }, (_, i) => peers[(start + i) % peers.length]);
  const sector = sectors[security.model.path.sector ?? 0];
  const move = level[at] + sector[at] - level[at - 5] - sector[at - 5];
  return {
    ...sectorStory(
      [security, ...named].map(({ companyName }) => companyName),
      security.sector ?? '',
      move,
    ),
    publishedAt: newYorkMs(day, 8, 30) + integerAt(own, 3, 60) * 60_000,
    topic: 'sector',
    peers: named,
  };
}

/** Other companies of the sector that trade on a day, each with one class of shares. */
function peersOn(
  security: SandboxSecurity,
  day: number,
  market: readonly SandboxSecurity[],
): SandboxSecurity[] {
  return market.filter(
    ({ sector, symbol, firstDay, model }) =>
      sector === security.sector &&
      symbol !== security.symbol &&
      !symbol.endsWith('.B') &&
      firstDay <= day &&
      (model.lastDay ?? day) >= day,
  );
}

function newsRow(
  security: SandboxSecurity,
  { title, summary, sentiment, publishedAt, topic, peers }: Draft,
  market: readonly SandboxSecurity[],
): NewsRow {
  const root = companyRoot(security);
  const url = `https://news.sandbox.invalid/${root}/${dateFromDay(newYorkDay(publishedAt))}/${topic}`;
  const named = peers ? [security, ...peers] : classesOf(security, market);
  return {
    id: newsId(url),
    title,
    summary,
    source: `${SOURCES[integerAt(companySeed(security, 'news'), publishedAt / 60_000, SOURCES.length)]} (synthetic)`,
    url,
    publishedAt,
    symbols: named.map(({ symbol }) => symbol),
    sentiment,
  };
}

function classesOf(
  security: SandboxSecurity,
  market: readonly SandboxSecurity[],
): SandboxSecurity[] {
  if (!security.symbol.endsWith('.A')) return [security];
  const root = companyRoot(security);
  return market.filter((one) => one.symbol.includes('.') && companyRoot(one) === root);
}
