/** Ids of news articles. */

import { createHash } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;

/** Returns the id of a story: 130 bits of the SHA-256 of its address. */
export function newsId(story: string): string {
  const hash = createHash('sha256').update(story).digest();
  let id = 'news_';
  let bits = 0;
  let pending = 0;
  for (const byte of hash) {
    bits = (bits << 8) | byte;
    pending += 8;
    for (; pending >= 5 && id.length < 5 + LENGTH; pending -= 5) {
      id += LETTERS[(bits >> (pending - 5)) & 31];
    }
    bits &= 31;
  }
  return id;
}

export const NEWS_ID = /^news_[a-z0-9]{26}$/;

/** Returns true if a text has the form of an id, and therefore can't be a symbol. */
export function isNewsId(text: string): boolean {
  return NEWS_ID.test(text);
}
