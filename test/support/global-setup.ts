/** Says what this machine lacks before the tests run; in CI a missing tool is a failure. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { missingTools, shareTools } from './tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For what several files of tests need and one of them makes; gone after the run. */
    runFolder: string;
  }
}

export default function setup(project: TestProject): () => void {
  const missing = missingTools();
  for (const line of missing) console.warn(line);
  if (process.env.CI && missing.length > 0) throw new Error('CI must have every tool installed');
  shareTools();
  const shared = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  project.provide('runFolder', shared);
  return () => rmSync(shared, { recursive: true, force: true });
}
