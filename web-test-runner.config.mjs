import { playwrightLauncher } from '@web/test-runner-playwright'
import { tsImport } from 'tsx/esm/api'

const { browserArgs, findBrowser } = await tsImport('./build/browser.ts', import.meta.url)
const { buildFixture, dir } = await tsImport('./tests/elements/fixture/build.ts', import.meta.url)

const executablePath = await findBrowser()
await buildFixture()

export default {
  rootDir: dir,
  files: `${dir}/*.test.js`,
  concurrency: 2,
  testsFinishTimeout: 60_000,
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: { executablePath, args: browserArgs } })],
  testFramework: { config: { timeout: 10_000 } },
}
