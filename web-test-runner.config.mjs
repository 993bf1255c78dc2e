import { playwrightLauncher } from '@web/test-runner-playwright'
import { tsImport } from 'tsx/esm/api'

const { browserArgs, findBrowser } = await tsImport('./build/browser.ts', import.meta.url)
const { buildFixture, dir } = await tsImport('./tests/elements/fixture/build.ts', import.meta.url)

const executablePath = await findBrowser()
await buildFixture()

/** `MKOPO_CYCLES=500` takes its time. */
const patience = process.env.MKOPO_CYCLES ? 600_000 : 60_000

/** What the page weighs after a collection: bytes of the heap, nodes and listeners that are still held. */
const weigh = {
  name: 'weigh',
  async executeCommand({ command, session }) {
    if (command !== 'weigh') return undefined
    const page = session.browser.getPage(session.id)
    const client = await page.context().newCDPSession(page)
    for (let n = 0; n < 3; n++) await client.send('HeapProfiler.collectGarbage')
    const { usedSize } = await client.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await client.send('Memory.getDOMCounters')
    await client.detach()
    return { heap: usedSize, nodes, listeners: jsEventListeners }
  },
}

export default {
  rootDir: dir,
  files: `${dir}/*.test.js`,
  concurrency: 2,
  testsFinishTimeout: patience * 2,
  plugins: [weigh],
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: { executablePath, args: browserArgs } })],
  testFramework: { config: { timeout: patience } },
}
