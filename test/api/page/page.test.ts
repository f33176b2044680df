/** `/` and the files of the page: the policy, versions in addresses, and the size of all. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { packPage } from '../../../.ci/pack-page.ts';
import { chosenCoding } from '../../../src/api/http/coding.ts';
import { type Assets, readAssets } from '../../../src/api/page/assets.ts';
import { readModules } from '../../../src/api/page/modules.ts';
import { sharedFolder } from '../../support/folders.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const FIRST_VISIT_BYTES_MAX = 100_000;
const TOTAL_BYTES_MAX = 150_000;
const fixture = useFixtureServer();
const request = (path: string, options?: RequestInit) => fixture.server.request(path, options);

/** Files that the document names: style, scripts and modules. */
async function namedFiles(): Promise<string[]> {
  const { text } = await request('/');
  const map = /<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '{}';
  const imports = Object.values((JSON.parse(map) as { imports: Record<string, string> }).imports);
  const linked = [...text.matchAll(/(?:href|src)="(app\/[^"]+)"/g)].map(([, path]) => path);
  return [...new Set([...linked, ...imports.map((path) => path.slice(2))])];
}

describe('/', () => {
  it('gives links and the state of the data to a program that accepts JSON and not HTML', async () => {
    const { json, headers } = await request('/', { headers: { Accept: 'application/json' } });
    expect(headers.get('Vary')).toContain('Accept');
    expect(headers.get('Cache-Control')).toBe('no-store');
    const { name, version, links, ...data } = json as Record<string, string> & {
      links: Record<string, string>;
    };
    const { modes, newestBars } = (await request('/readyz')).json as Record<string, unknown>;
    expect(data).toEqual({ modes, newestBars });
    expect([name, version]).toEqual(['Tapeworks', '1.0.0']);
    for (const path of Object.values(links)) {
      const { status } = await request(new URL(path, 'http://a/').pathname);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it.each(['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html, application/json', '*/*', ''])(
    'gives the page for Accept "%s"',
    async (accept) => {
      const { headers, text } = await request('/', { headers: { Accept: accept } });
      expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('<title>Tapeworks</title>');
      const held = { Accept: accept, 'If-None-Match': headers.get('ETag') ?? '' };
      expect((await request('/', { headers: held })).status).toBe(304);
    },
  );

  it('allows this server and the import map by its hash, and no other script', async () => {
    const { headers, text } = await request('/');
    const map = /<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(map).digest('base64');
    expect(headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|https:/);
  });
});

describe('files of the page', () => {
  it('are kept for a year, compressed, as scripts and a style', async () => {
    const files = await namedFiles();
    expect(files.length).toBeGreaterThan(20);
    for (const path of files) {
      const { status, headers } = await request(`/${path}`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([path, status, headers.get('Content-Type')]).toEqual([
        path,
        200,
        `${type}; charset=utf-8`,
      ]);
      expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('are 404 under another version, outside of the page and for files that nothing imports', async () => {
    const [style] = await namedFiles();
    const folder = style.slice(0, style.lastIndexOf('/') + 1);
    const absent = [
      `/app/0000000000000000/${style.split('/').pop()}`,
      `/${folder}page/README.md`,
      `/${folder}base/limits.ts`,
      `/${folder}..%2f..%2fpackage.json`,
      `/${folder}toString`,
      '/app/',
    ];
    for (const path of absent) expect([path, (await request(path)).status]).toEqual([path, 404]);
  });
});

it('imports nothing that runs only on the server', () => {
  for (const { path, text } of readModules()) {
    expect([path, /from 'node:|\bprocess\.|\bBuffer\b/.test(text)]).toEqual([path, false]);
  }
});

describe('files of the built package', () => {
  const root = pathToFileURL(`${sharedFolder()}/src/`);

  beforeAll(() => {
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    const out = fileURLToPath(new URL('..', root));
    execFileSync(process.execPath, [tsc, '-p', join(checkout, 'src/page'), '--outDir', out]);
    packPage(root);
  });

  const namesOf = ({ folder, preloaded, imports }: Assets) => [
    ...preloaded.map((path) => path.slice(folder.length)),
    ...Object.values(imports).map((path) => path.slice(folder.length + './'.length)),
    'page.css',
  ];

  it("have the checkout's names and brotli's forms of the same text", () => {
    const [packed, plain] = [readAssets(root), readAssets()];
    const asBuilt = (names: string[]) => names.map((name) => name.replace(/\.ts$/, '.js'));
    expect(namesOf(packed)).toEqual(asBuilt(namesOf(plain)));
    expect(packed.entry).toBe(`${packed.folder}page/main.js`);
    for (const name of namesOf(packed)) {
      const file = packed.file(name)!;
      const { body, kept } = file;
      const coded = kept!.forms.get('br') as Buffer;
      // Short files too.
      expect([name, chosenCoding(file, 'gzip, br')]).toEqual([name, 'br']);
      expect([name, brotliDecompressSync(coded).equals(body as Buffer)]).toEqual([name, true]);
    }
  });

  it('name the licence of a package that asks for it', () => {
    const { body } = readAssets(root).file('kept/lightweight-charts.js')!;
    expect(String(body)).toMatch(/@license\s+\* TradingView Lightweight Charts/);
  });

  it('have another version when a byte of one changes', () => {
    const style = new URL('page/style/page.css', root);
    const text = readFileSync(style, 'utf8');
    const before = readAssets(root).folder;
    writeFileSync(style, `${text} `);
    expect(readAssets(root).folder).not.toBe(before);
    writeFileSync(style, text);
    expect(readAssets(root).folder).toBe(before);
  });

  it('have at most 100 kB at the first visit and 150 kB in all', () => {
    const packed = readAssets(root);
    const bytesOf = (names: string[]) =>
      names.reduce((sum, name) => {
        return sum + (packed.file(name)!.kept!.forms.get('br') as Buffer).length;
      }, 0);
    const first = namesOf(packed);
    const lazy = readModules(root).filter(({ isLazy }) => isLazy);
    const firstBytes = bytesOf(first);
    expect(firstBytes).toBeLessThan(FIRST_VISIT_BYTES_MAX);
    expect(firstBytes).toBeGreaterThan(FIRST_VISIT_BYTES_MAX / 2);
    const allBytes = firstBytes + bytesOf(lazy.map(({ path }) => path));
    expect(allBytes).toBeLessThan(TOTAL_BYTES_MAX);
  });
});
