import type { Browser, BrowserContextOptions, Disposable, Locator, Page } from 'playwright-core'
import { launch } from '../build/browser.ts'

let launched: Promise<Browser> | undefined
/** The files that one process runs share its browser, which ends with the process. */
export const browserOfProcess = (): Promise<Browser> => (launched ??= launch())

const listened = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'response',
  'worker',
] as const

/** What makes a page more than its document, and what undoes it; a clock stays with its context for good. */
type Used = { undo: Disposable[]; isSpoiled: boolean }

const noting = (page: Page): Used => {
  const used: Used = { undo: [], isSpoiled: false }
  const { addInitScript, exposeFunction } = page
  page.addInitScript = async (...given: Parameters<typeof addInitScript>) => {
    const script = await addInitScript.apply(page, given)
    used.undo.push(script)
    return script
  }
  page.exposeFunction = async (...given: Parameters<typeof exposeFunction>) => {
    const exposed = await exposeFunction.apply(page, given)
    used.undo.push(exposed)
    return exposed
  }
  const { clock } = page
  const { install } = clock
  clock.install = async options => {
    used.isSpoiled = true
    await install.call(clock, options)
  }
  return used
}

/** Once a test, before anything of its first page runs: nothing is stored. */
const emptied = (turn: string) => {
  if (location.protocol === 'about:' || window.name === turn) return
  window.name = turn
  localStorage.clear()
  sessionStorage.clear()
}

/**
 * One page that tests take in turn, which costs half of a new one: its process, and what it has fetched and compiled, are
 * there. Storage, cookies, routes, listeners, scripts and sizes of one test are gone before the next; a page that was
 * closed or got a clock is not used again. Only one test has it at a time.
 */
export const pageInTurn = (options: BrowserContextOptions & { viewport: { width: number; height: number } }) => {
  let held: { page: Page; used: Used } | undefined
  let turns = 0
  let isTaken = false

  const fresh = async () => {
    const browser = await browserOfProcess()
    const page = await (await browser.newContext(options)).newPage()
    return { page, used: noting(page) }
  }
  return {
    get isTaken() {
      return isTaken
    },
    take: async (): Promise<Page> => {
      isTaken = true
      held ??= await fresh()
      turns += 1
      await held.page.addInitScript(emptied, `turn ${process.pid} ${turns}`)
      return held.page
    },
    /** Behind a test, whether it has taken the page or not. */
    leave: async () => {
      isTaken = false
      if (!held) return
      const { page, used } = held
      const context = page.context()
      if (used.isSpoiled || page.isClosed()) {
        held = undefined
        return context.close()
      }
      for (const event of listened) page.removeAllListeners(event)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.goto('about:blank')
      for (const other of context.pages()) if (other !== page) await other.close()
      for (const one of used.undo.splice(0)) await one.dispose()
      await context.clearCookies()
      await context.clearPermissions()
      await page.emulateMedia({ colorScheme: null, reducedMotion: options.reducedMotion ?? null })
      await page.setViewportSize(options.viewport)
    },
  }
}

/** Presses an action of a row that stands in its menu, as what harms does. */
export const pressInMenu = async (row: Locator, name: string): Promise<void> => {
  await row.getByRole('button', { name: 'More actions' }).click()
  await row.page().getByRole('menuitem', { name }).click()
}
