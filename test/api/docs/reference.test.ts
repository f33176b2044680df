/** `/docs` and the pages of errors: complete, and closed to everything outside. */

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TYPES } from '../../../src/api/http/error-types.ts';
import { type ApiDescription, readApiDescription } from '../support/api-description.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

const fixture = useFixtureServer();
let description: ApiDescription;
let page: Reply;

beforeAll(async () => {
  description = await readApiDescription(fixture.server);
  page = await fixture.server.request('/docs');
});

/** Values of an attribute, wherever it stands. */
function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map((match) => match[1]);
}

/** Returns the sources that a page may load, by directive. */
function policyOf({ headers }: Reply): Map<string, string> {
  const directives = (headers.get('Content-Security-Policy') ?? '').split('; ');
  return new Map(
    directives.map((text) => [text.split(' ')[0], text.split(' ').slice(1).join(' ')]),
  );
}

function hashOf(html: string, element: 'style' | 'script'): string {
  const text = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html)?.[1] ?? '';
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

describe('/', () => {
  it('leads to the documentation', async () => {
    const { status, headers } = await fixture.server.request('/', { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([302, 'docs']);
  });
});

describe('/docs', () => {
  it('is a page that needs no key and may be kept', async () => {
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const etag = page.headers.get('ETag') ?? '';
    const again = await fixture.server.request('/docs', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  it('has every operation with its path, scope, parameters, statuses and snippets', () => {
    for (const { path, operation } of description.operations) {
      const article = page.text.split(`<article id="${operation.operationId}"`)[1] ?? '';
      const text = article.split('</article>')[0];
      expect(text).toContain(path);
      for (const [scope] of operation.security.map((either) => Object.values(either)[0])) {
        expect(text).toContain(`<code>${scope}</code>`);
      }
      for (const { name } of description.parameters(operation)) {
        expect(text).toContain(`<code>${name}</code>`);
      }
      for (const status of Object.keys(operation.responses)) expect(text).toContain(status);
      const languages = attributes(text, 'data-language');
      expect(languages).toEqual(['curl', 'javascript', 'python']);
    }
  });

  it('leads nowhere that does not exist', async () => {
    const ids = attributes(page.text, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...new Set(attributes(page.text, 'href'))].filter((href) => href !== 'data:,');
    for (const href of links) {
      if (href.startsWith('#')) expect(ids).toContain(href.slice(1));
      else expect((await fixture.server.request(href)).status).toBe(200);
    }
  });

  it('loads nothing: its policy allows its own style and script alone', () => {
    expect(attributes(page.text, 'src')).toEqual([]);
    expect(page.text).not.toMatch(
      /@import|url\(|https?:\/\/(?!127\.0\.0\.1|[\w.]*\.invalid|example\.)/,
    );
    expect(Object.fromEntries(policyOf(page))).toEqual({
      'default-src': "'none'",
      'style-src': hashOf(page.text, 'style'),
      'script-src': hashOf(page.text, 'script'),
      'img-src': 'data:',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(page.text).not.toMatch(/\son\w+=|\sstyle=/);
  });

  it('shows no version of the software', () => {
    expect(page.text).not.toMatch(/express|node(\.js)?\s*\d/i);
    expect(page.headers.get('Server')).toBeNull();
  });

  it('has snippets for the address that the reader used', async () => {
    const other = await fixture.server.request('/docs', {
      headers: { 'X-Forwarded-Proto': 'https' },
    });
    const { host } = new URL(fixture.server.address);
    expect(other.text).toContain(`https://${host}/v1/svc/quotes/QXAA`);
    expect(page.text).toContain(`http://${host}/v1/svc/quotes/QXAA`);
    expect(page.text).not.toContain('origin.invalid');
  });
});

describe.each(Object.entries(ERROR_TYPES))('/docs/errors/%s', (type, { statuses, title }) => {
  it('explains the type, and leads to the reference', async () => {
    const reply = await fixture.server.request(`/docs/errors/${type}`);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain(`<code>${type}</code>, HTTP status ${statuses.join(', ')}`);
    expect(reply.text).toContain(title.slice(0, 10));
    expect(attributes(reply.text, 'href')).toContain('/docs#errors');
    expect(policyOf(reply).get('style-src')).toBe(hashOf(reply.text, 'style'));
    expect(policyOf(reply).has('script-src')).toBe(false);
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
    expect((await fixture.server.request('/docs/errors/toString')).status).toBe(404);
  });
});
