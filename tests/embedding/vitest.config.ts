import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/embedding/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
})
