import { existsSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Set by `npm run test:long`, which runs what is long for its worth. */
const isLong = process.env.FORM_OF_TESTS === 'long';

/** The folder of compiled code, which stays after a run. */
const COMPILED = tmpdir();

const MEMORY = '/dev/shm';

/** Bytes that the data folders of a run may take at once, with a large margin. */
const ROOM_BYTES = 4 * 1024 ** 3;

// A publish has a hundred fsyncs, which no test needs: data folders lie in memory if it has room.
// A caller's own TMPDIR stays.
if (!process.env.TMPDIR && existsSync(MEMORY) && freemem() >= 2 * ROOM_BYTES) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize >= ROOM_BYTES) process.env.TMPDIR = MEMORY;
}

/** Rooms whose files start processes or fill stores. */
const SLOW = /\/test\/(cli|e2e|faults|jobs|page|simulation|store\/duckdb)\//;

/**
 * Vitest begins with the largest files. Small ones of these rooms take minutes: begun late, one of
 * them runs alone in the end. Those of the runners take the longest.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) =>
      Number(SLOW.test(moduleId)) + Number(moduleId.includes('/test/jobs/runner/'));
    return (await super.sort(files)).sort((a, b) => rankOf(b) - rankOf(a));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ['test/**/*.long.test.ts'])],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/equal-columns.ts', 'test/support/small-counts.ts'],
    sequence: { sequencer: SlowFirst },
    // Files share their process and its modules. Starting again took a third of their time.
    isolate: false,
    // Two cores: two files compute, and three more wait for processes and locks. With four in all,
    // a run took 1,520 s of processors in 950 s, so that a fifth of their time was unused.
    maxWorkers: 5,
    // Four garbage collectors with four threads each take a tenth of the time of two cores.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Node runs the files as it runs the program, which halves the time to import them.
    experimental: { viteModuleRunner: false },
    // Generous, because a loaded machine is slow; nothing here measures time. No test has its own.
    testTimeout: isLong ? 86_400_000 : 900_000,
    hookTimeout: isLong ? 86_400_000 : 900_000,
    expect: { poll: { timeout: 300_000 } },
    // Scripts that tests start compile their imports once. The command line does so itself.
    env: { TZ: 'UTC', NODE_COMPILE_CACHE: join(COMPILED, 'node-compile-cache') },
  },
});
