import { defineConfig } from 'vitest/config'

/** The built console in Chromium, against the server in memory: two processes, each with one browser for all its files. */
export default defineConfig({
  test: {
    include: ['tests/portal/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
