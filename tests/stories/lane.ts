import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import type { Language } from '../../core/i18n/language.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Channel = {
  on: (event: string, listener: (given: Record<string, unknown>) => void) => void
  off: (event: string, listener: (given: Record<string, unknown>) => void) => void
  emit: (event: string, given: unknown) => void
}
type Preview = { channel: Channel; ready: () => Promise<void> }
declare global {
  interface Window {
    __STORYBOOK_PREVIEW__: Preview
  }
}

/** Shows a story in the open page; answers what went wrong, if anything did. */
const show = async (storyId: string) => {
  const preview = window.__STORYBOOK_PREVIEW__
  await preview.ready()
  const { channel } = preview
  return new Promise<string | undefined>(resolve => {
    const listeners = {
      storyFinished: (given: Record<string, unknown>) =>
        end(given.status === 'error' ? 'its play function failed' : undefined, given),
      storyThrewException: (given: Record<string, unknown>) => end(String(given.message)),
      storyErrored: (given: Record<string, unknown>) => end(`${given.title}: ${given.description}`),
      storyMissing: (missing: unknown) => void (missing === storyId && end('there is no such story')),
      playFunctionThrewException: (given: Record<string, unknown>) => end(String(given.message)),
    }
    const end = (trouble: string | undefined, given?: Record<string, unknown>) => {
      if (given && given.storyId !== storyId) return
      for (const [event, listener] of Object.entries(listeners)) channel.off(event, listener)
      resolve(trouble)
    }
    for (const [event, listener] of Object.entries(listeners)) channel.on(event, listener)
    channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
  })
}

/** The worker that answers for the server is active: a story that installs it itself fails when the machine is slow. */
const workerReady = async () => {
  await navigator.serviceWorker.register('mockServiceWorker.js')
  await navigator.serviceWorker.ready
}

/** How long Storybook itself may take to start, in ms: other suites run at the same time. */
const timeout = 120_000

/** One page of the browser, in which one story after another is opened. */
export type Lane = {
  open: (story: string, language: Language) => Promise<{ page: Page; trouble: string[] }>
  close: () => Promise<void>
}

export const lane = async (browser: Browser, site: string, deviceScaleFactor = 1): Promise<Lane> => {
  const context = await browser.newContext({
    viewport: { width: 1260, height: 800 },
    deviceScaleFactor,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await context.addInitScript({ content: axe })
  await context.addInitScript(() => {
    addEventListener('mkopo-error', event => {
      const { type, message } = (event as CustomEvent<{ type: string; message: string }>).detail
      console.error(`mkopo-error ${type}: ${message}`)
    })
  })
  const page = await context.newPage()
  let trouble: string[] = []
  let speaks: Language | undefined
  page.on('console', message => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => trouble.push(`error: ${error.message}`))
  page.on('request', request => {
    if (!request.url().startsWith(site) && !/^(data|blob):/.test(request.url()))
      trouble.push(`left its origin: ${request.url()}`)
  })
  return {
    close: () => context.close(),
    open: async (story, language) => {
      trouble = []
      if (speaks !== language) {
        await page.goto(
          `${site}/iframe.html?viewMode=story&id=none--none&globals=language:${language};a11y.manual:!true`,
          { waitUntil: 'commit', timeout },
        )
        await page.waitForSelector('.sb-show-errordisplay', { state: 'attached', timeout })
        await page.evaluate(workerReady)
        speaks = language
        trouble = []
      }
      const failed = await page.evaluate(show, story)
      if (failed) trouble.push(failed)
      return { page, trouble }
    },
  }
}
