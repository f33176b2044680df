/** Feeds of three formats, hostile ones, and every mutation of the samples. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import { millisFromFeedDate } from '../../../../src/ingest/vendors/rss/feed-date.ts';
import {
  feedTextFromBytes,
  parseFeed,
  plainText,
} from '../../../../src/ingest/vendors/rss/parse-feed.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { ATOM, RDF, RSS } from './feed-samples.ts';

const at = Date.parse;

describe('feeds', () => {
  it('are read as RSS 2.0', () => {
    const { title, addresses, entries } = parseFeed(RSS, 'https://wire.example/rss.xml');
    expect({ title, addresses }).toEqual({
      title: 'Example Wire',
      addresses: ['https://wire.example/rss.xml', 'https://wire.example/'],
    });
    expect(entries).toEqual([
      {
        title: 'Acme & Sons raises its outlook – again',
        summary: 'The maker of anvils (NASDAQ: ACME) now expects more .',
        url: 'https://wire.example/acme-outlook?utm_source=rss',
        publishedAt: at('2026-11-19T14:30:00Z'),
        source: undefined,
        tags: [
          { name: 'ACME', scheme: 'https://wire.example/tickers' },
          { name: 'Earnings', scheme: undefined },
        ],
      },
      {
        title: 'Rates stay where they are, the central bank says',
        summary: 'Nothing changes.',
        url: 'https://wire.example/rates',
        publishedAt: at('2026-11-19T15:00:00Z'),
        source: 'Other Wire',
        tags: [],
      },
    ]);
  });

  it('are read as Atom', () => {
    expect(parseFeed(ATOM)).toMatchObject({
      title: 'Example & Co',
      entries: [
        {
          title: 'Acme & Sons split their shares',
          summary: 'Four for one.',
          url: 'https://atom.example/1',
          publishedAt: at('2026-11-19T15:00:00Z'),
          tags: [{ name: 'ACME', scheme: 'https://atom.example/symbols' }],
        },
      ],
    });
  });

  it('are read as RSS 1.0', () => {
    expect(parseFeed(RDF)).toMatchObject({
      title: 'RDF Wire',
      entries: [{ title: 'Old formats live long', url: 'https://rdf.example/1' }],
    });
  });

  it.each([
    [
      'title is missing',
      '<title> </title><link>https://a.example/1</link><pubDate>2026-11-19</pubDate>',
    ],
    [
      'url is missing',
      '<title>A</title><link>javascript:alert(1)</link><pubDate>2026-11-19</pubDate>',
    ],
    ['publishedAt is missing', '<title>A</title><link>https://a.example/1</link>'],
    [
      'publishedAt is not a date',
      '<title>A</title><link>https://a.example/1</link><pubDate>soon</pubDate>',
    ],
  ])('refuse an entry alone: %s', (reason, item) => {
    const good =
      '<item><title>B</title><link>https://a.example/2</link><pubDate>2026-11-19</pubDate></item>';
    const { entries } = parseFeed(
      `<rss version="2.0"><channel><item>${item}</item>${good}</channel></rss>`,
    );
    expect(entries).toMatchObject([{ reason }, { title: 'B' }]);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html><body>Not found</body></html>'],
    ['JSON', '{"version": "https://jsonfeed.org/version/1", "items": []}'],
    ['a feed cut off', RSS.slice(0, 1200)],
    [
      'another entry bomb',
      `<rss version="2.0"><channel>${'<item><title>a</title></item>'.repeat(5001)}</channel></rss>`,
    ],
  ])('are refused as a whole: %s', (_, text) => {
    expect(() => parseFeed(text)).toThrow(MalformedInputError);
  });

  it('refuse entity bombs, and expand none that hides', () => {
    const declared =
      '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const bomb = RSS.replace('?>', `?>${declared}`).replace('Example Wire', '&b;');
    expect(() => parseFeed(bomb)).toThrow('the feed declares entities of its own');
    const hidden = RSS.replace('?>', `?><!-- <rss > -->${declared}`).replace('Example Wire', '&b;');
    expect(parseFeed(hidden).title).toBe('&b;');
  });

  it('survive deep nesting', () => {
    const deep = `<rss version="2.0"><channel><item>${'<a>'.repeat(200_000)}`;
    expect(() => parseFeed(deep)).toThrow(MalformedInputError);
  });
});

describe('every mutation of a feed', () => {
  const lines = (sample: string) => sample.split('\n');
  const mutations = [RSS, ATOM, RDF].flatMap((sample) => [
    ...lines(sample).map((_, i) => lines(sample).toSpliced(i, 1).join('\n')),
    ...lines(sample).map((line, i) => lines(sample).toSpliced(i, 0, line).join('\n')),
    ...Array.from({ length: 60 }, (_, i) => sample.slice(0, (sample.length * i) / 60)),
    sample.replaceAll(/>([^<>]+)</g, '><'),
    sample.replaceAll(/>([^<>]+)</g, '>\u0001null<'),
    sample.replaceAll('<item>', '<item><new>x</new>').replaceAll('<entry>', '<entry><new>x</new>'),
    lines(sample).toReversed().join('\n'),
  ]);

  it('is read, refused entry by entry, or refused whole', () => {
    for (const text of mutations) {
      try {
        for (const entry of parseFeed(text).entries) {
          if ('reason' in entry) expect(entry.reason).toMatch(/missing|not a date/);
          else expect([entry.title, entry.url].every((one) => one !== '')).toBe(true);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedInputError);
      }
    }
    expect(mutations.length).toBeGreaterThan(250);
  });
});

describe('the text of a feed', () => {
  const feed = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><rss>Société</rss>`;

  it.each([
    ['UTF-8', Buffer.from(feed('UTF-8')), undefined],
    ['UTF-8 without a declaration', Buffer.from('<rss>Société</rss>'), 'text/xml; charset=latin1'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${feed('utf-8')}`), undefined],
    ['ISO-8859-1', Buffer.from(feed('ISO-8859-1'), 'latin1'), 'text/xml; charset=utf-8'],
    ['windows-1252', Buffer.from(feed('windows-1252'), 'latin1'), undefined],
    [
      'only the header tells',
      Buffer.from('<rss>Société</rss>', 'latin1'),
      'text/xml; charset="ISO-8859-1"',
    ],
    ['UTF-16', Buffer.from(`\ufeff${feed('utf-16')}`, 'utf16le'), undefined],
  ])('follows its declaration: %s', (_, bytes, contentType) => {
    expect(feedTextFromBytes(bytes, contentType)).toContain('<rss>Société</rss>');
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from('<rss>Société</rss>', 'latin1'), undefined],
    ['an encoding nobody knows', Buffer.from(feed('klingon')), undefined],
    ['a wrong header', Buffer.from('<rss>Société</rss>', 'latin1'), 'text/xml; charset=klingon'],
  ])('is refused: %s', (_, bytes, contentType) => {
    expect(() => feedTextFromBytes(bytes, contentType)).toThrow(MalformedInputError);
  });
});

describe('plain text', () => {
  it.each([
    ['<p>One</p><p>two</p>', 'One two'],
    ['AT&amp;T &lt;b&gt;bold&lt;/b&gt; &rsquo;s', 'AT&T bold ’s'],
    ['5 < 6 and 7 > 3', '5 < 6 and 7 > 3'],
    ['a<script>evil()</script>b<style>x{}</style>c<!-- d -->e', 'a b c e'],
    ['open <script>never closed', 'open'],
    ['<img src="x" onerror="y">text\u0000\u200b\u00a0end', 'text end'],
    ['half \ud83d', 'half \ufffd'],
  ])('%s', (html, text) => expect(plainText(html, 100)).toBe(text));

  it('is cut at a word', () => {
    expect(plainText('one two three four', 12)).toBe('one two…');
    expect(plainText('x'.repeat(50), 10)).toBe(`${'x'.repeat(5)}…`);
  });

  it('takes time by length only', () => {
    for (const piece of ['<', '<script', '<script>', '<!--', '<a ', '&', '&#', '</']) {
      expect(plainText(piece.repeat(200_000), 50).length).toBeLessThanOrEqual(51);
    }
  });
});

describe.skipIf(!hasRealdata)("the SEC's feeds of current filings", () => {
  it.each([
    'getcurrent_test_get_all_current_filings_typeALL_start0000',
    'getcurrent_test_get_current_filings_form_4_fi_type4_start0000',
  ])('%s', (name) => {
    const bytes = readFileSync(realdata(`news/sec_atom/${name}.atom.xml`));
    const { title, entries } = parseFeed(feedTextFromBytes(bytes));
    expect(title).toMatch(/^Latest Filings - /);
    expect(entries).toHaveLength(100);
    expect(entries.filter((entry) => 'reason' in entry)).toEqual([]);
    expect(entries[0]).toMatchObject({ summary: expect.stringMatching(/^Filed: \d{4}-/) });
  });
});

const iso = (text: string) => {
  const ms = millisFromFeedDate(text);
  return ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
};

describe('dates of feeds', () => {
  it.each([
    ['Fri, 20 Nov 2026 09:30:05 GMT', '2026-11-20T09:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 +0000', '2026-11-20T09:30:05Z'],
    ['Fri, 20 Nov 2026 04:30:05 -0500', '2026-11-20T09:30:05Z'],
    ['20 Nov 2026 09:30 Z', '2026-11-20T09:30:00Z'],
    ['Fri, 20 Nov 2026 04:30:05 EST', '2026-11-20T09:30:05Z'],
    ['Fri, 17 Jul 2026 05:30:05 EDT', '2026-07-17T09:30:05Z'],
    ['Friday, 20-Nov-26 09:30:05 UT', '2026-11-20T09:30:05Z'],
    ['fri, 20 november 2026, 09:30:05', '2026-11-20T09:30:05Z'],
    ['Fri, 20 Nov 2026', '2026-11-20T00:00:00Z'],
    ['Fri, 20 Nov 2026 4:30 PM ET', '2026-11-20T21:30:00Z'],
    ['Mon, 1 Jan 99 12:15 am PST', '1999-01-01T08:15:00Z'],
  ])('reads RFC 822: %s', (text, expected) => expect(iso(text)).toBe(expected));

  it.each([
    ['Fri, 20 Nov 2026 09:30:05 -05:00', '2026-11-20T14:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 GMT+1', '2026-11-20T08:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 -0500 (EST)', '2026-11-20T14:30:05Z'],
    ['Fri, 17 Jul 2026 09:30:05 ET', '2026-07-17T13:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 PT', '2026-11-20T17:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 XYZ', '2026-11-20T09:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 +9999', '2026-11-20T09:30:05Z'],
    ['Fri, 20 Nov 2026 09:30:05 constructor', '2026-11-20T09:30:05Z'],
  ])('makes what it can of a broken zone: %s', (text, expected) =>
    expect(iso(text)).toBe(expected),
  );

  it.each([
    ['2026-11-20T09:30:05Z', '2026-11-20T09:30:05Z'],
    ['2026-11-20T09:30:05.123456-05:00', '2026-11-20T14:30:05Z'],
    ['2026-11-20 09:30:05', '2026-11-20T09:30:05Z'],
    ['2026-11-20T09:30+01:00', '2026-11-20T08:30:00Z'],
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20 09:30:05 +0530', '2026-11-20T04:00:05Z'],
  ])('reads ISO 8601: %s', (text, expected) => expect(iso(text)).toBe(expected));

  it.each([
    '',
    'yesterday',
    'Fri, 31 Feb 2026 09:30:05 GMT',
    'Fri, 20 Foo 2026 09:30:05 GMT',
    '2026-13-01T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T09:61:00Z',
    '11/20/2026',
  ])('takes no date from "%s"', (text) => expect(iso(text)).toBeUndefined());
});
