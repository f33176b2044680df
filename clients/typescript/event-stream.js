// @ts-check
/** Server-sent events of `streamEvents`, over connections that follow one another. */

import { ApiError } from './api-error.js';

/** Time without a byte after which a connection counts as dead: three signs of life. */
const SILENCE_MS = 45_000;

/** Longest wait before a connection. */
const WAIT_MAX_MS = 60_000;

/**
 * @typedef {object} Connections
 * @property {(lastId: string | undefined, signal: AbortSignal) => Promise<Response>} open Throws an
 *   ApiError if the response is an error.
 * @property {(ms: number) => Promise<void>} wait
 * @property {number} retries Connections in a row without an event or a sign of life before the
 *   failure is thrown.
 * @property {AbortSignal | undefined} signal
 */

/**
 * @typedef {object} Reading Position of a reader over all its connections.
 * @property {string | undefined} lastId
 * @property {number} retryMs Pause before the next connection, as the server names it.
 * @property {number} failures
 */

/**
 * Yields events until the caller stops, or the server refuses or stays away.
 * @param {Connections} connections
 * @returns {AsyncGenerator<import('./client.js').StreamedEvent, void, undefined>}
 */
export async function* streamedEvents(connections) {
  /** @type {Reading} */
  const reading = { lastId: undefined, retryMs: 2000, failures: 0 };
  for (;;) {
    try {
      yield* connection(connections, reading);
    } catch (error) {
      if (error instanceof ApiError || connections.signal?.aborted) throw error;
      if (reading.failures >= connections.retries) throw error;
    }
    reading.failures += 1;
    await connections.wait(Math.min(WAIT_MAX_MS, reading.retryMs * 2 ** (reading.failures - 1)));
  }
}

/**
 * Yields the events of one connection.
 * @param {Connections} connections @param {Reading} reading
 */
async function* connection({ open, signal }, reading) {
  const silence = new AbortController();
  const stop = () => silence.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timeOut = () => silence.abort(new Error(`The stream was silent for ${SILENCE_MS} ms`));
  let timer = setTimeout(timeOut, SILENCE_MS);
  try {
    if (signal?.aborted) stop();
    const response = await open(reading.lastId, silence.signal);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(timeOut, SILENCE_MS);
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block, reading);
        reading.failures = 0;
        if (event) yield event;
      }
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // A caller that leaves its loop closes the connection.
    silence.abort();
  }
}

/**
 * Reads a block, and notes its id; returns undefined for one that only has an id.
 * @param {string} block @param {Reading} reading
 */
function eventOf(block, reading) {
  let event;
  for (const line of block.split('\n')) {
    const mark = line.indexOf(': ');
    const value = line.slice(mark + 2);
    const field = line.slice(0, mark);
    if (field === 'id') reading.lastId = value;
    else if (field === 'retry') reading.retryMs = Number(value);
    else if (field === 'data') event = JSON.parse(value);
  }
  return event;
}
