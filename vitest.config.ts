import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Two cores: two files that compute, and a third, as many wait for processes and locks.
    maxWorkers: 3,
    // Generous, because a loaded machine is slow; nothing here measures time.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { TZ: 'UTC' },
  },
});
