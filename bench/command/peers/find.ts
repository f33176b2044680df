/** Finds the peers that a run names, and lists the missing ones. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../../src/base/errors.ts';
import { nearestName } from '../../../src/base/nearest-name.ts';
import { quoted } from '../../../src/base/quoted.ts';
import { existsSync } from '../../../src/base/world/files.ts';
import type { MissingPeer } from '../report/document.ts';
import { commandDriver } from './command.ts';
import type { FoundPeers, PeerData, PeerDriver } from './driver.ts';
import { inProcessDriver } from './in-process.ts';
import { NPM_PEERS, npmPeer } from './npm.ts';
import type { PeerModule } from './peer.ts';
import { PYTHON_PEERS, pythonDrivers } from './python.ts';

/** Exports of the module, and their kinds. The first two are required. */
const EXPORTS = {
  name: 'string',
  indicator: 'function',
  version: 'string',
  description: 'string',
  prepare: 'function',
} as const;

/** @throws {UsageError} The file does not exist, or lacks an export. */
async function peerFromFile(path: string): Promise<PeerModule> {
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

export interface PeerOptions {
  /** Names of libraries; undefined for all of npm, and those of Python if it is given. */
  peers?: readonly string[] | undefined;
  /** Interpreter of the Python libraries. */
  python?: string | undefined;
  /** Modules of own peers. */
  files: readonly string[];
  /** Commands of own peers. */
  commands: readonly string[];
  /** Folder from which npm packages are resolved. */
  folder: string;
}

const ALL_PEERS: readonly string[] = [...NPM_PEERS, ...PYTHON_PEERS];

/** @throws {UsageError} A library is not known, or an own peer can't be started. */
export async function findPeers(options: PeerOptions, data: PeerData): Promise<FoundPeers> {
  const { python, files, commands, folder } = options;
  const names = options.peers ?? (python === undefined ? NPM_PEERS : ALL_PEERS);
  const unknown = names.find((name) => !ALL_PEERS.includes(name));
  if (unknown !== undefined) throw unknownPeer(unknown);
  const drivers: PeerDriver[] = [];
  const missing: MissingPeer[] = [];
  try {
    for (const name of names.filter((one) => NPM_PEERS.includes(one))) {
      const module = await npmPeer(name, folder);
      if (module) drivers.push(inProcessDriver(module, data));
      else missing.push({ name, install: `npm install ${name}` });
    }
    const inPython = PYTHON_PEERS.filter((name) => names.includes(name));
    if (python !== undefined && inPython.length > 0) {
      drivers.push(...(await pythonDrivers(python, inPython, data)));
    }
    const found = drivers.map(({ program }) => program.name);
    for (const name of inPython.filter((one) => !found.includes(one))) {
      missing.push({ name, install: installInPython(name, python) });
    }
    for (const path of files) drivers.push(inProcessDriver(await peerFromFile(path), data));
    for (const command of commands) drivers.push(commandDriver(command, data));
    return { drivers, missing };
  } catch (error) {
    await closePeers(drivers);
    throw error;
  }
}

export async function closePeers(drivers: readonly PeerDriver[]): Promise<void> {
  await Promise.all(drivers.map((driver) => driver.close()));
}

function installInPython(name: string, python: string | undefined): string {
  if (python !== undefined) return `${python} -m pip install ${name}`;
  return `python3 -m venv .venv && .venv/bin/pip install ${name}, then --python .venv/bin/python`;
}

function unknownPeer(name: string): UsageError {
  const nearest = nearestName(name, ALL_PEERS);
  const hint = nearest === undefined ? '' : `did you mean ${nearest}? `;
  return new UsageError(
    `--peers has no driver for ${quoted(name)}: ${hint}Known are ${ALL_PEERS.join(', ')}; ` +
      '--peer and --peer-command add others',
  );
}
