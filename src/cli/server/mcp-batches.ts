/** Batches of JSON-RPC over stdio, which revision 2025-03-26 has and the SDK does not read. */

import { Transform } from 'node:stream';

type Message = { id?: unknown; method?: unknown };

/** Requests of one line that have no response yet, and the responses that came. */
interface Batch {
  readonly open: Set<unknown>;
  readonly responses: unknown[];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Passes whole lines through a function, which gives the lines to write instead. */
function lines(change: (line: string) => readonly string[]): Transform {
  let rest = '';
  return new Transform({
    decodeStrings: false,
    transform(chunk, _encoding, done) {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      done(
        null,
        parts
          .flatMap(change)
          .map((line) => `${line}\n`)
          .join(''),
      );
    },
    flush(done) {
      done(null, rest);
    },
  });
}

/**
 * Makes two streams: `input` gives each message of a batch a line of its own, and `output` holds
 * their responses until it can write all of them as one batch.
 */
export function batchStreams(): { input: Transform; output: Transform } {
  const batches: Batch[] = [];
  const input = lines((line) => {
    const list = line.startsWith('[') ? parsed(line) : undefined;
    if (!Array.isArray(list) || list.length === 0) return [line];
    const ids = (list as (Message | null)[]).flatMap((one) =>
      one?.method !== undefined && one.id !== undefined ? [one.id] : [],
    );
    if (ids.length > 0) batches.push({ open: new Set(ids), responses: [] });
    return list.map((one) => JSON.stringify(one));
  });
  const output = lines((line) => {
    const message = batches.length > 0 ? (parsed(line) as Message | undefined) : undefined;
    const batch =
      message?.method === undefined && batches.find(({ open }) => open.has(message?.id));
    if (!batch) return [line];
    batch.open.delete(message?.id);
    batch.responses.push(message);
    if (batch.open.size > 0) return [];
    batches.splice(batches.indexOf(batch), 1);
    return [JSON.stringify(batch.responses)];
  });
  return { input, output };
}
