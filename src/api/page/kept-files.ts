/** The modules of kept packages that the page loads, under names without versions. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/** The folder that has `src` or `dist`. */
const CHECKOUT = new URL(
  import.meta.url.endsWith('.ts') ? '../../../' : '../../../../',
  import.meta.url,
);

const SOURCE_MAP = /\n?\/\/# sourceMappingURL=.*\s*$/;

/** Path of the file in a checkout. */
export function keptPath(name: string): string {
  return fileURLToPath(new URL(`node_modules/${KEPT_FILES[name].path}`, CHECKOUT));
}

/** The built package has the files beside this one; a checkout has them in development packages. */
export function keptText(name: string): string {
  const copied = fileURLToPath(new URL(`./kept/${name}`, import.meta.url));
  const path = existsSync(copied) ? copied : keptPath(name);
  return readFileSync(path, 'utf8').replace(SOURCE_MAP, '');
}
