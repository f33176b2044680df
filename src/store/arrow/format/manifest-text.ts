/**
 * Text of a manifest, most of which may be recent versions. They are parsed only when needed: with
 * one publish per second there are hundreds, and every reader reads every manifest.
 */

import { crc32 } from 'node:zlib';
import type { Manifest, RecentVersion } from './manifest-types.ts';

/** Precedes the recent versions, the last part before the checksum of everything before it. */
const RECENT = ',"recent":';
const CHECKSUM = ',"crc32":';

const recentTexts = new WeakMap<Manifest, Buffer>();

export function textFromManifest({ recent, ...rest }: Manifest): string {
  const text = JSON.stringify({ ...rest, recent });
  return `${text.slice(0, -1)}${CHECKSUM}${crc32(text)}}`;
}

/**
 * @returns Undefined if the bytes do not match their checksum.
 * @throws {SyntaxError} They are not JSON.
 */
export function manifestFromText(bytes: Buffer): Manifest | undefined {
  const end = bytes.lastIndexOf(CHECKSUM);
  if (end < 0) throw new SyntaxError('a manifest ends with its checksum');
  const { crc32: stored } = JSON.parse(`{${bytes.toString('utf8', end + 1)}`);
  if (stored !== crc32('}', crc32(bytes.subarray(0, end)))) return undefined;
  const start = bytes.indexOf(RECENT);
  const manifest = JSON.parse(`${bytes.toString('utf8', 0, start < 0 ? end : start)}}`);
  if (start < 0) return manifest;
  const text = bytes.subarray(start + RECENT.length, end);
  let recent: RecentVersion[] | undefined;
  const get = () => {
    recent ??= JSON.parse(text.toString('utf8'));
    return recent;
  };
  Object.defineProperty(manifest, 'recent', { get, enumerable: true });
  recentTexts.set(manifest, text);
  return manifest;
}

/** Returns the recent version with an id, without parsing the others. */
export function recentVersionOf(manifest: Manifest, id: string): RecentVersion | undefined {
  const text = recentTexts.get(manifest);
  if (!text) return manifest.recent.find((version) => version.id === id);
  // No other object in the text begins with an id.
  const start = text.indexOf(`{"id":${JSON.stringify(id)},`);
  if (start < 0) return undefined;
  const next = text.indexOf(',{"id":', start);
  return JSON.parse(text.toString('utf8', start, next < 0 ? text.length - 1 : next));
}
