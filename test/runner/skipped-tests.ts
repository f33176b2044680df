/** Names the tests that a run skipped, and what the machine lacks for them. */

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TOOLS } from '../support/tools.ts';

/** Part of the report that Vitest's reporter `json` writes. */
export interface VitestReport {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}

const PASSED_OVER = ['skipped', 'pending', 'todo'];

/** Returns a line for each file with skipped tests. */
export function skippedTests({ testResults }: VitestReport, root: string): string[] {
  return testResults.flatMap(({ name, assertionResults: all }) => {
    const skipped = all.filter(({ status }) => PASSED_OVER.includes(status));
    if (skipped.length === 0) return [];
    const lack = lackOf(readFileSync(name, 'utf8'));
    return [`${relative(root, name)}: ${skipped.length} of ${all.length} skipped: ${lack}`];
  });
}

/** Returns the missing tools that a file of tests imports; else the conditions of its tests. */
export function lackOf(source: string, tools: typeof TOOLS = TOOLS): string {
  const missing = Object.entries(tools).filter(
    ([name, [tool]]) => tool === undefined && new RegExp(`\\b${name}\\b`).test(source),
  );
  if (missing.length > 0) {
    return missing.map(([name, [, , install]]) => `${name} is missing (${install})`).join(', ');
  }
  const conditions = source.matchAll(/\b(?:skipIf|runIf|context\.skip)\([^)\n]*\)?/g);
  return [...new Set([...conditions].map(([condition]) => condition))].join(', ');
}
