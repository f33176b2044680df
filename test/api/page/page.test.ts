/** `/` and the files of the page: the policy, versions in addresses, and the size of all. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KEPT_FILES, keptText } from '../../../src/api/page/kept-files.ts';
import { readModules } from '../../../src/api/page/modules.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
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
  it('gives links to a program that accepts JSON and not HTML', async () => {
    const { json, headers } = await request('/', { headers: { Accept: 'application/json' } });
    expect(headers.get('Vary')).toContain('Accept');
    const { name, version, links } = json as Record<string, string> & {
      links: Record<string, string>;
    };
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

  it('come at once, and in their smallest form on later visits', async () => {
    const chart = (await namedFiles()).find((path) => path.endsWith('lightweight-charts.js'));
    const visit = async () => {
      const { text, headers } = await request(`/${chart}`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      return { text, bytes: Number(headers.get('Content-Length')) };
    };
    const text = keptText('lightweight-charts.js');
    const params = { [constants.BROTLI_PARAM_QUALITY]: limits.coding.levels.brSmallest };
    const smallest = brotliCompressSync(text, { params }).length;
    const first = await visit();
    expect(first.text).toBe(text);
    await expect.poll(async () => (await visit()).bytes, { timeout: 20_000 }).toBe(smallest);
    expect((await visit()).text).toBe(text);
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

const FIRST_VISIT_BYTES_MAX = 120_000;
const TOTAL_BYTES_MAX = 160_000;

it('has at most 120 kB at the first visit and 160 kB in all, as the package serves it', () => {
  const folder = freshFolder();
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'src/page'), '--outDir', folder]);
  const styles = join(root, 'src/page/style');
  const style = readdirSync(styles).map((name) => readFileSync(join(styles, name), 'utf8'));
  const files = [
    ...readModules().map(({ path, isLazy }) => {
      const built = join(folder, 'src', path.replace(/\.ts$/, '.js'));
      return { text: readFileSync(built, 'utf8'), isLazy };
    }),
    ...Object.keys(KEPT_FILES).map((name) => {
      return { text: keptText(name), isLazy: name === 'uplot.js' };
    }),
    { text: style.join('\n'), isLazy: false },
  ];
  const params = { [constants.BROTLI_PARAM_QUALITY]: limits.coding.levels.brSmallest };
  const bytesOf = (listed: typeof files) =>
    listed.reduce((sum, { text }) => sum + brotliCompressSync(text, { params }).length, 0);
  const first = bytesOf(files.filter(({ isLazy }) => !isLazy));
  expect(first).toBeLessThan(FIRST_VISIT_BYTES_MAX);
  expect(first).toBeGreaterThan(FIRST_VISIT_BYTES_MAX / 2);
  expect(bytesOf(files)).toBeLessThan(TOTAL_BYTES_MAX);
});
