import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/journeys/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 480_000,
    hookTimeout: 240_000,
  },
})
