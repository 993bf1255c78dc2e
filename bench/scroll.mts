import { launch } from '../build/browser.ts'
import serveStories from '../tests/stories/site.ts'

/**
 * Scrolls a table of 100,000 rows in Chromium, and says how long its page was too busy to answer: by the processor time of its main
 * thread, so that whatever else this machine does counts for nothing.
 */
const seconds = 5
const limit = 50
const long = 50

type Event = { name: string; ph: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }

/** Runs in the page: so many pixels a frame, and from the start again behind the last row. Answers the frames. */
const scroll = async ([seconds, step]: readonly [number, number]): Promise<number> => {
  const root = [...document.querySelectorAll('*')].find(one => one.shadowRoot)?.shadowRoot
  const box = root?.querySelector<HTMLElement>('.mk-table')
  if (!box) throw new Error('there is no table')
  box.scrollTop = 0
  let frames = 0
  for (const started = performance.now(); performance.now() - started < seconds * 1000; frames++) {
    await new Promise(requestAnimationFrame)
    const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
    box.scrollTop = end ? 0 : box.scrollTop + step
  }
  return frames
}

/** Milliseconds of each task of the thread that draws the page. */
const tasksOf = (trace: Buffer): number[] => {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Event[] }
  const mains = traceEvents.filter(one => one.name === 'thread_name' && one.args?.name === 'CrRendererMain')
  const tasks = mains.map(({ pid, tid }) =>
    traceEvents
      .filter(one => one.pid === pid && one.tid === tid && one.name.endsWith('RunTask') && one.tdur !== undefined)
      .map(one => (one.tdur as number) / 1000),
  )
  const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0)
  return tasks.sort((a, b) => total(b) - total(a))[0] ?? []
}

let site = ''
const close = await serveStories({ provide: (_: string, value: string) => void (site = value) } as never)
const browser = await launch()
let over = 0
for (const [name, step] of [
  ['by the wheel', 120],
  ['by page', 720],
  ['by leaps', 36_000],
] as const) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(
    `${site}/iframe.html?viewMode=story&id=parts-table--hundred-thousand-rows&globals=language:en;a11y.manual:!true`,
  )
  await page.getByRole('row').nth(5).waitFor()
  await page.evaluate(scroll, [1, step] as const)
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  const frames = await page.evaluate(scroll, [seconds, step] as const)
  const tasks = tasksOf(await browser.stopTracing())
  await page.close()
  if (tasks.length === 0) throw new Error('the trace has no tasks')
  const busy = tasks.filter(one => one > long).reduce((sum, one) => sum + one, 0) / seconds
  const all = tasks.reduce((sum, one) => sum + one, 0)
  const state = busy <= limit ? 'within' : 'OVER'
  if (state === 'OVER') over += 1
  console.log(
    `${name.padEnd(14)} ${(frames / seconds).toFixed(0).padStart(3)} frames/s, ${(all / frames).toFixed(1)} ms a frame, longest task ${Math.max(...tasks).toFixed(0)} ms, long tasks ${busy.toFixed(0)} ms/s   limit ${limit} ms/s: ${state}`,
  )
}
await browser.close()
await (close as () => Promise<unknown>)()
process.exitCode = over ? 1 : 0
