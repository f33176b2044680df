/** Builds zip files for tests, broken ones too. */

import { crc32, deflateRawSync } from 'node:zlib';

export interface TestMember {
  name: string;
  content: string | Buffer;
  /** Compressed unless false. */
  deflate?: boolean;
  /** Lies about the content: sizes or checksum of the directory. */
  declaredBytes?: number;
  declaredCrc?: number;
  encrypted?: boolean;
  method?: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;

export function zipOf(members: readonly TestMember[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const isDeflated = member.deflate !== false;
    const packed = isDeflated ? deflateRawSync(content) : content;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(VERSION, 0);
    fields.writeUInt16LE(member.encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(member.method ?? (isDeflated ? 8 : 0), 4);
    fields.writeUInt32LE(member.declaredCrc ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(member.declaredBytes ?? content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(member.name), 22);
    const name = Buffer.from(member.name);
    const local = Buffer.concat([uint32(LOCAL), fields, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([uint32(CENTRAL), uint16(VERSION), fields, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, uint32(END), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
