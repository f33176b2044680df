/** Doc comments begin with a verb or with the noun that they describe. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** First words that make a reader wait for the subject. */
const REFUSED =
  /^(And|As|But|How|If|It|Nobody|Not|Nothing|Of|Only|Or|Somebody|So|They|Those|What|When|Where|Whether|Which|Who|Whoever|Whom|Whose|Why)\b/;

it('begin with a verb or a noun', () => {
  const found: string[] = [];
  for (const folder of ['src', 'jobs', 'bench', 'test']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(root, folder, name), 'utf8');
      for (const match of text.matchAll(/\/\*\*[\s*]*([^*]{1,60})/g)) {
        if (REFUSED.test(match[1])) found.push(`${folder}/${name}: ${match[1].trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
});
