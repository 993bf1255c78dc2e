import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Numbers, names and phones of applicants differ between runs: each is replaced by its kind. */
const settled = (text: string): string =>
  text
    .replace(/\b(LO|LC|AT|AR|RR|B|EX|MP)\d{6}[0-9A-Z]{8}\b/g, '$1…')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?\b/g, 'DATE TIME')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
    .replace(/\b\d\d-\d\d \d\d:\d\d\b/g, 'DAY TIME')
    .replace(/\b\d+ (min|h|s)\b/g, 'N $1')
    .replace(/\b\d+:\d\d\b/g, 'CLOCK')
    .replace(/\b25\*+\d\d\b/g, 'PHONE')
    .replace(/\b\d+\.\d+\.\d+-[0-9a-f]{10}\b/g, 'VERSION')
    .replace(/\b\d{6}$/gm, 'CODE')
    .replace(/[ \t]+$/gm, '')

/** The accessibility tree of the screen equals the one in its file; `UPDATE_ARIA=1` writes the files. */
export const sameAs = async (name: string, what: Locator) => {
  const file = fileURLToPath(new URL(`./aria/${name}.txt`, import.meta.url))
  const stable = async () => settled(await what.ariaSnapshot())
  let seen = await stable()
  await expect
    .poll(
      async () => {
        const before = seen
        seen = await stable()
        return seen === before && !/status "Loading"/.test(seen)
      },
      { interval: 400, timeout: 60_000 },
    )
    .toBe(true)
  if (process.env.UPDATE_ARIA) writeFileSync(file, `${seen}\n`)
  expect(existsSync(file), `${file} is missing: UPDATE_ARIA=1 writes it`).toBe(true)
  const wanted = readFileSync(file, 'utf8').trimEnd()
  await expect.poll(stable, { timeout: 60_000 }).toBe(wanted)
}
