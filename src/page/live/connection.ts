/** One connection to the stream of events, read until it ends. */

import type { Error as ErrorBody } from '../../../clients/typescript/operations.js';
import type { LiveEvent } from './live-event.ts';

export interface ConnectionEnd {
  /** Status of a refusal; undefined if the connection failed or ended. */
  status?: number;
  reason: string;
  /** Time that the server asks for before the next connection. */
  waitMs?: number;
}

export interface ConnectionListener {
  /** Called at once with the head, before any event. */
  onOpen(): void;
  onId(id: string): void;
  onEvent(event: LiveEvent): void;
}

/** Time without a byte after which the connection counts as dead: three signs of life. */
const SILENCE_MS = 45_000;

/** Position over all connections with the same parameters. */
export interface Reading {
  key: string;
  /** Types of events, of which `screener.matched` comes with the screens. */
  events: string;
  /** Ids of saved screens. */
  screens: readonly string[];
  /** Last id of the connection before. */
  lastId: string | undefined;
}

export async function readConnection(
  { key, events, screens, lastId }: Reading,
  listener: ConnectionListener,
  signal: AbortSignal,
): Promise<ConnectionEnd> {
  const matches = screens.length === 0 ? '' : `,screener.matched&screens=${screens.join()}`;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(`v1/svc/stream?events=${events}${matches}`, {
      headers: { 'X-API-Key': key, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) return await refusal(response);
    listener.onOpen();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { reason: 'The server ended the connection' };
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const blocks = (text + value).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) readBlock(block, listener);
    }
  } catch {
    return { reason: 'The server does not respond' };
  } finally {
    clearTimeout(timer);
  }
}

async function refusal(response: Response): Promise<ConnectionEnd> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
  const retryAfter = headers.get('Retry-After');
  return {
    status,
    reason: body?.error?.message ?? `HTTP status ${status}`,
    waitMs: retryAfter === null ? undefined : Number(retryAfter) * 1000,
  };
}

/** The id follows the event, so that an event whose reader fails comes again. */
function readBlock(block: string, { onId, onEvent }: ConnectionListener): void {
  let id: string | undefined;
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)) as LiveEvent);
  }
  if (id !== undefined) onId(id);
}
