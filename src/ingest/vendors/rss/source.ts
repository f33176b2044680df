import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { MalformedInputError, ParameterError, TapeworksError } from '../../../base/errors.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { readFile, stat } from '../../../base/world/file-promises.ts';
import type { FetchContext, FetchedRows, SkippedInput } from '../../contract/fetch-context.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { malformed } from '../../http/checked-response.ts';
import { HttpClient } from '../../http/client.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import { yahooSymbol } from '../shared/vendor-symbols.ts';
import { articlesOfFeed, type Feed, symbolFinder } from './feed-articles.ts';
import { type FeedValidators, openKeptFeeds } from './kept-feeds.ts';
import { newsLimits } from './limits.ts';
import { Stories, type ToldArticle } from './news-story.ts';
import { feedTextFromBytes, parseFeed } from './parse-feed.ts';
import { vendor } from './vendor.ts';

/** Response of a feed. The text is undefined if the feed has not changed. */
interface FeedAnswer {
  text: string | undefined;
  validators?: FeedValidators;
}

/** Result of all feeds of a run. */
interface Told {
  articles: ToldArticle[];
  refused: UncheckedRow[];
  validators: Map<string, FeedValidators>;
  skipped: SkippedInput[];
  /** Failures of feeds without a readable article. */
  failures: TapeworksError[];
}

/** Longest origin in the ledger for a long list of feeds. */
const ORIGIN_CHARS_MAX = 500;

/**
 * Yields one segment of the new and changed articles, or none without changes. A feed that fails
 * is named and skipped. The state of feeds is kept after the caller took the segment, so an
 * interrupted run fetches everything again.
 * @throws the failure of the first feed, if every one failed.
 */
export async function* fetchRss(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const feeds = feedsOf(options);
  using kept = openKeptFeeds(context.paths.feeds);
  const told = await readFeeds(feeds, options, context, (name) => kept.validators(name));
  const stories = new Stories(kept.stories());
  for (const article of told.articles.sort(byTime)) stories.tell(article);
  const changed = stories.changed();
  const isAnyRead = told.failures.length < feeds.length;
  if (changed.length + told.refused.length > 0 || (isAnyRead && told.skipped.length > 0)) {
    const origin = feeds
      .map(({ name }) => name)
      .join(' ')
      .slice(0, ORIGIN_CHARS_MAX);
    const asOfUs = BigInt(options.asOfUs ?? context.nowMs * MICROS_PER_MILLI);
    const head = { dataset: 'news', source: 'rss', asOfUs, origin, skipped: told.skipped };
    const rows = [...changed.map((article) => ({ row: { ...article } })), ...told.refused];
    yield await stageDatasetRows(head, rows, context);
  }
  kept.keep(told.validators, stories.told(), context.nowMs);
  // An outage must not look like a day without news.
  if (told.failures.length === feeds.length) throw told.failures[0];
}

/** @throws {ParameterError} no feed is named. */
function feedsOf({ paths = [], symbols = [] }: SourceOptions): Feed[] {
  const named = paths.map((name) => ({ name, isFile: !/^https?:\/\//i.test(name) }));
  const ofSymbols = symbols.map((symbol) => ({
    name: yahooFeed(symbol),
    isFile: false,
    symbol,
  }));
  const feeds = [...named, ...ofSymbols];
  if (feeds.length > 0) return feeds;
  throw new ParameterError('feeds', 'rss needs feeds: addresses, files or --symbols');
}

function yahooFeed(symbol: string): string {
  const asked = encodeURIComponent(yahooSymbol(symbol));
  return `${vendor.host.url}/rss/2.0/headline?s=${asked}&region=US&lang=en-US`;
}

async function readFeeds(
  feeds: readonly Feed[],
  options: SourceOptions,
  context: FetchContext,
  validatorsOf: (name: string) => FeedValidators | undefined,
): Promise<Told> {
  const told: Told = {
    articles: [],
    refused: [],
    validators: new Map(),
    skipped: [],
    failures: [],
  };
  const finder = symbolFinder(options);
  await using http = new HttpClient(context.settings, { signal: context.signal });
  for (const [done, feed] of feeds.entries()) {
    context.onProgress?.('fetch', done, feeds.length);
    try {
      const answer = feed.isFile
        ? await readFeedFile(feed.name)
        : await askFeed(feed.name, http, validatorsOf(feed.name));
      if (answer.text !== undefined) {
        const { articles, refused } = articlesOfFeed(answer.text, feed, finder);
        told.articles.push(...articles.filter((article) => isOfDays(article, options)));
        told.refused.push(...refused);
        if (articles.length === 0 && refused.length > 0) throw unreadableFeed(feed, refused);
      }
      if (answer.validators) told.validators.set(feed.name, answer.validators);
    } catch (error) {
      if (!(error instanceof TapeworksError) || error instanceof ParameterError) throw error;
      told.failures.push(error);
      told.skipped.push({ name: feed.name, reason: error.message });
    }
  }
  context.onProgress?.('fetch', feeds.length, feeds.length);
  return told;
}

function unreadableFeed({ name }: Feed, refused: readonly UncheckedRow[]): MalformedInputError {
  const [first] = refused;
  const reason = 'reason' in first ? first.reason : '';
  return malformed(name, `${reason}, and none of ${refused.length} entries is good`);
}

async function readFeedFile(path: string): Promise<FeedAnswer> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new ParameterError('feeds', `feeds must be addresses or files, got "${path}"`, { cause });
  });
  if (stats.isDirectory()) {
    throw new ParameterError('feeds', `feeds must be addresses or files, got the folder "${path}"`);
  }
  if (!stats.isFile() || stats.size > newsLimits.feedBytesMax) {
    throw new MalformedInputError(`it is not a file of ${newsLimits.feedBytesMax} bytes or fewer`);
  }
  return { text: feedTextFromBytes(await readFile(path)) };
}

const NOT_MODIFIED = 304;

async function askFeed(
  name: string,
  http: Pick<HttpClient, 'get'>,
  kept: FeedValidators | undefined,
): Promise<FeedAnswer> {
  if (!URL.canParse(name)) throw new ParameterError('feeds', `"${name}" is not an address`);
  const { origin, pathname, search, hostname } = new URL(name);
  const { etag, lastModified } = kept ?? {};
  const answer = await http.get({
    host: { ...vendor.host, url: origin, title: hostname },
    path: pathname + search,
    headers: {
      accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5',
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
    },
    readable: [NOT_MODIFIED],
    bodyBytesMax: newsLimits.feedBytesMax,
    decode: feedTextFromBytes,
  });
  if (answer.status === NOT_MODIFIED) return { text: undefined };
  const validators = { etag: answer.etag, lastModified: answer.lastModified };
  return { text: answer.text, validators };
}

function isOfDays({ publishedAt }: ToldArticle, options: SourceOptions): boolean {
  const { fromDay = -Infinity, toDay = Infinity } = options;
  const day = dayFromMillis(publishedAt);
  return day >= fromDay && day <= toDay;
}

/** Sorts by time, so that the order of the feeds has no effect. */
function byTime(a: ToldArticle, b: ToldArticle): number {
  const [first, second] = [a, b].map(({ url, source }) => `${url} ${source}`);
  return a.publishedAt - b.publishedAt || (first < second ? -1 : 1);
}

/** Usual number of articles in a feed. */
const ARTICLES_PER_FEED = 50;

export const source: VendorCode = {
  fetch: fetchRss,
  dryRun(options) {
    const requests = feedsOf(options).filter(({ isFile }) => !isFile).length;
    return { requests, bars: 0, rows: requests * ARTICLES_PER_FEED };
  },
  async probe({ http }) {
    const { text } = await http.get({
      host: vendor.host,
      path: `/rss/2.0/headline?s=${PROBE_SYMBOL}&region=US&lang=en-US`,
      decode: feedTextFromBytes,
    });
    const { entries } = parseFeed(text);
    const [refused] = entries.flatMap((entry) => ('reason' in entry ? [entry] : []));
    const count = entries.filter((entry) => 'title' in entry).length;
    if (count === 0 && refused) throw new MalformedInputError(`of every entry ${refused.reason}`);
    return count;
  },
};
