import { launch } from '../build/browser.ts'
import { limits, measure, serveLibrary } from './pages.ts'

/** Prints what each page fetches before it shows anything, beside its limit, and fails where an asserted limit is passed. */
const { origin, fetched, close } = await serveLibrary()
const browser = await launch()
let over = 0
for (const limit of limits) {
  const { bytes, files } = await measure(browser, origin, fetched, limit)
  const state = bytes <= limit.kB * 1024 ? 'within' : limit.asserted ? 'OVER' : 'over, not asserted yet'
  if (state === 'OVER') over += 1
  const size = `${(bytes / 1024).toFixed(2)} kB gz in ${files} files`
  console.log(`${limit.name.padEnd(8)} ${size.padEnd(28)} limit ${limit.kB} kB: ${state}`)
}
await browser.close()
close()
process.exitCode = over ? 1 : 0
