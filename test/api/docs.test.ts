import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { candlesParameters } from '../../src/api/candles-query.ts';
import { corporateActionsParameters } from '../../src/api/corporate-actions.ts';
import { ERROR_TYPES } from '../../src/api/error-types.ts';
import { FORMATS, MEDIA_TYPES } from '../../src/api/format.ts';
import { quoteBatchParameters, quoteParameters } from '../../src/api/quotes.ts';
import { ROUTE_SCOPES, scopeOfRoute } from '../../src/api/route-scopes.ts';
import { screenerParameters } from '../../src/api/screener-query.ts';
import { symbolsParameters } from '../../src/api/symbols.ts';
import { technicalParameters } from '../../src/api/technical-query.ts';
import { indicatorCatalogue } from '../../src/compute/catalogue.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

/** The page's part on one route, up to the next heading. */
function sectionOf(route: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(route)) ?? '';
}

describe('docs/api.md', () => {
  it.each(Object.entries(ROUTE_SCOPES))('documents %s with its scope', (route, scope) => {
    expect(sectionOf(route)).toContain(`\`${scope}\``);
  });

  it.each([
    ['GET /svc/technical/{symbol}', technicalParameters],
    ['GET /svc/candles', candlesParameters],
    ['GET /svc/quotes/{symbol}', quoteParameters],
    ['GET /svc/quotes/batch', quoteBatchParameters],
    ['GET /svc/screener', screenerParameters],
    ['GET /svc/symbols', symbolsParameters],
    ['GET /svc/corporate-actions/{symbol}', corporateActionsParameters],
  ])('documents every parameter of %s', (route, { shape }) => {
    const section = sectionOf(route);
    const missing = Object.keys(shape).filter((name) => !section.includes(name));
    expect(missing).toEqual([]);
  });

  it('documents every error type with its statuses, every format and indicator', () => {
    for (const [type, { statuses }] of Object.entries(ERROR_TYPES)) {
      expect(page).toContain(`| \`${type}\` | ${statuses.join(', ')}`);
    }
    for (const format of FORMATS) {
      expect(page).toContain(format);
      if (format !== 'json') expect(page).toContain(MEDIA_TYPES[format]);
    }
    for (const { name } of indicatorCatalogue) expect(page).toContain(`\`${name}\``);
  });
});

it('a route without a declared scope stops the start', () => {
  expect(() => scopeOfRoute('/svc/secrets')).toThrow('"GET /svc/secrets" declares its scope');
});
