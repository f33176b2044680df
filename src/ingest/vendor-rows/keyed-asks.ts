/** Questions to a vendor whose plans differ in what may be asked. */

import { PlanNeededError, type TapeworksError } from '../../errors.ts';
import type { FetchContext, FetchedRows } from '../fetch-context.ts';
import { HttpClient } from '../http-client.ts';
import { SkippedNotes } from '../skipped-notes.ts';
import { keyParts } from '../vendor-key.ts';
import type { Vendor } from '../vendors.ts';

type Query = Record<string, string | number | undefined>;

export interface KeyedAsks {
  /** @throws as `HttpClient.get`. */
  ask(path: string, query: Query): Promise<string>;
  /**
   * The same where the plan may not include it: undefined then, and it is neither asked again nor
   * passed over in silence.
   */
  askIfIncluded(path: string, query: Query): Promise<string | undefined>;
  notes: SkippedNotes;
}

/**
 * Runs `fetch` with a client that carries the vendor's key.
 *
 * @throws {ConfigError} no key is set.
 * @throws {PlanNeededError} nothing that was asked is included.
 * @throws {SourceEmptyError} there were no rows; names each symbol with its reason.
 */
export async function* withKey(
  vendor: Vendor,
  context: FetchContext,
  fetch: (asks: KeyedAsks) => AsyncIterable<FetchedRows>,
): AsyncGenerator<FetchedRows> {
  const key = keyParts(vendor, context.settings);
  const http = new HttpClient(context.settings, { signal: context.signal });
  const notes = new SkippedNotes();
  const refused = new Map<string, TapeworksError>();
  const ask = async (path: string, query: Query) =>
    (await http.get({ vendor, path, ...key, query: { ...query, ...key.query } })).text;
  const asks: KeyedAsks = {
    ask,
    notes,
    async askIfIncluded(path, query) {
      if (refused.has(path)) return undefined;
      try {
        return await ask(path, query);
      } catch (error) {
        if (!(error instanceof PlanNeededError)) throw error;
        refused.set(path, error);
        notes.add(path, error.message);
        return undefined;
      }
    },
  };
  let segments = 0;
  try {
    for await (const segment of notes.carriedBy(fetch(asks))) {
      segments++;
      yield segment;
    }
  } finally {
    await http.close();
  }
  const [refusal] = refused.values();
  if (segments === 0 && refusal) throw refusal;
  notes.requireSegments(vendor.title, 'rows');
}
