/** `docs/routes.md` follows from the API description; `npx vitest run test/api/docs/routes-page.test.ts -u` writes it anew. */

import { beforeAll, expect, it } from 'vitest';
import {
  type ApiDescription,
  type DescribedOperation,
  readApiDescription,
} from '../support/api-description.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();
let description: ApiDescription;

beforeAll(async () => {
  description = await readApiDescription(fixture.server);
});

function rowOf({ name, operation }: DescribedOperation): string {
  const [scope] = Object.values(operation.security[0] ?? {})[0] ?? [];
  const each = operation['x-tokens-per'] === 'symbol' ? ' a symbol' : '';
  const tokens = scope ? `${operation['x-tokens']}${each}` : '';
  const statuses = Object.keys(operation.responses).join(', ');
  return `| \`${name}\` | ${scope ? `\`${scope}\`` : 'no key'} | ${tokens} | ${statuses} |`;
}

it('lists every route with scope, tokens and statuses', async () => {
  const rows = description.operations.map(rowOf);
  const page = `# Routes

Made from the API description; a test fails when it is stale. Paths are under \`/v1\`, apart from \`/healthz\` and \`/readyz\`. \`HEAD\` follows from \`GET\`, \`OPTIONS\` is 204, other methods are 405. [What they do](api.md).

| route | scope | tokens | statuses |
|---|---|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../../docs/routes.md');
});
