/** Lines of a text file of any size, for a look beyond its first bytes. */

import { createReadStream } from 'node:fs';
import { limits } from '../limits.ts';

const CHUNK_BYTES = 1 << 20;

/** Gives the lines in order, without those that are blank or too long to be read as rows. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    // One character more than allowed is kept of a longer line: memory stays bounded.
    rest = lines.pop()!.slice(0, limits.ingest.lineBytesMax + 1);
    yield* usable(lines);
  }
  yield* usable([rest + decoder.decode()]);
}

function* usable(lines: readonly string[]): Generator<string> {
  for (const line of lines) {
    const bare = line.replace(/\r$/, '');
    if (bare !== '' && bare.length <= limits.ingest.lineBytesMax) yield bare;
  }
}
