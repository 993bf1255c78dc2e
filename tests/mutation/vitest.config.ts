import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that a part of stryker.config.mjs is measured by. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
