import { defineConfig } from 'vitest/config'

/** The built console in Chromium, against the server in memory. */
export default defineConfig({
  test: {
    include: ['tests/portal/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
