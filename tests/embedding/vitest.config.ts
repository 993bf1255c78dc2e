import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/embedding/**/*.test.ts'],
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
