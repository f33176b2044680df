import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newAccountBody } from '../../src/api/accounts.ts';
import { ratingsParameters, targetsParameters } from '../../src/api/analysts.ts';
import { candlesParameters } from '../../src/api/candles-query.ts';
import { corporateActionsParameters } from '../../src/api/corporate-actions.ts';
import { earningsParameters } from '../../src/api/earnings.ts';
import { ERROR_TYPES } from '../../src/api/error-types.ts';
import { FORMATS, MEDIA_TYPES } from '../../src/api/format.ts';
import { fundamentalsParameters } from '../../src/api/fundamentals.ts';
import { insiderParameters } from '../../src/api/insider.ts';
import { newKeyBody } from '../../src/api/keys.ts';
import { listParameters } from '../../src/api/list-answer.ts';
import { newsParameters } from '../../src/api/news.ts';
import { expirationsParameters } from '../../src/api/options.ts';
import { quoteBatchParameters, quoteParameters } from '../../src/api/quotes.ts';
import { accessOfRoute, ROUTE_ACCESS } from '../../src/api/route-access.ts';
import { screenerParameters } from '../../src/api/screener-query.ts';
import { symbolsParameters } from '../../src/api/symbols.ts';
import { technicalParameters } from '../../src/api/technical-query.ts';
import { accountUsageParameters, usageParameters } from '../../src/api/usage.ts';
import { indicatorCatalogue } from '../../src/compute/catalogue.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

/** The page's part on one route, up to the next heading. */
function sectionOf(route: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(route)) ?? '';
}

describe('docs/api.md', () => {
  it.each(Object.entries(ROUTE_ACCESS))('lists %s with scope and tokens', (route, access) => {
    const tokens = `${access.tokens}${access.perSymbol ? ' a symbol' : ''}`;
    expect(sectionOf('Routes')).toContain(`| \`${route}\` | \`${access.scope}\` | ${tokens} |`);
  });

  it.each(Object.entries(ROUTE_ACCESS))('documents %s with its scope', (route, { scope }) => {
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
    ['GET /svc/developer/keys', listParameters],
    ['POST /svc/developer/keys', newKeyBody],
    ['GET /svc/developer/usage/daily', usageParameters],
    ['GET /svc/accounts', listParameters],
    ['POST /svc/accounts', newAccountBody],
    ['GET /svc/accounts/usage/daily', accountUsageParameters],
    ['GET /svc/fundamentals/{symbol}/statements', fundamentalsParameters],
    ['GET /svc/fundamentals/{symbol}/balance-sheet', fundamentalsParameters],
    ['GET /svc/insider/{symbol}', insiderParameters],
    ['GET /svc/news', newsParameters],
    ['GET /svc/news/{symbol}', newsParameters],
    ['GET /svc/analyst-targets/{symbol}', targetsParameters],
    ['GET /svc/upgrades-downgrades/{symbol}', ratingsParameters],
    ['GET /svc/options/{symbol}/expirations', expirationsParameters],
    ['GET /svc/earnings/calendar', earningsParameters],
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

it('a route without a declaration stops the start', () => {
  expect(() => accessOfRoute('GET /svc/secrets')).toThrow('"GET /svc/secrets" declares its scope');
});
