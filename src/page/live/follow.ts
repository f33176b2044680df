/**
 * Events of publishes for all views. Tabs with the same key share one connection: the tab that
 * holds a lock has it and passes events on. When that tab closes, the next one takes the lock and
 * continues behind the last event.
 */

import { createStore } from '../state/store.ts';
import { type Reading, readConnection } from './connection.ts';
import { followed, openFollowed, setFollowed } from './followed-screens.ts';
import { type LiveEvent, tellListeners } from './live-event.ts';

export interface Following {
  state: 'connecting' | 'live' | 'waiting' | 'refused';
  /** Reason for which no events come; empty while they do. */
  reason: string;
}

const CONNECTING: Following = { state: 'connecting', reason: '' };

/** State of the connection, be it of this tab or of another. */
export const following = createStore<Following>(CONNECTING);

/** Count of publishes that this tab has heard of. */
export const publishes = createStore(0);

/** Message from the tab with the connection to the others; `hello` goes the other way. */
type Message =
  | { kind: 'state'; state: Following; lastId: string | undefined }
  | { kind: 'id'; id: string }
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'hello' };

const ALL_EVENTS = 'candles.updated,data.ready,quote.updated';

/** Type that needs no scope of data. */
const PUBLISHES = 'data.ready';

const [WAIT_MIN_MS, WAIT_MAX_MS] = [1000, 60_000];

function tell(event: LiveEvent): void {
  tellListeners(event);
  const { type } = event;
  if (type === 'data.ready' || type === 'stream.reset') publishes.set(publishes.get() + 1);
}

/** Follows publishes with a key. @returns a function that ends it. */
export function follow(key: string): () => void {
  const stop = new AbortController();
  following.set(CONNECTING);
  void run(key, stop.signal);
  return () => stop.abort();
}

async function run(key: string, signal: AbortSignal): Promise<void> {
  // Locks and digests exist on https and on this machine alone. Elsewhere each visible tab has a
  // connection of its own: browsers allow six to a server, and hidden tabs need none.
  const isShared = 'locks' in navigator && crypto.subtle !== undefined;
  const name = isShared ? await nameOf(key) : '';
  if (signal.aborted) return;
  const channel = isShared ? new BroadcastChannel(name) : undefined;
  openFollowed(name, signal);
  const screens = followed.get();
  let reading: Reading = { key, events: ALL_EVENTS, screens, lastId: undefined };
  let isLeader = !isShared;
  const send = (message: Message) => channel?.postMessage(message);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (isLeader) send({ kind: 'state', state: following.get(), lastId: reading.lastId });
    } else if (data.kind === 'event') tell(data.event);
    else if (data.kind === 'id') reading.lastId = data.id;
    else {
      reading.lastId = data.lastId;
      following.set(data.state);
    }
  });
  signal.addEventListener('abort', () => channel?.close());
  const lead = () => {
    isLeader = true;
    let stop = new AbortController();
    // With other screens, the next connection opens before the last one ends: nothing falls between.
    const start = () => {
      const before = stop;
      stop = new AbortController();
      Object.assign(reading, { screens: followed.get() });
      const own = AbortSignal.any([signal, stop.signal]);
      void readAll(reading, send, own, !isShared, () => before.abort());
    };
    start();
    const unfollow = followed.subscribe(() => {
      reading = { ...reading, lastId: undefined };
      start();
    });
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(unfollow()), { once: true });
    });
  };
  send({ kind: 'hello' });
  if (isShared) await navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  else await lead();
}

/** Returns a name that tells keys apart and gives none away. */
async function nameOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const bytes = new Uint8Array(digest).subarray(0, 12);
  return `tapeworks-live ${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Connects again and again, with longer pauses, until it is stopped or refused for good. */
async function readAll(
  reading: Reading,
  send: (message: Message) => void,
  signal: AbortSignal,
  isAlone: boolean,
  onOpen: () => void,
): Promise<void> {
  let failures = 0;
  const setState = (state: Following) => {
    following.set(state);
    send({ kind: 'state', state, lastId: reading.lastId });
  };
  while (!signal.aborted) {
    if (isAlone) await untilVisible(signal);
    const ended = new AbortController();
    const own = isAlone ? AbortSignal.any([signal, whenHidden(ended.signal)]) : signal;
    const end = await readConnection(
      reading,
      {
        onOpen() {
          failures = 0;
          onOpen();
          setState({ state: 'live', reason: '' });
        },
        onId(id) {
          reading.lastId = id;
          send({ kind: 'id', id });
        },
        onEvent(event) {
          tell(event);
          send({ kind: 'event', event });
        },
      },
      own,
    );
    ended.abort();
    if (signal.aborted) return;
    if (own.aborted) continue;
    const { status, reason, waitMs } = end;
    if (status === 400 && reading.screens.length > 0) {
      // Someone has deleted a screen; without screens, the next connection begins at once.
      setFollowed([]);
      return;
    }
    if (status === 403 && reading.events !== PUBLISHES) {
      // A key that can't read quotes can still hear of publishes.
      reading.events = PUBLISHES;
      reading.lastId = undefined;
      continue;
    }
    const isForGood = status !== undefined && status < 500 && status !== 429;
    setState({ state: isForGood ? 'refused' : 'waiting', reason });
    if (isForGood) return;
    await pause(waitMs ?? Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** failures), signal);
    failures += 1;
  }
}

/** Waits; a network that is back ends the wait. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const once = { once: true, signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) };
    once.signal.addEventListener('abort', () => resolve(), { once: true });
    addEventListener('online', () => resolve(), once);
    if (once.signal.aborted) resolve();
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.hidden || signal.aborted) resolve();
    };
    document.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

/** @param signal Ends the watch. */
function whenHidden(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const look = () => {
    if (document.hidden) hidden.abort();
  };
  document.addEventListener('visibilitychange', look, { signal });
  return hidden.signal;
}
