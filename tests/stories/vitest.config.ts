import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Builds Storybook where its sources are newer, and opens every story in Chromium. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['tests/stories/*.test.ts'],
    globalSetup: 'tests/stories/site.ts',
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
    maxConcurrency: 3,
  },
})
