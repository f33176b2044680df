/** Pages about the API; `npx vitest run test/api/docs/docs.test.ts -u` writes `docs/routes.md` anew. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TYPES } from '../../../src/api/http/error-types.ts';
import { FORMATS, MEDIA_TYPES } from '../../../src/api/http/format.ts';
import { ROUTES, routeName } from '../../../src/api/routes/routes.ts';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { EVENT_TYPE_NAMES } from '../../../src/store/accounts/webhooks/event-record.ts';
import {
  type ApiDescription,
  type DescribedOperation,
  readApiDescription,
} from '../support/api-description.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

const fixture = useFixtureServer();
let description: ApiDescription;

beforeAll(async () => {
  description = await readApiDescription(fixture.server);
});

/** The page's part on one route, up to the next heading. */
function sectionOf(route: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${route}\n`)) ?? '';
}

describe('docs/api.md', () => {
  it.each(ROUTES.map((route) => [routeName(route), route.access] as const))(
    'documents %s with its scope',
    (route, { scope }) => {
      expect(sectionOf(route)).toContain(`\`${scope}\``);
    },
  );

  it.each(ROUTES.map(routeName))('names every parameter and field of %s', (route) => {
    const { operation } = description.operations.find(({ name }) => name === route)!;
    const inQuery = description.parameters(operation).filter((one) => one.in === 'query');
    const body = operation.requestBody?.content['application/json']?.schema;
    const { properties = {} } = body ? description.resolve(body) : {};
    const names = [...inQuery.map(({ name }) => name), ...Object.keys(properties as object)];
    expect(names.filter((name) => !sectionOf(route).includes(name))).toEqual([]);
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

it('docs/webhooks.md describes every type of event', () => {
  const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const missing = EVENT_TYPE_NAMES.filter((type) => !guide.includes(`| \`${type}\` |`));
  expect(missing).toEqual([]);
});

function rowOf({ name, operation }: DescribedOperation): string {
  const [scope] = Object.values(operation.security[0] ?? {})[0] ?? [];
  const each = operation['x-tokens-per'] === 'symbol' ? ' a symbol' : '';
  const tokens = scope ? `${operation['x-tokens']}${each}` : '';
  const statuses = Object.keys(operation.responses).join(', ');
  return `| \`${name}\` | ${scope ? `\`${scope}\`` : 'no key'} | ${tokens} | ${statuses} |`;
}

it('docs/routes.md lists every route with scope, tokens and statuses', async () => {
  const rows = description.operations.map(rowOf);
  const routes = `# Routes

Made from the API description; a test fails when it is stale. Paths are under \`/v1\`, apart from \`/healthz\` and \`/readyz\`. \`HEAD\` follows from \`GET\`, \`OPTIONS\` is 204, other methods are 405. [What they do](api.md).

| route | scope | tokens | statuses |
|---|---|---|---|
${rows.join('\n')}
`;
  await expect(routes).toMatchFileSnapshot('../../../docs/routes.md');
});
