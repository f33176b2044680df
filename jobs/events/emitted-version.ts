/** The version whose events were emitted last, in the parts that a comparison needs. */

import type { RelayPosition } from '../../src/store/accounts/webhooks/relay-store.ts';
import { readTable } from '../../src/store/arrow/format/table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from '../../src/store/arrow/format/tables.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { ScreenerSources } from '../../src/store/arrow/snapshot/screener-table.ts';

export type EmittedVersion = ScreenerSources;

/**
 * Finds the version to compare with. If a publish was killed before it emitted events, the next one
 * emits them from the tables of replaced versions, which stay for a while.
 *
 * @param before Version when this publish began.
 * @returns undefined if `version` shows nothing new. `emitted` is undefined if all of it is new.
 */
export function compareWithEmitted(
  version: PublishedVersion,
  before: PublishedVersion | undefined,
  position: RelayPosition | undefined,
  folder: string,
): { emitted: EmittedVersion | undefined } | undefined {
  // Data that was published before the first event is no news.
  const emittedId = position ? position.version : before?.id;
  if (emittedId === version.id) return undefined;
  const { recent } = version.manifest;
  const place = recent.findIndex(({ id }) => id === emittedId);
  if (place >= 0 && recent.slice(0, place + 1).every(({ isFolded }) => isFolded)) return undefined;
  if (before && before.id === emittedId) return { emitted: emittedVersion(before) };
  if (place < 0) return { emitted: undefined };
  const { id, symbols, quotes, directory } = recent[place];
  return {
    emitted: {
      id,
      names: readTable(folder, symbols, SYMBOL_TABLE).symbol,
      quotes: readTable(folder, quotes, QUOTE_TABLE),
      listings: readTable(folder, directory, DIRECTORY_TABLE),
    },
  };
}

function emittedVersion({ id, directory, quotes, listings }: PublishedVersion): EmittedVersion {
  return { id, names: directory.names, quotes, listings };
}
