/** Says what this machine lacks before the tests run; in CI a missing tool is a failure. */

import { missingTools } from './tools.ts';

export default function setup(): void {
  const missing = missingTools();
  for (const line of missing) console.warn(line);
  if (process.env.CI && missing.length > 0) throw new Error('CI must have every tool installed');
}
