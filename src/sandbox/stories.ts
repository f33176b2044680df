/** Texts of the sandbox's news: what happened, in a few made-up words, and how it sounds. */

import type { SENTIMENTS } from '../base/datasets/market.ts';
import type { FiledDeed } from './insiders.ts';
import type { Review } from './reviews.ts';
import { SEATS } from './seats.ts';

export interface Story {
  title: string;
  summary: string;
  sentiment: (typeof SENTIMENTS)[number];
}

const COUNT = new Intl.NumberFormat('en-US');

/** Results this near to what was expected are no surprise. */
const IN_LINE = 0.02;

export function resultsStory(
  name: string,
  {
    quarter,
    eps,
    expectedEps,
    revenue,
  }: { quarter: string; eps: number; expectedEps: number; revenue: number },
): Story {
  const earned = eps < 0 ? `loses $${-eps} a share` : `earns $${eps} a share`;
  const beyond = (eps - expectedEps) / Math.max(Math.abs(expectedEps), 0.01);
  const sentiment = beyond > IN_LINE ? 'positive' : beyond < -IN_LINE ? 'negative' : 'neutral';
  const verdict = { positive: 'beats', negative: 'misses', neutral: 'meets' }[sentiment];
  return {
    title: `${name} ${earned} in ${quarter} and ${verdict} expectations`,
    summary:
      `Analysts had expected $${expectedEps} a share. ` +
      `Revenue of the quarter was ${dollars(revenue)}.`,
    sentiment,
  };
}

export function splitStory(
  name: string,
  { numerator, denominator }: { numerator: number; denominator: number },
): Story {
  const isForward = numerator > denominator;
  return {
    title: `${name} ${isForward ? 'splits its shares' : 'consolidates its shares'} ${numerator} for ${denominator}`,
    summary: isForward
      ? `Strong gains had made the shares expensive. They trade at the new price from today on.`
      : `Heavy losses had made the shares a penny stock. They trade at the new price from today on.`,
    sentiment: isForward ? 'positive' : 'negative',
  };
}

export function insiderStory(name: string, { seat, insiderName, kind, shares }: FiledDeed): Story {
  const isBuy = kind === 'buy';
  return {
    title: `Insider of ${name} ${isBuy ? 'buys' : 'sells'} ${COUNT.format(shares)} shares`,
    summary:
      `${insiderName}, ${SEATS[seat].title}, ${isBuy ? 'bought' : 'sold'} on the open market, ` +
      `as a filing shows${isBuy ? ', a sign of confidence' : ''}.`,
    sentiment: isBuy ? 'positive' : 'neutral',
  };
}

export function reviewStory(
  name: string,
  { firm, action, fromGrade, grade, target }: Review,
): Story {
  const from = fromGrade === undefined ? '' : ` from ${fromGrade}`;
  const verbs = { upgrade: 'upgrades', downgrade: 'cuts', initiate: 'begins to cover' } as const;
  const verb = action === 'upgrade' || action === 'downgrade' ? verbs[action] : verbs.initiate;
  return {
    title: `${firm} ${verb} ${name} ${action === 'initiate' ? 'at' : 'to'} ${grade}`,
    summary: `The rating is ${grade} now${from}, with a price target of $${target >= 1 ? target.toFixed(2) : target}.`,
    sentiment: action === 'upgrade' ? 'positive' : action === 'downgrade' ? 'negative' : 'neutral',
  };
}

export function listingStory(name: string, sector: string, exchange: string): Story {
  return {
    title: `${name} begins to trade on ${exchange}`,
    summary: `The company of the ${sector} sector sells shares to the public for the first time.`,
    sentiment: 'neutral',
  };
}

/** @param move Of the sector over a week, as a logarithm. */
export function sectorStory(names: readonly string[], sector: string, move: number): Story {
  const sentiment = move > 0.01 ? 'positive' : move < -0.01 ? 'negative' : 'neutral';
  const verb = { positive: 'rallies', negative: 'slumps', neutral: 'treads water' }[sentiment];
  const percent = Math.abs(100 * Math.expm1(move)).toFixed(1);
  const change = {
    positive: `gained ${percent} %`,
    negative: `lost ${percent} %`,
    neutral: 'hardly moved',
  };
  return {
    title: `${sector} ${verb}: a look at ${listed(names)}`,
    summary: `The sector ${change[sentiment]} over the last five sessions.`,
    sentiment,
  };
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

function dollars(amount: number): string {
  if (amount >= 1e9) return `$${(amount / 1e9).toFixed(2)} billion`;
  return `$${(amount / 1e6).toFixed(1)} million`;
}
