import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/journeys/**/*.test.ts'],
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 900_000,
    hookTimeout: 240_000,
  },
})
