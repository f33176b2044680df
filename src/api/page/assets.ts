/** All files of the page under one version, which changes with any of their bytes. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from '../../base/world/files.ts';
import { type ApiResponse, createResponse } from '../http/response.ts';
import { KEPT_FILES, keptFile, keptText } from './kept-files.ts';
import { ROOT, readModules, scriptText } from './modules.ts';

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

/** Style sheets of the rooms in one text. The built package has one sheet, `page.css`. */
export function styleText(root = ROOT): string {
  const folder = new URL('page/style/', root);
  const names = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const own = names.sort().map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return own.join('\n');
}

interface Source {
  text: () => string;
  /** Address of the file; the built package has the compressed form beside it, with `.br` at its end. */
  url: URL;
}

/**
 * Reads all files, some 20 ms, and strips types of a module at the first request for it.
 *
 * @param root A checkout's `src`, or `src` of a built package.
 */
export function readAssets(root = ROOT): Assets {
  const modules = readModules(root);
  const style = styleText(root);
  const sources = new Map<string, Source>([
    ['page.css', { text: () => style, url: new URL('page/style/page.css', root) }],
  ]);
  const hash = createHash('sha256').update(style);
  for (const module of modules) {
    const { path, text } = module;
    hash.update(path).update(text);
    sources.set(path, { text: () => scriptText(module), url: new URL(path, root) });
  }
  for (const name of Object.keys(KEPT_FILES)) {
    const text = keptText(name, root);
    hash.update(name).update(text);
    sources.set(`kept/${name}`, { text: () => text, url: keptFile(name, root) });
  }
  const folder = `app/${hash.digest('hex').slice(0, 16)}/`;
  const made = new Map<string, ApiResponse>();
  return {
    folder,
    entry: folder + modules[0].path,
    preloaded: modules.filter(({ isLazy }) => !isLazy).map(({ path }) => folder + path),
    imports: Object.fromEntries(
      Object.entries(KEPT_FILES).map(([name, { specifier }]) => [
        specifier,
        `./${folder}kept/${name}`,
      ]),
    ),
    file(name) {
      let response = made.get(name);
      const source = sources.get(name);
      if (response || !source) return response;
      const type = name.endsWith('.css') ? STYLE : SCRIPT;
      response = createResponse(200, type, Buffer.from(source.text()), LASTING);
      response.kept = { forms: new Map() };
      const coded = new URL(`${source.url}.br`);
      if (existsSync(coded)) response.kept.forms.set('br', readFileSync(coded));
      made.set(name, response);
      return response;
    },
  };
}
