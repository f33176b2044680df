/** A peer from a module of `--peer FILE`. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { existsSync } from '../../base/world/files.ts';
import type { PeerModule } from './peer.ts';

/** Exports of the module, and their kinds. The first two are required. */
const EXPORTS = {
  name: 'string',
  indicator: 'function',
  version: 'string',
  description: 'string',
  prepare: 'function',
} as const;

/** @throws {UsageError} The file does not exist, or lacks an export. */
export async function peerFromFile(path: string): Promise<PeerModule> {
  if (!existsSync(path))
    throw new UsageError(`--peer must be a file, ${quoted(path)} does not exist`);
  const module = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  for (const [name, kind] of Object.entries(EXPORTS)) {
    const isRequired = name === 'name' || name === 'indicator';
    if (module[name] === undefined && !isRequired) continue;
    if (typeof module[name] !== kind) {
      throw new UsageError(`--peer ${quoted(path)} must export ${name} as a ${kind}`);
    }
  }
  return module as unknown as PeerModule;
}
