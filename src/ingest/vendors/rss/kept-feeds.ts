/**
 * Keeps validators of conditional requests and recent stories between runs, so that only changes
 * are fetched and a repeated story keeps its id. The file can be deleted while no run uses it.
 */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolders } from '../../../base/data-folder.ts';
import { limits } from '../../../base/limits.ts';
import { newsLimits } from './limits.ts';
import type { Story } from './news-story.ts';

export interface FeedValidators {
  etag: string | undefined;
  lastModified: string | undefined;
}

export function openKeptFeeds(path: string) {
  makeFolders(dirname(path));
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  database.exec(`
    CREATE TABLE IF NOT EXISTS feeds (address TEXT PRIMARY KEY, etag TEXT, last_modified TEXT);
    CREATE TABLE IF NOT EXISTS stories
      (id TEXT PRIMARY KEY, article TEXT, addresses TEXT, told_ms INTEGER)`);
  const selectFeed = database.prepare('SELECT * FROM feeds WHERE address = ?');
  const selectStories = database.prepare('SELECT article, addresses FROM stories ORDER BY id');
  const replaceFeed = database.prepare('INSERT OR REPLACE INTO feeds VALUES (?, ?, ?)');
  const replaceStory = database.prepare('INSERT OR REPLACE INTO stories VALUES (?, ?, ?, ?)');
  const forget = database.prepare('DELETE FROM stories WHERE told_ms < ?');
  return {
    validators(address: string): FeedValidators | undefined {
      const row = selectFeed.get(address) as
        | { etag: string | null; last_modified: string | null }
        | undefined;
      if (!row) return undefined;
      return { etag: row.etag ?? undefined, lastModified: row.last_modified ?? undefined };
    },
    stories(): Story[] {
      const rows = selectStories.all() as { article: string; addresses: string }[];
      return rows.map(({ article, addresses }) => ({
        article: JSON.parse(article),
        addresses: new Set<string>(JSON.parse(addresses)),
      }));
    },
    /** Writes both at once. Drops a story that no feed has had for a while. */
    keep(
      validators: ReadonlyMap<string, FeedValidators>,
      stories: readonly Story[],
      nowMs: number,
    ) {
      database.exec('BEGIN IMMEDIATE');
      for (const [address, { etag = null, lastModified = null }] of validators) {
        replaceFeed.run(address, etag, lastModified);
      }
      for (const { article, addresses } of stories) {
        const texts = [JSON.stringify(article), JSON.stringify([...addresses])];
        replaceStory.run(article.id, ...texts, nowMs);
      }
      forget.run(nowMs - newsLimits.storyKeptMs);
      database.exec('COMMIT');
    },
    [Symbol.dispose]() {
      database.close();
    },
  };
}
