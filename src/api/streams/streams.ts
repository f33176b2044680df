/** The open streams of a thread. */

import type { ServerResponse } from 'node:http';
import type { Mode } from '../../base/config/data-dir.ts';
import { AccountsUnreachableError, HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearInterval, monotonicMs, setImmediate, setInterval } from '../../base/world/clock.ts';
import type { Scope } from '../../store/accounts/keys/scopes.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import type {
  NewStream,
  OpenStream,
  StreamedRange,
} from '../../store/accounts/webhooks/stream-store.ts';
import { createAuthenticator } from '../access/authenticate.ts';
import type { Log } from '../http/log.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import { type ApiResponse, followedResponse } from '../http/response.ts';
import { createPool } from '../responses/pool.ts';
import { createKeyCounts, newStreamMemory } from './key-counts.ts';
import {
  eventText,
  isReceiver,
  lastIdOf,
  positionFromId,
  positionId,
  positionText,
  resetText,
  type Stream,
  write,
} from './open-stream.ts';

export interface StreamRequest {
  /**
   * Reads what is stored and returns the rows that receive events: one for the types, and one for
   * each screen. Called again for a stream that was opened without the accounts.
   */
  rows: () => Promise<readonly NewStream[]>;
  /** Scopes that the key must keep. */
  scopes: readonly Scope[];
  wanted: Stream['wanted'];
}

export interface Streams {
  /** @throws {HttpError} 429 or 503: the key or the thread has too many, or the server stops. */
  open(context: AdmittedContext, request: StreamRequest): Promise<ApiResponse>;
  /** Count of open streams. */
  count(): number;
  /** Ends all streams at their position, and refuses others. */
  close(): void;
}

export interface StreamsOptions {
  accounts: Accounts;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Pick<Log, 'failure'>;
  /** Counters that threads share; default: own ones. */
  memory?: SharedArrayBuffer;
  /** Number of this thread. */
  thread?: number;
}

/** Place of a stream that waits for the accounts. */
const NOWHERE = { rows: [], position: 0, isReset: false };

type Batch = ReturnType<Accounts['streamedAfter']>;

export function createStreams(options: StreamsOptions): Streams {
  const { accounts, now, log, memory = newStreamMemory(), thread = 0 } = options;
  const { perKeyMax, perThreadMax, pieceChars, attachedMax } = limits.stream;
  const { pollMs, keyCheckMs, heartbeatMs, stallMs, renewMs, retryMs } = limits.stream;
  const counts = createKeyCounts(memory, thread);
  const pool = createPool('streams of events', perThreadMax);
  const authenticate = createAuthenticator(accounts);
  const streams = new Map<Stream, StreamRequest>();
  /** The last batch of each mode, for the streams at the same position. */
  const batches = new Map<Mode, { after: number; batch: Batch }>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isTicking = false;
  let [checkedMs, renewedMs] = [0, 0];

  function batchAfter(mode: Mode, after: number): Batch {
    const held = batches.get(mode);
    if (held?.after === after) return held.batch;
    const batch = accounts.streamedAfter(mode, after);
    batches.set(mode, { after, batch });
    return batch;
  }

  /** Sends one batch at most. @returns true if more may follow. */
  async function sendBatch(stream: Stream): Promise<boolean> {
    const { position, rows } = stream;
    if (!streams.has(stream) || stream.blockedMs !== undefined || rows.length === 0) return false;
    const { events, through } = await batchAfter(stream.mode, position);
    // Meanwhile it may have ended, or another call has sent this batch.
    const isBehind = streams.has(stream) && stream.position === position;
    if (!isBehind || stream.blockedMs !== undefined) return false;
    let text = '';
    for (const event of events) {
      stream.position = event.seq;
      if (!isReceiver(stream, event)) continue;
      text += eventText(event);
      if (text.length < pieceChars) continue;
      // The rest of the batch is read again when the socket takes more.
      if (!write(stream, text)) return false;
      text = '';
    }
    stream.position = through;
    const isTaken = text === '' || write(stream, text);
    return isTaken && events.length === limits.stream.batchRows;
  }

  /** Sends new events to streams, a batch of each in turn, between other work of the thread. */
  async function send(to: readonly Stream[]): Promise<void> {
    const isMore = await Promise.all(to.map(sendBatch));
    const more = to.filter((_, i) => isMore[i]);
    if (more.length > 0) setImmediate(guarded, () => send(more));
  }

  /** Tells streams whose next events were removed before their clients took them. */
  function reset({ floor }: StreamedRange, nowMs: number): void {
    for (const stream of streams.keys()) {
      if (stream.position >= floor || stream.blockedMs !== undefined) continue;
      if (stream.rows.length === 0) continue;
      const lost = positionId(stream);
      stream.position = floor;
      write(stream, resetText(stream, lost, nowMs));
    }
  }

  /** Ends streams whose key was revoked, has expired or lost a scope, or can't be checked. */
  function checkAll(nowMs: number): void {
    for (const [stream, { scopes }] of streams) {
      try {
        const key = authenticate(stream.context.headers, nowMs);
        if (key.isSuspended || !scopes.every((scope) => key.scopes.has(scope))) end(stream);
      } catch (error) {
        const isRefused = error instanceof HttpError || error instanceof AccountsUnreachableError;
        if (!isRefused) throw error;
        end(stream);
      }
    }
  }

  /** Renews rows; a stream whose row has expired, as after a standby, ends and starts anew. */
  async function renewAll(): Promise<void> {
    const seqs = new Set([...streams.keys()].flatMap(({ rows }) => rows.map(({ seq }) => seq)));
    const expired = await accounts.renewStreams([...seqs]);
    // Another process writes: the next tick tries again.
    if (!expired) return;
    renewedMs = monotonicMs();
    for (const stream of streams.keys()) {
      if (stream.rows.some(({ seq }) => expired.includes(seq))) drop(stream);
    }
  }

  /** Does what needs no other machine: checks keys, sends signs of life, cuts off dead clients. */
  function tend(): void {
    const atMs = monotonicMs();
    if (atMs - checkedMs >= keyCheckMs) {
      checkedMs = atMs;
      checkAll(now());
    }
    for (const stream of streams.keys()) {
      const { blockedMs, sentMs } = stream;
      if (blockedMs === undefined) {
        if (atMs - sentMs >= heartbeatMs) write(stream, positionText(stream));
      } else if (atMs - blockedMs > stallMs) drop(stream);
    }
  }

  /** Reads the accounts, unless the turn before still waits for them. */
  async function tick(): Promise<void> {
    tend();
    if (isTicking) return;
    isTicking = true;
    try {
      await follow();
    } finally {
      isTicking = false;
    }
  }

  async function follow(): Promise<void> {
    if (monotonicMs() - renewedMs >= renewMs) await renewAll();
    const waiting = [...streams.keys()].filter(({ rows }) => rows.length === 0);
    for (const stream of waiting.slice(0, attachedMax)) await attach(stream);
    batches.clear();
    reset(await accounts.streamedRange(), now());
    await send([...streams.keys()]);
  }

  /** Gives a stream its rows and position, once the accounts are back. */
  async function attach(stream: Stream): Promise<void> {
    try {
      const found = await placeOf(stream.context, streams.get(stream)!);
      if (!streams.has(stream)) return;
      Object.assign(stream, found);
      // Events may have been stored after it was opened.
      const isReset = found.isReset || lastIdOf(stream) === '';
      write(stream, isReset ? resetText(stream, lastIdOf(stream), now()) : positionText(stream));
    } catch (error) {
      // Its screen was deleted: the client reads so in the response to its next request.
      if (!(error instanceof ParameterError)) throw error;
      drop(stream);
    }
  }

  /**
   * Runs work of a timer. Without the accounts, streams wait as long as their keys are admitted.
   * Damaged accounts end them: their clients get the error.
   */
  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const open = [...streams.keys()];
      if (open.length > 0) log.failure(open[0].context.requestId, error);
      if (error instanceof AccountsUnreachableError) return;
      for (const stream of open) drop(stream);
    }
  }

  /** Cuts a stream off; its client continues it. Nothing is written to it from here on. */
  function drop(stream: Stream): void {
    streams.delete(stream);
    stream.response.destroy();
  }

  /** Ends a stream at its position. */
  function end(stream: Stream): void {
    streams.delete(stream);
    if (stream.blockedMs === undefined) stream.response.end(positionText(stream));
    else stream.response.destroy();
  }

  function start(stream: Stream, asked: StreamRequest, greeting: string): Promise<void> {
    const { response } = stream;
    return new Promise((resolve) => {
      const stop = () => {
        response.off('drain', resume);
        streams.delete(stream);
        if (streams.size === 0) {
          clearInterval(timer);
          timer = undefined;
          batches.clear();
        }
        resolve();
      };
      const resume = () => {
        stream.blockedMs = undefined;
        guarded(() => send([stream]));
      };
      // The client may have gone while the request was checked.
      if (response.destroyed) return stop();
      streams.set(stream, asked);
      response.on('drain', resume);
      response.once('close', stop);
      timer ??= setInterval(guarded, pollMs, tick);
      write(stream, greeting);
    });
  }

  /** Creates or renews the rows of a stream, and finds where it continues. */
  async function placeOf(
    context: AdmittedContext,
    asked: StreamRequest,
  ): Promise<{ rows: OpenStream[]; position: number; isReset: boolean }> {
    const rows = await accounts.openStreams(await asked.rows());
    const range = await accounts.streamedRange();
    const lastId = lastIdOf({ context });
    if (lastId === '') return { rows, position: range.head, isReset: false };
    const find = (eventId: string) => accounts.streamedSeq(context.key.mode, eventId);
    const known = await positionFromId(lastId, rows, range, find);
    const position = known ?? (await accounts.streamedHead());
    return { rows, position, isReset: known === undefined };
  }

  function checkRoom({ number }: AdmittedContext['key']): void {
    if (isClosed) throw new HttpError(503, 'The server is stopping', ['Retry-After', '1']);
    if (counts.total(number) >= perKeyMax) {
      const rule = `The API key has ${perKeyMax} open streams, as many as it may`;
      throw new HttpError(429, `${rule}; close one first`, ['Retry-After', '5']);
    }
  }

  /** Counts a stream of a key and of its account. @returns a function that takes it back. */
  function enter({ number, account }: AdmittedContext['key']): () => void {
    const leave = pool.enter(account);
    counts.add(number, 1);
    return () => {
      counts.add(number, -1);
      leave();
    };
  }

  return {
    async open(context, asked) {
      const { key, method } = context;
      checkRoom(key);
      const isCounted = method !== 'HEAD';
      const leave = isCounted ? enter(key) : pool.check(key.account);
      try {
        const { isReset, ...found } = await placeOf(context, asked).catch((error) => {
          // Known keys are admitted, so their streams are too.
          if (error instanceof AccountsUnreachableError) return NOWHERE;
          throw error;
        });
        return followedResponse('text/event-stream', (response: ServerResponse) => {
          const { mode } = key;
          const own = { context, response, mode, wanted: asked.wanted };
          const stream: Stream = { ...own, ...found, sentMs: 0, blockedMs: undefined };
          const lost = lastIdOf(stream);
          const first = isReset ? resetText(stream, lost, now()) : positionText(stream);
          return start(stream, asked, `retry: ${retryMs}\n${first}`).finally(() => leave?.());
        });
      } catch (error) {
        leave?.();
        throw error;
      }
    },
    count: () => streams.size,
    close() {
      isClosed = true;
      for (const stream of streams.keys()) end(stream);
    },
  };
}
