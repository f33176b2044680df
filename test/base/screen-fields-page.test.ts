import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCREEN_FIELD_NAMES, screenField } from '../../src/base/fields.ts';

const PAST = { present: "today's", null: 'null' } as const;

it('the page of fields has each of them, as it is declared', () => {
  const page = readFileSync(new URL('../../docs/screen-fields.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    SCREEN_FIELD_NAMES.map((name) => {
      const { kind, description, past } = screenField(name);
      return `| \`${name}\` | ${kind} | ${description} | ${past ? PAST[past] : 'as known then'} |`;
    }),
  );
});
