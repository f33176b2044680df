/** The modules of kept packages that the page loads, under names without versions. */

import { existsSync, readFileSync } from '../../base/world/files.ts';
import { ROOT } from './modules.ts';

interface KeptFile {
  /** Path of the file in the checkout's development packages. */
  path: string;
  /** Specifier that modules import it by. */
  specifier: string;
}

export const KEPT_FILES: Readonly<Record<string, KeptFile>> = {
  'lightweight-charts.js': {
    path: 'lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
    specifier: 'lightweight-charts',
  },
  'preact.js': { path: 'preact/dist/preact.mjs', specifier: 'preact' },
  'preact-hooks.js': { path: 'preact/hooks/dist/hooks.mjs', specifier: 'preact/hooks' },
  'htm.js': { path: 'htm/dist/htm.module.js', specifier: 'htm' },
};

const SOURCE_MAP = /\n?\/\/# sourceMappingURL=.*\s*$/;

/** The built package has the files, minified; a checkout has them in development packages. */
export function keptFile(name: string, root = ROOT): URL {
  const packed = new URL(`api/page/kept/${name}`, root);
  return existsSync(packed) ? packed : new URL(`../node_modules/${KEPT_FILES[name].path}`, root);
}

export function keptText(name: string, root = ROOT): string {
  return readFileSync(keptFile(name, root), 'utf8').replace(SOURCE_MAP, '');
}
