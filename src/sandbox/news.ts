/** Articles on results, ratings, splits and sectors. */

import type { Split } from '../base/bars.ts';
import type { DatasetRow } from '../base/datasets/dataset.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { reviewRows } from './analysts.ts';
import { estimateOf } from './earnings.ts';
import { perShare, quarterIncome } from './figures.ts';
import { type Company, newYorkMs, type Quarter, recordSeed } from './quarters.ts';
import { integerAt, seedAt } from './random.ts';
import { type SandboxSecurity, sharesOn } from './universe.ts';

interface Article {
  title: string;
  summary: string;
  publishedAt: number;
  /** Distinguishes the articles of one company and day. */
  topic: string;
  /** Size of the good news, below zero for bad news. */
  tone: number;
  peers?: readonly SandboxSecurity[];
}

const SOURCES = ['Sandbox Wire', 'Zindado Financial', 'Ploquvi Markets'];
/** Time from an event to its article. */
const WRITING_MS = 20 * 60_000;
/** Size from which news is good or bad. */
const NOTABLE = 0.01;
const SECTOR_QUARTERS = 3;

/** Returns articles on a company; they name its share classes, or up to two peers. */
export function newsRows(company: Company): DatasetRow[] {
  const { security, quarters, market } = company;
  const classes = market.filter(({ companyName }) => companyName === security.companyName);
  if (classes[0] !== security) return [];
  const root = security.symbol.split('.')[0].toLowerCase();
  const articles = [
    ...quarters.map((quarter) => resultsArticle(security, quarter)),
    ...quarters.flatMap((quarter) => sectorArticle(company, quarter)),
    ...ratingArticles(company),
    ...security.splits.map((split) => splitArticle(security, split)),
  ];
  return articles.map(({ title, summary, publishedAt, topic, tone, peers }) => {
    const source = SOURCES[integerAt(recordSeed(security, 5), publishedAt, SOURCES.length)];
    const date = dateFromDay(newYorkDay(publishedAt));
    return {
      title,
      summary,
      source: `${source} (synthetic)`,
      url: `https://news.sandbox.invalid/${root}/${date}/${topic}`,
      publishedAt,
      symbols: (peers ? [security, ...peers] : classes).map(({ symbol }) => symbol),
      sentiment: tone > NOTABLE ? 'positive' : tone < -NOTABLE ? 'negative' : 'neutral',
    };
  });
}

function resultsArticle(security: SandboxSecurity, quarter: Quarter): Article {
  const { number, fiscalYear, fiscalQuarter, reportDay, reportMs } = quarter;
  const { netIncome, revenue } = quarterIncome(security, number);
  const shares = sharesOn(security, reportDay);
  const eps = perShare(netIncome, shares);
  const expected = perShare(estimateOf(security, quarter).netIncome, shares);
  const tone = (eps - expected) / Math.max(Math.abs(expected), 0.01);
  const verdict = tone > NOTABLE ? 'beats' : tone < -NOTABLE ? 'misses' : 'meets';
  const earned = eps < 0 ? `loses $${-eps} a share` : `earns $${eps} a share`;
  const millions = (revenue / 1e6).toFixed(1);
  return {
    title: `${security.companyName} ${earned} in Q${fiscalQuarter} ${fiscalYear} and ${verdict} expectations`,
    summary: `Analysts had expected $${expected} a share. Revenue was $${millions} million.`,
    publishedAt: reportMs + WRITING_MS,
    topic: 'results',
    tone,
  };
}

function ratingArticles(company: Company): Article[] {
  const { companyName } = company.security;
  return reviewRows(company)
    .filter(({ action }) => action === 'upgrade' || action === 'downgrade')
    .map(({ firm, action, fromGrade, toGrade, target, publishedAt }) => ({
      title: `${firm} ${action}s ${companyName} to ${toGrade}`,
      summary: `The rating was ${fromGrade} before. The price target is $${target}.`,
      publishedAt: publishedAt + WRITING_MS,
      topic: `rating-${firm.split(' ')[0].toLowerCase()}`,
      tone: action === 'upgrade' ? 1 : -1,
    }));
}

function splitArticle({ companyName }: SandboxSecurity, split: Split): Article {
  const { exDay, numerator, denominator } = split;
  return {
    title: `${companyName} splits its shares ${numerator} for ${denominator}`,
    summary: 'The shares trade at the new price from today on.',
    publishedAt: newYorkMs(exDay, 8, 0),
    topic: 'split',
    tone: numerator - denominator,
  };
}

/** Returns an article on a company and its peers, on the day after every third report. */
function sectorArticle({ security, market }: Company, quarter: Quarter): Article[] {
  const { number, reportDay, reportMs, surprise } = quarter;
  if (number % SECTOR_QUARTERS > 0) return [];
  const others = market.filter(
    ({ sector, companyName, firstDay, lastDay }) =>
      sector === security.sector &&
      companyName !== security.companyName &&
      firstDay <= reportDay &&
      lastDay > reportDay,
  );
  const seed = seedAt(recordSeed(security, 5), number);
  const start = integerAt(seed, 1, others.length);
  const peers = others.slice(start, start + 1 + integerAt(seed, 2, 2));
  const names = [security, ...peers].map(({ companyName }) => companyName);
  const mood = surprise > 0 ? 'hope' : 'worry';
  return [
    {
      title: `${security.sector}: ${mood} after the results of ${names.join(', ')}`,
      summary: `The reports of the sector's companies give reason for ${mood}.`,
      publishedAt: reportMs + 24 * 3_600_000,
      topic: 'sector',
      tone: surprise,
      peers,
    },
  ];
}
