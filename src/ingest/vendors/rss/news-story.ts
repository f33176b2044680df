/** Decides if two articles are one story, and merges them. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { RowOf } from '../../../base/datasets/dataset.ts';
import type { news } from '../../../base/datasets/market.ts';
import { newsId } from '../../../base/datasets/news-id.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';

export type Article = RowOf<typeof news>;

/** An article as a feed has it, without an id. */
export type ToldArticle = Omit<Article, 'id'>;

/** Parameters that record how a reader came to a page, and do not identify the page. */
const TRACKING =
  /^(utm_|guce|mc_|_hs|soc_|at_|pk_)|^(\.?tsrc|fbclid|gclid|msclkid|igshid|cmpid|ncid|icid|taid|yptr|mod|partner|ref|referrer|src|source|rss|feedref|cmp|smid|partnerid|siteid|__source|sref)$/i;

/** Least length of a telling title; a shorter one (`Form 4`) may recur on any day. */
const TELLING_TITLE_CHARS = 20;

/** Greatest distance between two articles of one story at different addresses. */
const TELLING_MS = MILLIS_PER_DAY;

/** Reduces an address to the parts that identify the page; undefined for a front page. */
export function storyAddress(url: string): string | undefined {
  const { hostname, port, pathname, searchParams } = new URL(url);
  for (const name of [...searchParams.keys()]) {
    if (TRACKING.test(name)) searchParams.delete(name);
  }
  searchParams.sort();
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  const page = pathname.replace(/\/+$/, '') + query;
  const host = hostname.replace(/^(www|m|amp)\./, '') + (port && `:${port}`);
  return page === '' ? undefined : host + page;
}

/** Letters and digits of a title in lower case; undefined if it is too short for one story. */
export function storyTitle(title: string): string | undefined {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const key = words.join(' ');
  return key.length >= TELLING_TITLE_CHARS ? key : undefined;
}

/** Id from the title and the UTC day of the first article; a short title takes the address. */
function storyId({ title, url, publishedAt }: ToldArticle): string {
  const day = dateFromDay(dayFromMillis(publishedAt));
  const key = storyTitle(title) ?? `${storyAddress(url) ?? url} ${title}`;
  return newsId(`${day} ${key}`);
}

export interface Story {
  article: Article;
  /** Addresses of all its articles, from `storyAddress`. */
  addresses: Set<string>;
}

/** Known stories. One has the same address, or the same long title within a day. */
export class Stories {
  readonly #byId = new Map<string, Story>();
  readonly #byAddress = new Map<string, string>();
  readonly #byTitle = new Map<string, Set<string>>();
  readonly #told = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(known: Iterable<Story>) {
    for (const story of known) this.#enter(String(story.article.id), story);
  }

  /**
   * Enters an article. A known story keeps its first id, address, source and time. Symbols are
   * added and a summary fills an empty one. The same address may correct its own title and summary.
   */
  tell(told: ToldArticle): void {
    const address = storyAddress(told.url);
    const id = this.#find(told, address) ?? storyId(told);
    // A story that was not found may still have the id, if its title was corrected since.
    const story = this.#byId.get(id) ?? { article: { id, ...told }, addresses: new Set() };
    const { article, addresses } = story;
    const isSamePage = address !== undefined && storyAddress(article.url) === address;
    const next = isSamePage ? corrected(article, told) : added(article, told);
    const isNew = !this.#byId.has(id);
    if (isNew || JSON.stringify(next) !== JSON.stringify(article)) this.#changed.add(id);
    if (address !== undefined) addresses.add(address);
    this.#enter(id, { article: next, addresses });
    this.#told.add(id);
  }

  /** Stories of this run, new or known. */
  told(): Story[] {
    return this.#storiesOf(this.#told);
  }

  /** Articles of new and changed stories. */
  changed(): Article[] {
    return this.#storiesOf(this.#changed).map(({ article }) => article);
  }

  #find({ title, publishedAt }: ToldArticle, address: string | undefined): string | undefined {
    const sameAddress = address === undefined ? undefined : this.#byAddress.get(address);
    if (sameAddress !== undefined) return sameAddress;
    const sameTitle = this.#byTitle.get(storyTitle(title) ?? '') ?? [];
    return [...sameTitle].find((id) => {
      const first = this.#byId.get(id)?.article.publishedAt ?? Number.NaN;
      return Math.abs(first - publishedAt) <= TELLING_MS;
    });
  }

  #enter(id: string, story: Story): void {
    this.#byId.set(id, story);
    for (const address of story.addresses) this.#byAddress.set(address, id);
    const key = storyTitle(story.article.title);
    if (key !== undefined) this.#byTitle.set(key, (this.#byTitle.get(key) ?? new Set()).add(id));
  }

  #storiesOf(ids: Iterable<string>): Story[] {
    return [...ids].flatMap((id) => this.#byId.get(id) ?? []);
  }
}

function added(article: Article, { symbols, summary }: ToldArticle): Article {
  return {
    ...article,
    summary: article.summary ?? summary,
    symbols: [...new Set([...article.symbols, ...symbols])].sort(),
  };
}

function corrected(article: Article, told: ToldArticle): Article {
  const { title, sentiment } = told;
  const summary = told.summary ?? article.summary;
  return { ...added(article, told), title, summary, sentiment };
}
