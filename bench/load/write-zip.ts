/** Zips of any size, whose members are made one at a time as they are written. */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface Member {
  name: string;
  text(): string;
}

/** @returns bytes of the members, unpacked. */
export async function writeZip(path: string, members: Iterable<Member>): Promise<number> {
  const zip = new ZipFile();
  let bytes = 0;
  for (const { name, text } of members) {
    zip.addReadStreamLazy(name, (begin) => {
      const content = Buffer.from(text());
      bytes += content.length;
      begin(null, Readable.from([content]));
    });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return bytes;
}
