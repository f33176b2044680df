/** Server-sent events of an open response, as a test reads them. */

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface SentEvent {
  /** Last id before it, its own included. */
  lastId: string;
  type: string;
  body: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

export interface EventReader {
  response: IncomingMessage;
  request: ClientRequest;
  /** Everything that came. */
  text: string;
  /** Id of the last event or position. */
  lastId: string;
  /** Count of events. */
  received: number;
  /** The next event; rejects at the end of the response. */
  next(): Promise<SentEvent>;
  /** Resolves once the text has what is looked for. */
  until(isThere: (reader: EventReader) => boolean): Promise<void>;
  /** Resolves when the server, or the test, has closed the response. */
  closed: Promise<void>;
  close(): void;
}

/** Opens a stream; the response may also be an error. */
export async function openEvents(
  address: string,
  query: string,
  headers: Record<string, string>,
): Promise<EventReader> {
  const sent = request(`${address}/v1/svc/stream?${query}`, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return readerOf(sent, response);
}

function readerOf(sent: ClientRequest, response: IncomingMessage): EventReader {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const events: SentEvent[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let isClosed = false;
  const reader: EventReader = {
    ...{ response, request: sent, text: '', lastId: '', received: 0, closed },
    async next() {
      await reader.until(() => events.length > 0);
      return events.shift() as SentEvent;
    },
    until: (isThere) =>
      new Promise((done, fail) => {
        const look = () => {
          if (!isThere(reader) && !isClosed) return;
          waiting.delete(look);
          if (isThere(reader)) done();
          else fail(new Error(`The stream ended after ${JSON.stringify(reader.text)}`));
        };
        waiting.add(look);
        look();
      }),
    close: () => sent.destroy(),
  };
  const lookAll = () => {
    for (const look of [...waiting]) look();
  };
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    reader.text += piece;
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      );
      reader.lastId = fields.get('id') ?? reader.lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      reader.received += 1;
      const type = fields.get('event') ?? 'message';
      events.push({ lastId: reader.lastId, type, body: JSON.parse(data) });
    }
    lookAll();
  });
  sent.on('error', () => {});
  response.on('error', () => {});
  response.on('close', () => {
    isClosed = true;
    lookAll();
    resolve();
  });
  return reader;
}
