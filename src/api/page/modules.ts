/** The modules of the page: its entry and all that it imports, found by following the imports. */

import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** `src`, or `dist/src` in the built package. */
const ROOT = new URL('../../', import.meta.url);

/** A checkout serves its TypeScript without the types; the built package has JavaScript. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

export const ENTRY = `page/main${EXTENSION}`;

/** Imports that remain when types are stripped; the second form is a dynamic import. */
const IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

export interface PageModule {
  /** Path below `src`. */
  path: string;
  text: string;
  /** True if only a dynamic import leads to it, so that the page does not preload it. */
  isLazy: boolean;
}

/** Reads the page's modules, the entry first. */
export function readModules(): PageModule[] {
  const found = new Map<string, PageModule>();
  const add = (path: string, isLazy: boolean): void => {
    const known = found.get(path);
    if (known && (isLazy || !known.isLazy)) return;
    const text = known?.text ?? readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');
    found.set(path, { path, text, isLazy });
    for (const [, direct, dynamic] of text.matchAll(IMPORT)) {
      const target = new URL(direct ?? dynamic, new URL(path, 'module:/')).pathname.slice(1);
      add(target, isLazy || direct === undefined);
    }
  };
  add(ENTRY, false);
  return [...found.values()];
}

/** Returns a module as browsers read it. */
export function scriptText({ path, text }: PageModule): string {
  return path.endsWith('.ts') ? withoutTypes(text) : text;
}

/** Node warns once that the function may change. The pinned runtime makes that harmless. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return nodeModule.stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
