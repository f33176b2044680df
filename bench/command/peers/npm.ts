/** Libraries from npm, resolved from the folder in which the command runs. */

import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFileSync } from '../../../src/base/world/files.ts';
import type { PeerModule } from './peer.ts';

type Load = (library: never) => Promise<PeerModule>;

/** Drivers by the name of their package. */
const drivers: Readonly<Record<string, Load>> = {
  '@ixjb94/indicators': async (library) => (await import('./ixjb94.ts')).ixjb94(library),
  indicatorts: async (library) => (await import('./indicatorts.ts')).indicatorts(library),
  'trading-signals': async (library) =>
    (await import('./trading-signals.ts')).tradingSignals(library),
  technicalindicators: async (library) =>
    (await import('./technicalindicators.ts')).technicalindicators(library),
};

export const NPM_PEERS = Object.keys(drivers);

/** Loads a library. @returns undefined if the folder does not have it. */
export async function npmPeer(name: string, folder: string): Promise<PeerModule | undefined> {
  const parent = pathToFileURL(join(folder, 'package.json')).href;
  let manifest: string | undefined;
  try {
    manifest = findPackageJSON(name, parent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  if (manifest === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { ...(await drivers[name]((await importFrom(name, parent)) as never)), version };
}

/** Imports a package as a file of another folder would. */
async function importFrom(name: string, parent: string): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name && context.parentURL === import.meta.url
        ? next(specifier, { ...context, parentURL: parent })
        : next(specifier, context),
  });
  try {
    return await import(name);
  } finally {
    hooks.deregister();
  }
}
