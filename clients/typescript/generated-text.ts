/** `operations.ts` as the formatter of the project leaves it. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '../../src/api/docs/openapi/document-types.ts';
import { operationsText } from './operations-text.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export function generatedText(description: OpenApiDocument): string {
  return execFileSync(
    'node_modules/.bin/biome',
    ['format', '--stdin-file-path=clients/typescript/operations.ts'],
    { cwd: root, input: operationsText(description), encoding: 'utf8' },
  );
}
