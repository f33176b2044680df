/** Parses RSS 2.0, Atom and RSS 1.0 into entries of one kind. Pure. */

import { decodeHTML } from 'entities';
import { type Atom, parseFeed as parseAny, type Rdf, type Rss } from 'feedsmith';
import { MalformedInputError } from '../../../base/errors.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import { millisFromFeedDate } from './feed-date.ts';
import { newsLimits } from './limits.ts';

export interface FeedTag {
  name: string;
  /** List of tags that the name is from; undefined if the feed does not name it. */
  scheme: string | undefined;
}

export interface FeedEntry {
  title: string;
  summary: string | null;
  /** Absolute http or https address. */
  url: string;
  publishedAt: number;
  /** First publisher, if the feed collects articles of others. */
  source: string | undefined;
  tags: FeedTag[];
}

export interface ParsedFeed {
  /** Undefined if the feed has no title. */
  title: string | undefined;
  /** Addresses of the feed and of its site, if it names them. */
  addresses: string[];
  entries: (FeedEntry | { reason: string; text: string })[];
}

/** An entry in its own format: texts, or undefined. */
interface RawEntry {
  title: string | undefined;
  /** Candidates for the summary. The first text counts. */
  summaries: readonly (string | undefined)[];
  links: readonly (string | undefined)[];
  dates: readonly (string | undefined)[];
  source: string | undefined;
  tags: FeedTag[];
}

/**
 * @param base Base of relative links; undefined for files, if unknown.
 * @throws {MalformedInputError} it is no well-formed feed, or declares entities of its own.
 */
export function parseFeed(text: string, base?: string): ParsedFeed {
  refuseUnsound(text);
  const { title, addresses, raws } = rawFeed(text);
  const linkBase = base ?? addresses.find((address) => URL.canParse(address));
  if (raws.length > newsLimits.entriesMax) {
    throw new MalformedInputError(`the feed has more than ${newsLimits.entriesMax} entries`);
  }
  return { title: lineOf(title), addresses, entries: raws.map((raw) => entryOf(raw, linkBase)) };
}

/** Refuses texts that the library accepts although they are unsound. */
function refuseUnsound(text: string): void {
  const root = /<(rss|feed|rdf:RDF|[\w-]{1,20}:feed)[\s>]/i.exec(text);
  if (!root) throw new MalformedInputError('it is not a feed of RSS or Atom');
  if (/<!ENTITY/i.test(text.slice(0, root.index))) {
    throw new MalformedInputError('the feed declares entities of its own, which are refused');
  }
  if (!text.includes(`</${root[1]}`)) throw new MalformedInputError('the feed ends too early');
}

interface RawFeed {
  title: string | undefined;
  addresses: string[];
  raws: RawEntry[];
}

function rawFeed(text: string): RawFeed {
  try {
    const { format, feed } = parseAny(text);
    if (format === 'rss') return rawRss(feed);
    if (format === 'atom') return rawAtom(feed);
    if (format === 'rdf') return rawRdf(feed);
    throw new Error(`it is of the format ${format}`);
  } catch (cause) {
    // The bytes come from outside, so any failure of the library is their fault.
    const { message } = cause as Error;
    throw new MalformedInputError(`it is not a feed of RSS or Atom: ${message}`, { cause });
  }
}

const known = (texts: readonly (string | undefined)[]) =>
  texts.filter((text) => text !== undefined && text !== '') as string[];

function rawRss({ title, link, items = [], atom }: Rss.Feed<string>): RawFeed {
  const self = atom?.links?.map(({ href }) => href) ?? [];
  const raws = items.map((item) => ({
    title: item.title,
    summaries: [item.description, item.content?.encoded, item.media?.description?.value],
    links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value],
    dates: [item.pubDate, ...(item.dc?.dates ?? []), item.atom?.published, item.atom?.updated],
    source: item.source?.title,
    tags: (item.categories ?? []).map(({ name = '', domain }) => ({ name, scheme: domain })),
  }));
  return { title, addresses: known([...self, link]), raws };
}

function rawAtom({ title, links = [], entries = [] }: Atom.Feed<string>): RawFeed {
  const raws = entries.map((entry) => {
    const alternate = entry.links?.find(({ rel = 'alternate' }) => rel === 'alternate');
    return {
      title: entry.title?.value,
      summaries: [entry.summary?.value, entry.content?.value],
      links: [alternate?.href, entry.links?.[0]?.href, entry.id],
      dates: [entry.published, entry.updated],
      source: entry.source?.title?.value,
      tags: (entry.categories ?? []).map(({ term = '', scheme }) => ({ name: term, scheme })),
    };
  });
  return { title: title?.value, addresses: known(links.map(({ href }) => href)), raws };
}

function rawRdf({ title, link, items = [] }: Rdf.Feed<string>): RawFeed {
  const raws = items.map((item) => ({
    title: item.title,
    summaries: [item.description, item.content?.encoded],
    links: [item.link, item.rdf?.about],
    dates: item.dc?.dates ?? [],
    source: item.dc?.publishers?.[0],
    tags: (item.dc?.subjects ?? []).map((name) => ({ name, scheme: undefined })),
  }));
  return { title, addresses: known([link]), raws };
}

function lineOf(html: string | undefined): string | undefined {
  return plainText(html ?? '', newsLimits.titleCharsMax) || undefined;
}

function entryOf(raw: RawEntry, base: string | undefined): ParsedFeed['entries'][number] {
  const refused = (reason: string) => ({
    reason,
    text: JSON.stringify(raw).slice(0, newsLimits.quarantineCharsMax),
  });
  const title = lineOf(raw.title);
  if (title === undefined) return refused('title is missing');
  const url = known(raw.links).flatMap((link) => webAddress(link, base) ?? [])[0];
  if (url === undefined) return refused('url is missing');
  const dates = known(raw.dates);
  if (dates.length === 0) return refused('publishedAt is missing');
  const publishedAt = dates.flatMap((date) => millisFromFeedDate(date) ?? [])[0];
  if (publishedAt === undefined) return refused('publishedAt is not a date');
  const summary = known(raw.summaries)
    .map((html) => plainText(html, newsLimits.summaryCharsMax))
    .find((text) => text !== '' && text !== title);
  const { tags } = raw;
  return { title, summary: summary ?? null, url, publishedAt, source: lineOf(raw.source), tags };
}

function webAddress(link: string, base: string | undefined): string | undefined {
  const trimmed = link.trim();
  if (!URL.canParse(trimmed, base)) return undefined;
  const { protocol, href } = new URL(trimmed, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** Byte-order marks of encodings whose declaration can't be read before decoding. */
const MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * Decodes by mark, declaration or UTF-8. A server's header counts only if that fails: servers
 * often send one encoding for all files.
 * @throws {MalformedInputError} the bytes fit none of these encodings.
 */
export function feedTextFromBytes(bytes: Uint8Array, contentType?: string): string {
  const head = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const marked = MARKS.find(([mark]) => mark === head)?.[1];
  if (marked !== undefined) return decoded(bytes, marked);
  try {
    return xmlTextFromBytes(bytes);
  } catch (error) {
    const named = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
    if (named === undefined) throw error;
    return decoded(bytes, named);
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedInputError(`the feed is not in its encoding, ${encoding}`, { cause });
  }
}

/** Elements whose content is not text. */
const HIDDEN = ['script', 'style', 'noscript', 'iframe', 'svg'];

const TAG = /^<\/?[a-z][^<>]*>|^<!--|^<[!?][^<>]*>/i;
const TAG_CHARS_MAX = 4000;

/**
 * Removes tags, decodes entities and joins blanks, in linear time. A text above `charsMax` is cut
 * at a word and ends in `…`.
 */
export function plainText(html: string, charsMax: number): string {
  // The rest may be markup that was escaped twice.
  const text = decodeHTML(withoutTags(decodeHTML(withoutTags(html))))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  if (text.length <= charsMax) return text.toWellFormed();
  const cut = text.slice(0, charsMax).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), charsMax / 2)).trimEnd()}…`;
}

function withoutTags(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    text += html.slice(at, open);
    const tag = TAG.exec(html.slice(open, open + TAG_CHARS_MAX))?.[0];
    if (tag === undefined) {
      text += '<';
      at = open + 1;
    } else {
      text += ' ';
      at = endOf(html, open, tag);
    }
  }
  return text + html.slice(at);
}

/** Index after the tag, or after the element or comment that it hides; the end if that is open. */
function endOf(html: string, open: number, tag: string): number {
  const name = /^<([a-z]+)/i.exec(tag)?.[1].toLowerCase() ?? '';
  const isHidden = HIDDEN.includes(name) && !tag.endsWith('/>');
  if (!isHidden && tag !== '<!--') return open + tag.length;
  const closing = isHidden ? `</${name}` : '-->';
  const end = html.slice(open + tag.length).search(new RegExp(closing, 'i'));
  if (end < 0) return html.length;
  const close = open + tag.length + end;
  return html.indexOf('>', close) < 0 ? html.length : html.indexOf('>', close) + 1;
}
