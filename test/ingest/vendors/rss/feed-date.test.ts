import { describe, expect, it } from 'vitest';
import { millisFromFeedDate } from '../../../../src/ingest/vendors/rss/feed-date.ts';

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
