/** Things that happened to a company, as the chart marks them. */

import type {
  Article,
  CorporateAction,
  EarningsReport,
  InsiderTransaction,
  RatingChange,
} from '../../../clients/typescript/operations.js';
import { compactText, countText, dollarsText, priceText } from '../parts/numbers.ts';
import { dayText, momentText } from '../parts/times.ts';

export const EVENT_KINDS = [
  'splits',
  'dividends',
  'earnings',
  'insiders',
  'ratings',
  'news',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export interface MarketEvent {
  id: string;
  kind: EventKind;
  /** Moment, or midnight in UTC of a day. */
  timeMs: number;
  /** True for a day without a time. */
  isDay: boolean;
  title: string;
  /** More about it, a fact a line. */
  lines: readonly string[];
  /** Address of the whole story. */
  url?: string;
  tone?: 'up' | 'down';
}

export interface KindRow {
  label: string;
  /** One item, within a sentence. */
  one: string;
  letter: string;
}

export const KIND_ROWS: Readonly<Record<EventKind, KindRow>> = {
  splits: { label: 'Splits', one: 'split', letter: 'S' },
  dividends: { label: 'Dividends', one: 'dividend', letter: 'D' },
  earnings: { label: 'Earnings', one: 'earnings report', letter: 'E' },
  insiders: { label: 'Insider trades', one: 'insider trade', letter: 'I' },
  ratings: { label: 'Ratings', one: 'rating', letter: 'R' },
  news: { label: 'News', one: 'article', letter: 'N' },
};

export function eventFromAction(action: CorporateAction): MarketEvent {
  const { type, exDate, numerator, denominator, amount, currency } = action;
  const isSplit = type === 'split';
  return {
    id: `${type} ${exDate}`,
    kind: isSplit ? 'splits' : 'dividends',
    timeMs: Date.parse(exDate),
    isDay: true,
    title: isSplit
      ? `Split ${numerator} for ${denominator}`
      : `${type === 'spin-off' ? 'Spin-off' : 'Dividend'} ${priceText(amount)} ${currency} a share`,
    lines: [`Ex-date ${dayText(exDate)}`],
  };
}

const REPORT_TIMES: Readonly<Record<string, string>> = {
  before_market: 'before the market opens',
  after_market: 'after the market closes',
  during_market: 'while the market is open',
};

export function eventFromReport(report: EarningsReport): MarketEvent {
  const { date, fiscalQuarter, time, epsEstimate, revenueEstimate } = report;
  const [year, quarter] = fiscalQuarter?.split('-') ?? [];
  return {
    id: `earnings ${date}`,
    kind: 'earnings',
    timeMs: Date.parse(date),
    isDay: true,
    title: `Earnings${fiscalQuarter ? ` of ${quarter} ${year}` : ''}`,
    lines: [
      [dayText(date), REPORT_TIMES[time]].filter(Boolean).join(', '),
      epsEstimate === null ? '' : `Expected: ${priceText(epsEstimate)} USD a share`,
      revenueEstimate === null ? '' : `Expected revenue: ${dollarsText(revenueEstimate)}`,
    ].filter((line) => line !== ''),
  };
}

const TRADES: Readonly<Record<InsiderTransaction['transactionType'], string>> = {
  buy: 'Insider purchase',
  sell: 'Insider sale',
  award: 'Award to an insider',
  exercise: 'Exercise of options',
  conversion: 'Conversion by an insider',
  tax: 'Shares withheld for tax',
  gift: 'Gift by an insider',
  return: 'Return to the company',
  other: 'Insider transaction',
};

/** Transactions that say what an insider expects of the price. */
const TONES: Readonly<Record<string, 'up' | 'down'>> = { buy: 'up', sell: 'down' };

export function eventFromInsider(trade: InsiderTransaction, index: number): MarketEvent {
  const { transactionType, shares, price, totalValue, insiderName, title, filedAt } = trade;
  // Awards and gifts have no price, or 0 for none.
  const at = price ? ` at ${priceText(price)} USD` : '';
  return {
    id: `insider ${filedAt} ${index}`,
    kind: 'insiders',
    timeMs: Date.parse(filedAt),
    isDay: false,
    title: `${TRADES[transactionType]}: ${compactText(shares)} shares${at}`,
    lines: [
      [insiderName, title].filter(Boolean).join(', '),
      totalValue ? `Value ${dollarsText(totalValue)}` : '',
      `Owns ${countText(trade.sharesOwnedAfter)} shares after it`,
      `Filed ${momentText(filedAt)}`,
    ].filter((line) => line !== ''),
    tone: TONES[transactionType],
  };
}

const RATING_TONES: Readonly<Record<string, 'up' | 'down'>> = { upgrade: 'up', downgrade: 'down' };

export function eventFromRating(rating: RatingChange, index: number): MarketEvent {
  const { firm, analystName, action, fromGrade, toGrade, publishedAt } = rating;
  const word = action ? action[0].toUpperCase() + action.slice(1) : 'Rating';
  const change = fromGrade && fromGrade !== toGrade ? `${fromGrade} to ${toGrade}` : toGrade;
  return {
    id: `rating ${publishedAt} ${index}`,
    kind: 'ratings',
    timeMs: Date.parse(publishedAt),
    isDay: false,
    title: [`${word}`, change].filter(Boolean).join(': '),
    lines: [[firm, analystName].filter(Boolean).join(', '), momentText(publishedAt)],
    tone: RATING_TONES[action ?? ''],
  };
}

/** Addresses come from vendors; only those that a browser opens as pages become links. */
function pageAddress(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

export function eventFromArticle(article: Article): MarketEvent {
  const { id, title, summary, source, url, publishedAt, sentiment } = article;
  return {
    id,
    kind: 'news',
    timeMs: Date.parse(publishedAt),
    isDay: false,
    title,
    lines: [
      summary ?? '',
      [source, momentText(publishedAt), sentiment].filter(Boolean).join(' · '),
    ].filter((line) => line !== ''),
    url: pageAddress(url),
  };
}
