import type { SourceOptions } from '../../contract/source-options.ts';
import { sentimentOf } from '../../rows/sentiment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { type SymbolFinder, symbolOfFeed, symbolsOfEntry } from './article-symbols.ts';
import { companyFinder } from './company-names.ts';
import type { ToldArticle } from './news-story.ts';
import { type FeedEntry, type ParsedFeed, parseFeed } from './parse-feed.ts';

export interface Feed {
  name: string;
  isFile: boolean;
  /** Symbol of all its articles; undefined if the feed's own address may name it. */
  symbol?: string;
}

export interface FeedArticles {
  articles: ToldArticle[];
  refused: UncheckedRow[];
}

export function symbolFinder({ companies = [], knownSymbols }: SourceOptions): SymbolFinder {
  const listed = new Set(knownSymbols);
  const isListed = listed.size === 0 ? undefined : (symbol: string) => listed.has(symbol);
  return { companies: companyFinder(companies), isListed };
}

export function articlesOfFeed(text: string, feed: Feed, finder: SymbolFinder): FeedArticles {
  const parsed = parseFeed(text, feed.isFile ? undefined : feed.name);
  const symbol = feed.symbol ?? symbolOfAddresses(feed, parsed, finder);
  const found: FeedArticles = { articles: [], refused: [] };
  for (const [index, entry] of parsed.entries.entries()) {
    if ('reason' in entry) found.refused.push({ ...entry, name: feed.name, line: index + 1 });
    else found.articles.push(articleOf(entry, parsed.title, symbolsOf(entry, symbol, finder)));
  }
  return found;
}

function symbolOfAddresses(
  { name, isFile }: Feed,
  { addresses }: ParsedFeed,
  { isListed }: SymbolFinder,
): string | undefined {
  const symbol = symbolOfFeed(isFile ? addresses : [name]);
  return symbol !== undefined && (isListed?.(symbol) ?? true) ? symbol : undefined;
}

function symbolsOf(
  entry: FeedEntry,
  ofFeed: string | undefined,
  finder: SymbolFinder,
): readonly string[] {
  const symbols = new Set(symbolsOfEntry(entry, finder));
  if (ofFeed !== undefined) symbols.add(ofFeed);
  return [...symbols].sort();
}

function articleOf(
  { title, summary, url, publishedAt, source }: FeedEntry,
  feedTitle: string | undefined,
  symbols: readonly string[],
): ToldArticle {
  const publisher = source ?? feedTitle ?? new URL(url).hostname;
  const sentiment = sentimentOf(title, summary);
  return { title, summary, source: publisher, url, publishedAt, symbols, sentiment };
}
