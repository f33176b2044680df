import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/equal-columns.ts'],
    // Files share their process, and its modules: a third of their time was starting again.
    isolate: false,
    // Two cores: two files that compute, and two more, as many wait for processes and locks.
    maxWorkers: 4,
    // Of four collectors with four threads each, two cores have a tenth of their time taken.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Node runs the files as it runs the program; half of the time to import them is saved.
    experimental: { viteModuleRunner: false },
    // Generous, because a loaded machine is slow; nothing here measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Scripts that tests start compile what they import once; the command line does so itself.
    env: { TZ: 'UTC', NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
  },
});
