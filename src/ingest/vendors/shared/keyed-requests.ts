import { SubscriptionNeededError } from '../../../base/errors.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { Host } from '../../http/host.ts';
import { requireReadable } from '../../rows/readable-rows.ts';
import { withAsk } from './ask.ts';

type Query = Record<string, string | number | undefined>;

export interface KeyedRequests {
  ask(path: string, query: Query): Promise<string>;
  /** Sends a request; one that the subscription lacks is noted and gives undefined. */
  askIfIncluded(path: string, query: Query): Promise<string | undefined>;
  notes: SkippedNotes;
}

export interface KeyedVendor {
  host: Host;
  /** True if a path that is refused for one symbol is refused for all: it is not retried. */
  refusesPaths: boolean;
}

/** Refusals in a row, without any response, after which the key must be wrong. */
const REFUSALS_MAX = 5;

/**
 * Runs `fetch` with a client that carries the vendor's key.
 * @throws {SubscriptionNeededError} the subscription includes none of the requests.
 * @throws {SourceEmptyError} there were no rows; names each symbol with its reason.
 */
export async function* withKey(
  { host, refusesPaths }: KeyedVendor,
  context: FetchContext,
  fetch: (asks: KeyedRequests) => AsyncIterable<FetchedRows>,
): AsyncGenerator<FetchedRows> {
  const notes = new SkippedNotes();
  const refused = new Map<string, SubscriptionNeededError>();
  let responses = 0;
  let segments = 0;
  yield* withAsk(host, context, async function* (send) {
    const ask = async (path: string, query: Query) => {
      const text = await send(path, query);
      responses++;
      return text;
    };
    const askIfIncluded = async (path: string, query: Query) => {
      const what = refusesPaths ? path : `${path} ${Object.values(query).join(' ')}`;
      if (refused.has(what)) return undefined;
      try {
        return await ask(path, query);
      } catch (error) {
        if (!(error instanceof SubscriptionNeededError)) throw error;
        refused.set(what, error);
        if (responses === 0 && refused.size === REFUSALS_MAX) throw error;
        notes.add(what, error.message);
        return undefined;
      }
    };
    const fetched = notes.carriedBy(fetch({ ask, askIfIncluded, notes }));
    for await (const segment of requireReadable(host.title, fetched)) {
      segments++;
      yield segment;
    }
  });
  const [refusal] = refused.values();
  if (segments === 0 && refusal) throw refusal;
  notes.requireSegments(host.title, 'rows');
}
