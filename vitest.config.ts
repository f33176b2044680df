import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Two cores: DuckDB, Redis and server tests are heavy, so no more than two files at once.
    maxWorkers: 2,
    // Generous, because a loaded machine is slow; nothing here measures time.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { TZ: 'UTC' },
  },
});
