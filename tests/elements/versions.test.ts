import '../../core/element/events.ts'
import { list, tokens } from './list.ts'
import { afterEach, clear, collect, expect, it, loadLibrary, mount, shows, until } from './page.ts'
import { fakeServer, realServer } from './server.ts'

afterEach(() => {
  clear()
  realServer()
})

const lib = (path: string) => new URL(path, location.href).href
const own = (entry: PerformanceEntry) => new URL(entry.name).pathname

it('C12: serves a page with the first version, and a second one says once that it does not', async () => {
  const warnings: string[] = []
  const warn = console.warn
  console.warn = (...words: unknown[]) => void warnings.push(words.join(' '))
  await mount()
  await import(lib('/lib2/mkopo.js'))
  await import(lib('/lib2/mkopo-fixture-sample.js'))
  await import(lib('/lib2/mkopo-fixture-list.js'))
  console.warn = warn
  expect(warnings.length).to.equal(1)
  expect(warnings[0]).to.match(/^Mkopo 9\.9\.9-second is not used: \d+\.\d+\.\d+-[0-9a-f]{10} is on this page already$/)
  const { T1 } = tokens()
  const server = fakeServer({ [T1]: 'ann' })
  const ready = collect('mkopo-ready')
  await shows(await list({ token: T1 }), 'ORDER-OF-ANN')
  const { detail } = await until('the event', () => ready()[0])
  const versions = new Set([detail.version as string, ...server.sent.map(({ version }) => version)])
  expect([...versions].length).to.equal(1)
  expect([...versions][0]).not.to.contain('9.9.9')
})

it('shares one copy of every module and every sheet between ten widgets', async () => {
  performance.clearResourceTimings()
  await loadLibrary()
  const { T1 } = tokens()
  fakeServer({ [T1]: 'ann' })
  const widgets = []
  for (let n = 0; n < 5; n++) widgets.push(await mount(), await list({ token: T1 }))
  for (const widget of widgets) await shows(widget, widget.localName.endsWith('list') ? 'ORDER-OF-ANN' : 'Details')
  const files = performance
    .getEntriesByType('resource')
    .map(own)
    .filter(path => path.startsWith('/lib/'))
  expect(files.length).to.equal(new Set(files).size)
  const sheets = widgets.map(widget => [...widget.shadowRoot.adoptedStyleSheets])
  for (const [n, own] of sheets.entries()) {
    expect(own.slice(0, 3).every((sheet, at) => sheet === sheets[0]?.[at])).to.equal(true)
    expect(own).to.deep.equal(sheets[n % 2])
  }
  expect(document.adoptedStyleSheets.length + document.styleSheets.length).to.equal(0)
})
