/** Zips like the SEC's nightly ones, of any number of companies, out of copies of real files. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

export interface Member {
  name: string;
  text: string;
}

/** Sizes of a local and a central header without the name. */
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;

/** @returns bytes of the members, unpacked. */
export function writeZip(path: string, members: Iterable<Member>): number {
  const file = openSync(path, 'w');
  const centrals: Buffer[] = [];
  let offset = 0;
  let bytes = 0;
  for (const { name, text } of members) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content, { level: 6 });
    const fields = Buffer.alloc(LOCAL_BYTES - 4);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(CENTRAL_BYTES);
    central.writeUInt32LE(0x02014b50, 0);
    fields.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    centrals.push(central, Buffer.from(name));
    for (const part of [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]) {
      writeSync(file, part);
      offset += part.length;
    }
    bytes += content.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(centrals.length / 2, 8);
  end.writeUInt16LE(centrals.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  writeSync(file, Buffer.concat([directory, end]));
  closeSync(file);
  return bytes;
}
