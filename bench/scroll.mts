import { launch } from '../build/browser.ts'
import serveStories from '../tests/stories/site.ts'

/** Scrolls a table of 100,000 rows in Chromium, and says how long its page was too busy to answer. */
const seconds = 5
const limit = 50
const rounds = 3

type Scrolled = { frames: number; longest: number; busy: number; rows: number }

/** Runs in the page: by wheel-sized steps and by jumps, as far as there are rows. */
const scroll = async ([seconds, step]: readonly [number, number]): Promise<Scrolled> => {
  const root = [...document.querySelectorAll('*')].find(one => one.shadowRoot)?.shadowRoot
  const box = root?.querySelector<HTMLElement>('.mk-table')
  if (!box) throw new Error('there is no table')
  const tasks: number[] = []
  const watched = new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration)))
  watched.observe({ type: 'longtask' })
  box.scrollTop = 0
  let frames = 0
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    await new Promise(requestAnimationFrame)
    frames += 1
    const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
    box.scrollTop = end ? 0 : box.scrollTop + step
  }
  await new Promise(resolve => setTimeout(resolve, 300))
  const rows = root?.querySelectorAll('tr[data-row]').length ?? 0
  watched.disconnect()
  return { frames, rows, longest: Math.max(0, ...tasks), busy: tasks.reduce((sum, task) => sum + task, 0) / seconds }
}

let site = ''
const close = await serveStories({ provide: (_: string, value: string) => void (site = value) } as never)
const browser = await launch()
let over = 0
for (const [name, step, throttle] of [
  ['by the wheel', 120, 1],
  ['by page', 720, 1],
  ['by leaps', 36_000, 1],
  ['by the wheel, CPU 4× slower', 120, 4],
  ['by leaps, CPU 4× slower', 36_000, 4],
] as const) {
  const found: Scrolled[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(
      `${site}/iframe.html?viewMode=story&id=parts-table--hundred-thousand-rows&globals=language:en;a11y.manual:!true`,
    )
    await page.getByRole('row').nth(5).waitFor()
    await page.waitForTimeout(500)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    found.push(await page.evaluate(scroll, [seconds, step] as const))
    await page.close()
  }
  const best = found.sort((a, b) => a.busy - b.busy)[0] as Scrolled
  const asserted = throttle === 1
  const state = best.busy <= limit ? 'within' : asserted ? 'OVER' : 'over, not asserted'
  if (state === 'OVER') over += 1
  console.log(
    `${name.padEnd(28)} ${(best.frames / seconds).toFixed(0).padStart(3)} frames/s, ${best.rows} rows drawn, longest task ${best.longest.toFixed(0)} ms, long tasks ${best.busy.toFixed(0)} ms/s   limit ${limit} ms/s: ${state}`,
  )
}
await browser.close()
await (close as () => Promise<unknown>)()
process.exitCode = over ? 1 : 0
