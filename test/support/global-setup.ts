/** Says what this machine lacks before the tests run; in CI a missing tool is a failure. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { missingTools, shareTools } from './tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For folders of tests, and what one file makes for several; gone after the run. */
    runFolder: string;
  }
}

export default function setup(project: TestProject): () => void {
  const missing = missingTools();
  for (const line of missing) console.warn(line);
  if (process.env.CI && missing.length > 0) throw new Error('CI must have every tool installed');
  shareTools();
  const shared = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  // Some tests run the program as another user, in folders within.
  chmodSync(shared, 0o711);
  project.provide('runFolder', shared);
  return () => rmSync(shared, { recursive: true, force: true });
}
