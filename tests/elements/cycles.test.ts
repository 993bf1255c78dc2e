import { executeServerCommand } from '@web/test-runner-commands'
import { list, tokens } from './list.ts'
import { afterEach, clear, expect, get, it, loadLibrary, mount, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

const cycles = Number(process.env.MKOPO_CYCLES)
const token = tokens().T1
type Weight = { heap: number; nodes: number; listeners: number }
/** The weight once nothing goes any more: what a round left to timers and promises has had its time, however loaded the machine is. */
const weigh = async (): Promise<Weight> => {
  let last: Weight | undefined
  for (let look = 0; look < 20; look++) {
    const now = (await executeServerCommand('weigh')) as Weight
    if (last && now.nodes >= last.nodes && now.listeners >= last.listeners) return now
    last = now
  }
  return last as Weight
}

afterEach(() => {
  clear()
  realServer()
})

const gone = (widget: Element) => until('an empty root', () => !widget.shadowRoot?.childElementCount)

/** What a round adds to the page's weight, in the best of three stretches: caches fill up once, a leak grows in each. */
const growth = async (round: () => Promise<void>) => {
  for (let n = 0; n < 40; n++) await round()
  const stretches: Weight[] = []
  let before = await weigh()
  for (let stretch = 0; stretch < 3; stretch++) {
    for (let n = 0; n < cycles; n++) await round()
    const after = await weigh()
    const more = (name: keyof Weight) => (after[name] - before[name]) / cycles
    stretches.push({ heap: more('heap'), nodes: more('nodes'), listeners: more('listeners') })
    before = after
  }
  const least = (name: keyof Weight) => Math.min(...stretches.map(stretch => stretch[name]))
  return { heap: least('heap'), nodes: least('nodes'), listeners: least('listeners') }
}

for (const [what, round] of [
  [
    'a screen',
    async () => {
      const widget = await mount()
      await get(widget, 'button', 'Details')
      widget.remove()
      await gone(widget)
    },
  ],
  [
    'a list',
    async () => {
      const widget = await list({ token })
      await shows(widget, 'ORDER-OF-ANN')
      widget.remove()
      await gone(widget)
    },
  ],
] as const)
  it(`leaves nothing behind when ${what} comes and goes`, async () => {
    fakeServer({ [token]: 'ann' })
    await loadLibrary()
    const { heap, nodes, listeners } = await growth(round)
    expect(heap).to.be.lessThan(2048)
    expect(nodes).to.be.lessThan(1)
    expect(listeners).to.be.lessThan(1)
  })
