/**
 * Minifies the page's files in a built package and puts brotli's forms beside them.
 *
 * Modules stay files of their own, under the same addresses. A checkout serves its sources.
 */

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { minifySync } from 'rolldown/utils';
import { styleText } from '../src/api/page/assets.ts';
import { KEPT_FILES, keptText } from '../src/api/page/kept-files.ts';
import { LIST, readModules } from '../src/api/page/modules.ts';

/** Packages whose licences come along. */
const LICENSED = ['lightweight-charts', 'preact', 'htm'];

function writeBoth(file: URL, text: string): void {
  writeFileSync(file, text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  writeFileSync(new URL(`${file}.br`), brotliCompressSync(text, { params }));
}

function minified(name: string, text: string): string {
  const { code, errors } = minifySync(name, text, {
    module: true,
    codegen: { legalComments: 'inline' },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}

/** Removes comments and indents. Line ends stay, so that no space between selectors is lost. */
function shortened(style: string): string {
  return style.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s*\n\s*/g, '\n');
}

/**
 * @param root `src` of the built package, with its compiled modules.
 * @throws {Error} A module does not parse.
 */
export function packPage(root: URL): void {
  const modules = readModules().map(({ path, isLazy }) => {
    return { path: path.replace(/\.ts$/, '.js'), isLazy };
  });
  for (const { path } of modules) {
    const file = new URL(path, root);
    writeBoth(file, minified(path, readFileSync(file, 'utf8')));
  }
  const kept = new URL('api/page/kept/', root);
  mkdirSync(kept, { recursive: true });
  for (const name of Object.keys(KEPT_FILES)) {
    writeBoth(new URL(name, kept), minified(name, keptText(name)));
  }
  for (const name of LICENSED) {
    const license = new URL(`../node_modules/${name}/LICENSE`, import.meta.url);
    copyFileSync(license, new URL(`${name}-LICENSE`, kept));
  }
  const style = new URL('page/style/', root);
  rmSync(style, { recursive: true, force: true });
  mkdirSync(style);
  writeBoth(new URL('page.css', style), shortened(styleText()));
  writeFileSync(new URL(LIST, root), JSON.stringify(modules));
}

if (import.meta.main) packPage(new URL('../dist/src/', import.meta.url));
