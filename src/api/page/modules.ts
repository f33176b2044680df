/** The modules of the page: its entry and all that it imports, found by following the imports. */

import { stripTypeScriptTypes } from 'node:module';
import { existsSync, readFileSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';

/** `src`, or `dist/src` in the built package. */
export const ROOT = new URL('../../', import.meta.url);

/** The list that `.ci/pack-page.ts` leaves in the built package, whose modules are minified. */
export const LIST = 'page/modules.json';

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

/**
 * Reads the page's modules, the entry first.
 *
 * @param root A checkout's `src`, or `src` of a built package.
 */
export function readModules(root = ROOT): PageModule[] {
  const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
  if (existsSync(new URL(LIST, root))) {
    const listed = JSON.parse(textOf(LIST)) as Omit<PageModule, 'text'>[];
    return listed.map((module) => ({ ...module, text: textOf(module.path) }));
  }
  const found = new Map<string, PageModule>();
  const add = (path: string, isLazy: boolean): void => {
    const known = found.get(path);
    if (known && (isLazy || !known.isLazy)) return;
    const text = known?.text ?? textOf(path);
    found.set(path, { path, text, isLazy });
    for (const [, direct, dynamic] of text.matchAll(IMPORT)) {
      const target = new URL(direct ?? dynamic, new URL(path, 'module:/')).pathname.slice(1);
      add(target, isLazy || direct === undefined);
    }
  };
  add('page/main.ts', false);
  return [...found.values()];
}

/** Returns a module as browsers read it: a checkout's is TypeScript, and loses its types. */
export function scriptText({ path, text }: PageModule): string {
  return path.endsWith('.ts') ? withoutTypes(text) : text;
}

/** Node warns once that the function may change. The pinned runtime makes that harmless. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
