import { describe, expect, it } from 'vitest';
import { isNewsId } from '../../../../src/base/datasets/news-id.ts';
import {
  Stories,
  storyAddress,
  type ToldArticle,
} from '../../../../src/ingest/vendors/rss/news-story.ts';

const TITLE = 'Acme raises its outlook after a strong quarter';

function told(change: Partial<ToldArticle> = {}): ToldArticle {
  return {
    title: TITLE,
    summary: null,
    source: 'Wire',
    url: 'https://wire.example/acme-outlook',
    publishedAt: Date.parse('2026-11-19T23:50:00Z'),
    symbols: [],
    sentiment: 'positive',
    ...change,
  };
}

/** Builds stories from articles. */
function storiesOf(...articles: ToldArticle[]) {
  const stories = new Stories([]);
  for (const article of articles) stories.tell(article);
  return stories.changed();
}

const idOf = (article: ToldArticle) => storiesOf(article)[0].id;

describe('one story', () => {
  it('has an id of its content', () => {
    expect(isNewsId(String(idOf(told())))).toBe(true);
    expect(idOf(told({ symbols: ['AAPL'], summary: 'More.' }))).toBe(idOf(told()));
    expect(idOf(told({ title: `${TITLE}s` }))).not.toBe(idOf(told()));
  });

  it.each([
    ['other URL parameters', { url: 'http://www.wire.example/acme-outlook/?utm_source=rss#top' }],
    ['parameters that nobody knows', { url: 'https://wire.example/acme-outlook?from=app' }],
    ['another address', { url: 'https://copy.example/x1', source: 'Copy' }],
    ['other typography', { url: 'https://copy.example/x1', title: `“${TITLE.toUpperCase()}”` }],
    [
      'another day, within 24 hours',
      { url: 'https://copy.example/x1', publishedAt: Date.parse('2026-11-20T09:00:00Z') },
    ],
    ['the same address with a corrected title', { title: 'Acme lowers its outlook' }],
  ])('with %s is one article', (_, change) => {
    expect(storiesOf(told(), told(change))).toHaveLength(1);
    expect(storiesOf(told(), told(change))[0].id).toBe(idOf(told()));
  });

  it.each([
    ['another title', { url: 'https://wire.example/2', title: 'Acme lowers its outlook for 2027' }],
    [
      'the same title two days later',
      { url: 'https://wire.example/2', publishedAt: Date.parse('2026-11-21T23:51:00Z') },
    ],
    ['another page of the same path', { url: 'https://wire.example/story?id=2', title: 'Other' }],
  ])('is not one with %s', (_, change) => {
    const first = told({ url: 'https://wire.example/story?id=1' });
    expect(storiesOf(first, told(change))).toHaveLength(2);
  });

  it('is identified by address if titles are short, and by title at a front page', () => {
    const short = { title: 'Form 4' };
    expect(storiesOf(told(short), told({ ...short, url: 'https://wire.example/2' }))).toHaveLength(
      2,
    );
    const front = { url: 'https://wire.example/' };
    expect(
      storiesOf(told(front), told({ ...front, title: 'Another headline of that day' })),
    ).toHaveLength(2);
  });

  it('keeps its first fields, adds symbols and fills an empty summary', () => {
    const copy = told({
      url: 'https://copy.example/x1',
      source: 'Copy',
      symbols: ['MSFT', 'AAPL'],
      summary: 'More of it.',
      publishedAt: Date.parse('2026-11-20T09:00:00Z'),
    });
    expect(storiesOf(told({ symbols: ['AAPL'] }), copy)).toEqual([
      { id: idOf(told()), ...told({ symbols: ['AAPL', 'MSFT'], summary: 'More of it.' }) },
    ]);
  });

  it('is corrected by its own page only, under its old id', () => {
    const title = 'Acme lowers its outlook after a weak quarter';
    const correction = told({ title, sentiment: 'negative', summary: 'So it says.' });
    expect(storiesOf(told(), correction)).toEqual([{ id: idOf(told()), ...correction }]);
  });
});

describe('stories of earlier runs', () => {
  it('keep their ids, and only new or changed ones are given', () => {
    const earlier = new Stories([]);
    earlier.tell(told());
    const title = 'Acme lowers its outlook after a weak quarter';
    earlier.tell(told({ title }));
    const later = new Stories(earlier.told());
    later.tell(told({ title }));
    expect(later.changed()).toEqual([]);
    expect(later.told()).toHaveLength(1);
    later.tell(told({ title, symbols: ['AAPL'] }));
    later.tell(told({ url: 'https://copy.example/x1', symbols: ['MSFT'] }));
    expect(later.changed()).toEqual([
      { id: idOf(told()), ...told({ title, symbols: ['AAPL', 'MSFT'] }) },
    ]);
  });
});

describe('addresses', () => {
  it.each([
    [
      'https://www.wire.example/a/b/?b=2&a=1&utm_medium=rss&.tsrc=rss#x',
      'wire.example/a/b?a=1&b=2',
    ],
    ['http://m.wire.example:8080/a', 'wire.example:8080/a'],
    ['https://wire.example/?utm_source=x', undefined],
    ['https://wire.example', undefined],
  ])('%s', (url, address) => expect(storyAddress(url)).toBe(address));
});
