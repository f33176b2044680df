/**
 * Writes `operations.js` and `operations.d.ts` from the description that a server gives of itself: one that this starts
 * over an empty folder. `node clients/typescript/generate.ts`
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '../../src/api/docs/openapi/document-types.ts';
import { generatedTexts } from './operations-text.ts';

const bin = fileURLToPath(new URL('../../bin/tapeworks.js', import.meta.url));

const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
const server = spawn(process.execPath, [bin, 'serve', '--json'], {
  env: {
    PATH: process.env.PATH,
    TAPEWORKS_DATA_DIR: dataDir,
    TAPEWORKS_PORT: '0',
    TAPEWORKS_LOG_LEVEL: 'silent',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  let text = '';
  for await (const chunk of server.stdout) {
    text += chunk;
    if (text.includes('}')) break;
  }
  const { address } = JSON.parse(text);
  const response = await fetch(`${address}/v1/openapi.json`);
  const texts = generatedTexts((await response.json()) as OpenApiDocument);
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(new URL(name, import.meta.url), text);
    console.log(`wrote ${name}`);
  }
} finally {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
