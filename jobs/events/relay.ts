/**
 * Moves events to `accounts.sqlite` once their data is visible, as the last step of every publish.
 *
 * After a kill the next publish repeats it: the outbox keeps its events until the position has
 * passed them, ids are stable, and events from comparing versions are written with the position.
 */

import { isDeepStrictEqual } from 'node:util';
import { accountsPlaceOf, type ModePaths } from '../../src/base/config/data-dir.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { limits } from '../../src/base/limits.ts';
import { wallMs } from '../../src/base/world/clock.ts';
import { withAccounts } from '../../src/store/accounts/open.ts';
import type { AccountRecords } from '../../src/store/accounts/records/contract.ts';
import type { EventType, MarketEvent } from '../../src/store/accounts/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/accounts/webhooks/event-store.ts';
import type { RelayPosition } from '../../src/store/accounts/webhooks/relay-store.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import {
  openMarketForReading,
  openMarketForWriting,
} from '../../src/store/duckdb/connection/open.ts';
import {
  datasetsSince,
  dropOutbox,
  type LedgerEnd,
  readOutbox,
  readStoreMark,
} from '../../src/store/duckdb/connection/outbox.ts';
import type { WriterLock, WriterOptions } from '../../src/store/duckdb/connection/writer-lock.ts';
import { compareWithEmitted } from './emitted-version.ts';
import { OUTBOX_TYPES, outboxEvents } from './outbox-events.ts';
import { quoteEvents } from './quote-events.ts';
import { screenerMatches } from './screener-events.ts';
import { eventId } from './symbol-events.ts';

export interface Published {
  before: PublishedVersion | undefined;
  version: PublishedVersion;
  /** Newest load in `version`. */
  end: LedgerEnd;
}

export interface RelayDeps extends WriterOptions {
  nowMs: number;
  lock: WriterLock;
}

/**
 * Records before the very first version that no event was emitted. Else a kill right after that
 * version would make its data count as old.
 */
export async function beginRelay(paths: ModePaths): Promise<void> {
  const { mode } = paths;
  await withAccounts(accountsPlaceOf(paths), async (accounts) => {
    if (await accounts.relayPosition(mode)) return;
    await accounts.advanceRelay(mode, { seq: 0, storeMark: '', version: '' }, async () => {});
  });
}

/** Emits the events of a publish. @throws {StoreBusyError} another process writes accounts. */
export async function relay(
  paths: ModePaths,
  published: Published,
  deps: RelayDeps,
): Promise<void> {
  const { version, end } = published;
  const next = { seq: end.seq, storeMark: end.mark, version: version.id };
  await withAccounts(accountsPlaceOf(paths), async (accounts) => {
    const position = await accounts.relayPosition(paths.mode);
    if (isDeepStrictEqual(position, next)) return;
    await handOver(paths, published, { accounts, position, next });
  });
  if (end.outboxRows > limits.events.outboxRowsMax) await drop(paths, end.seq, deps);
}

interface Move {
  accounts: AccountRecords;
  position: RelayPosition | undefined;
  next: RelayPosition;
}

async function handOver(
  paths: ModePaths,
  { before, version }: Published,
  move: Move,
): Promise<void> {
  const { accounts, position, next } = move;
  const subscriptions = await accounts.subscriptions(paths.mode);
  const datasets =
    subscriptions.length > 0 ? await handOverLoads(paths, version, { ...move, subscriptions }) : [];
  const news = compareWithEmitted(version, before, position, paths.serving);
  const events: MarketEvent[] = news ? quoteEvents(version, news.emitted, subscriptions) : [];
  const matches = news
    ? await screenerMatches(version, news.emitted, await accounts.screenerWebhooks(paths.mode), {
        serving: paths.serving,
        nowMs: wallMs(),
      })
    : [];
  for (const { event } of matches) if (event) events.push(event);
  if (news && datasets.length > 0) events.push(readyEvent(paths, version, datasets));
  failpoint('move position');
  await accounts.advanceRelay(paths.mode, next, async (within) => {
    await within.addEvents(paths.mode, events, readableAtMs());
    await within.setScreenerStates(matches.map(({ state }) => state));
  });
}

/** Uses the real clock, as deliveries do: the clock of a run may be hours old. */
function readableAtMs(): number {
  return wallMs() + limits.events.readableMs;
}

/** Emits the events that loads wrote. @returns their datasets. */
async function handOverLoads(
  paths: ModePaths,
  version: PublishedVersion,
  { accounts, position, next, subscriptions }: Move & { subscriptions: readonly Subscription[] },
): Promise<string[]> {
  if (position?.seq === next.seq && position.storeMark === next.storeMark) return [];
  const isWanted = (type: EventType) => subscriptions.some(({ types }) => types.has(type));
  using market = await openMarketForReading(paths);
  // A restored or rebuilt store counts from the start again; its events are known by their ids.
  const isOfStore =
    position !== undefined && (await readStoreMark(market, position.seq)) === position.storeMark;
  const afterSeq = isOfStore ? position.seq : 0;
  for await (const rows of readOutbox(market, afterSeq, OUTBOX_TYPES.filter(isWanted))) {
    failpoint('add events');
    await accounts.addEvents(
      paths.mode,
      outboxEvents(rows, version, subscriptions),
      readableAtMs(),
    );
  }
  return await datasetsSince(market, afterSeq);
}

function readyEvent(
  { mode }: ModePaths,
  { id, createdMs, manifest }: PublishedVersion,
  datasets: readonly string[],
): MarketEvent {
  return {
    id: eventId('data.ready', mode, id),
    type: 'data.ready',
    occurredAtMs: createdMs,
    symbols: undefined,
    data: { mode, version: manifest.version, datasets },
  };
}

async function drop(
  paths: ModePaths,
  throughSeq: number,
  { verb, nowMs, lock, onWaiting }: RelayDeps,
): Promise<void> {
  failpoint('drop outbox');
  using market = await openMarketForWriting(paths, { verb, nowMs, lock, onWaiting });
  await dropOutbox(market, throughSeq);
}
