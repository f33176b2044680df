/** All files of the page under one version, which changes with any of their bytes. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ApiResponse, createResponse } from '../http/response.ts';
import { KEPT_FILES, keptText } from './kept-files.ts';
import { ENTRY, type PageModule, readModules, scriptText } from './modules.ts';

const STYLES = new URL('../../page/style/', import.meta.url);
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Lets browsers keep a file for a year: its address has the version. */
const LASTING = ['Cache-Control', 'public, max-age=31536000, immutable'];

export interface Assets {
  /** Folder of all files, relative to the page: `app/1f0c…/`. */
  folder: string;
  entry: string;
  /** Modules that the entry imports, directly or not, dynamic imports excepted. */
  preloaded: readonly string[];
  /** Addresses by specifier. */
  imports: Readonly<Record<string, string>>;
  /** Returns undefined if there is no such file. */
  file(name: string): ApiResponse | undefined;
}

function styleText(): string {
  const names = readdirSync(fileURLToPath(STYLES)).filter((name) => name.endsWith('.css'));
  const own = names.sort().map((name) => readFileSync(new URL(name, STYLES), 'utf8'));
  return own.join('\n');
}

/** Reads all files, some 20 ms, and strips types of a module at the first request for it. */
export function readAssets(): Assets {
  const modules = readModules();
  const style = styleText();
  const kept = new Map(Object.keys(KEPT_FILES).map((name) => [`kept/${name}`, keptText(name)]));
  const hash = createHash('sha256').update(style);
  for (const { path, text } of modules) hash.update(path).update(text);
  for (const [name, text] of kept) hash.update(name).update(text);
  const folder = `app/${hash.digest('hex').slice(0, 16)}/`;
  const byPath = new Map<string, PageModule>(modules.map((module) => [module.path, module]));
  const made = new Map<string, ApiResponse>();
  const textOf = (name: string): string | undefined => {
    const module = byPath.get(name);
    if (module) return scriptText(module);
    return name === 'page.css' ? style : kept.get(name);
  };
  return {
    folder,
    entry: `${folder}${ENTRY}`,
    preloaded: modules.filter(({ isLazy }) => !isLazy).map(({ path }) => folder + path),
    imports: Object.fromEntries(
      Object.entries(KEPT_FILES).map(([name, { specifier }]) => [
        specifier,
        `./${folder}kept/${name}`,
      ]),
    ),
    file(name) {
      let response = made.get(name);
      const text = response ? undefined : textOf(name);
      if (text === undefined) return response;
      const type = name.endsWith('.css') ? STYLE : SCRIPT;
      response = createResponse(200, type, Buffer.from(text), LASTING);
      response.kept = { forms: new Map(), smallest: new Set() };
      made.set(name, response);
      return response;
    },
  };
}
