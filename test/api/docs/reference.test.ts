/** `/docs` and the pages of errors: served from here, and closed to everything outside. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ERROR_TYPES } from '../../../src/api/http/error-types.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

const fixture = useFixtureServer();
const request = (path: string, options?: RequestInit) => fixture.server.request(path, options);

/** Values of an attribute in their order. */
function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map((match) => match[1]);
}

/** Returns the sources that a page may load, by directive. */
function policyOf({ headers }: Reply): Record<string, string> {
  const directives = (headers.get('Content-Security-Policy') ?? '').split('; ');
  return Object.fromEntries(
    directives.map((text) => [text.split(' ')[0], text.split(' ').slice(1).join(' ')]),
  );
}

const CLOSED = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

describe('/docs', () => {
  it.each([
    ['/docs/', '../docs'],
    ['/docs/?a=1', '../docs'],
  ])('is where %s leads', async (path, location) => {
    const { status, headers } = await request(path, { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([302, location]);
  });

  it('needs no key, and neither do its files; all are 304 for their ETag', async () => {
    const page = await request('/docs');
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const files = [...attributes(page.text, 'href'), ...attributes(page.text, 'src')];
    for (const path of ['/docs', ...files.filter((href) => href !== 'data:,')]) {
      const { status, headers } = await request(new URL(path, 'http://a/').pathname);
      expect([path, status]).toEqual([path, 200]);
      const again = await request(new URL(path, 'http://a/').pathname, {
        headers: { 'If-None-Match': headers.get('ETag') ?? '' },
      });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  it('has no other files', async () => {
    for (const path of ['/docs/package.json', '/docs/toString', '/docs/..%2fpackage.json']) {
      expect([path, (await request(path)).status]).toEqual([path, 404]);
    }
  });

  it('may load from this server alone, and runs no script that stands in the page', async () => {
    const page = await request('/docs');
    expect(policyOf(page)).toEqual({
      ...CLOSED,
      'style-src': "'self' 'unsafe-inline'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'img-src': "'self' data:",
    });
    expect(page.text).not.toMatch(/<script>|<style>|\son\w+=|https?:/);
    expect(page.headers.get('Server')).toBeNull();
  });
});

describe.each(Object.entries(ERROR_TYPES))('/docs/errors/%s', (type, { statuses, title }) => {
  it('explains the type, and leads to the reference', async () => {
    const reply = await request(`/docs/errors/${type}`);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain(`<code>${type}</code>, HTTP status ${statuses.join(', ')}`);
    expect(reply.text).toContain(`<h1>${title}</h1>`);
    expect(attributes(reply.text, 'href')).toContain('/docs');
    const style = /<style>([\s\S]*?)<\/style>/.exec(reply.text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const own = { 'style-src': `'sha256-${hash}'`, 'img-src': 'data:' };
    expect(policyOf(reply)).toEqual({ ...CLOSED, ...own });
  });
});

describe('docs_url', () => {
  it('leads to the page of the type', async () => {
    const { json } = await fixture.server.get('/v1/svc/quotes/ZZZ');
    const { docs_url } = (json as { error: { docs_url: string } }).error;
    expect(docs_url).toBe(`${fixture.server.address}/docs/errors/not_found_error`);
    expect((await fetch(docs_url)).status).toBe(200);
  });

  it('has no page for other words', async () => {
    expect((await request('/docs/errors/toString')).status).toBe(404);
  });
});
