import { createHash } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { base } from '../../core/contract/endpoint.ts'
import { pdfOf, pngOf } from '../../server/files/uploads/content/made-files.ts'
import { pageInTurn } from '../browser.ts'

const site = inject('site')
const address = `${base}/common/upload`
const inTurn = pageInTurn({ viewport: { width: 1260, height: 800 }, reducedMotion: 'reduce' })
let page: Page
const broken: string[] = []

beforeEach(async () => {
  broken.length = 0
  page = await inTurn.take()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', ({ message }) => {
    // The worker that answers for the server is looked up again by each page, and the one of the page before may be going.
    if (!message.startsWith('Failed to update a ServiceWorker')) broken.push(message)
  })
})
afterEach(async () => {
  await inTurn.leave()
  expect(broken).toEqual([])
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const open = async (story: string, shown: () => Locator = () => button(/^Choose (file|image)/)) => {
  await page.goto(`${site}/iframe.html?viewMode=story&id=parts-files--${story}&globals=language:en;a11y.manual:!true`)
  await shown().waitFor()
}
type Given = { name: string; mimeType: string; buffer: Buffer }
const pick = async (file: Given | Given[], by: string | RegExp = /^(Choose (file|image)|Replace)/) => {
  const asked = page.waitForEvent('filechooser')
  await button(by).click()
  await (await asked).setFiles(file)
}
const pdf = (name = 'statement.pdf', size = 3_000): Given => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdfOf(' '.repeat(size))]),
})
const png = (name: string, width: number, height: number): Given => ({
  name,
  mimeType: 'image/png',
  buffer: pngOf({ width, height }),
})
const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

type Asked = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
  query: URLSearchParams
}
/** Answers the calls of uploads in place of the mock server. */
const serve = async (answer: (asked: Asked) => { code: number; msg?: string; data?: unknown } | 'lost' | 'never') => {
  const asked: Asked[] = []
  await page.addInitScript(
    ([prefix]) => {
      const own = window.fetch
      const ask = (asked: unknown) => (window as unknown as { ask: (asked: unknown) => Promise<unknown> }).ask(asked)
      window.fetch = async (url, options = {}) => {
        const { pathname, search } = new URL(String(url), location.href)
        if (!pathname.startsWith(prefix)) return own(url, options)
        const body = await ask({ method: options.method, path: pathname, query: search, headers: options.headers })
        if (body === 'lost') throw new TypeError('lost')
        return Response.json(body)
      }
      const { open, send } = XMLHttpRequest.prototype
      const calls = new WeakMap<XMLHttpRequest, { path: string; headers: Record<string, string> }>()
      const set = XMLHttpRequest.prototype.setRequestHeader
      XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
        calls.set(this, { path: new URL(String(url), location.href).pathname, headers: {} })
        return open.call(this, method, url, true)
      }
      XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
        const call = calls.get(this)
        if (call) call.headers[name] = value
        return set.call(this, name, value)
      }
      XMLHttpRequest.prototype.send = function (given) {
        const call = calls.get(this)
        if (!call?.path.startsWith(prefix) || !(given instanceof Blob)) return send.call(this, given)
        let isOver = false
        this.abort = () => {
          isOver = true
          this.dispatchEvent(new ProgressEvent('abort'))
        }
        void given.arrayBuffer().then(async bytes => {
          this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: given.size / 2 }))
          const answer = await ask({ method: 'PUT', query: '', ...call, body: [...new Uint8Array(bytes)] })
          if (isOver || answer === 'never') return
          if (answer === 'lost') return void this.dispatchEvent(new ProgressEvent('error'))
          Object.defineProperty(this, 'status', { value: 200 })
          Object.defineProperty(this, 'responseText', { value: JSON.stringify(answer) })
          this.getResponseHeader = () => 'application/json'
          this.dispatchEvent(new ProgressEvent('load'))
        })
      }
    },
    [address] as const,
  )
  await page.exposeFunction('ask', (given: Asked & { body?: number[]; query: string }) => {
    const heard = {
      ...given,
      path: given.path.replace(address, ''),
      body: given.body ? Buffer.from(given.body) : null,
      query: new URLSearchParams(given.query),
    }
    asked.push(heard)
    return answer(heard)
  })
  return asked
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const uploadNo = 'UP2611227K3M9Q2A'
const ticket = (chunks: number[] = [], chunkBytes = 1_024, size = 3_100) => ({
  code: 0,
  data: {
    uploadNo,
    uploadStatus: 'token_issued',
    chunks,
    token: 'one-token',
    expireTime: new Date(Date.now() + 600_000).toISOString(),
    chunkBytes,
    chunkCount: Math.ceil(size / chunkBytes),
  },
})
const kept = { code: 0, data: { uploadNo, uploadStatus: 'receiving', chunks: [0] } }
const ready = {
  code: 0,
  data: { uploadNo, uploadStatus: 'ready', fileName: 'a', fileSize: 1, sha256: '', width: null, height: null },
}

describe('choosing a file', () => {
  it('sends it at once, and says so; it may be replaced and removed', async () => {
    await open('empty')
    await pick(pdf())
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
    await pick(pdf('other.pdf'), /^Replace/)
    await page.getByText('other.pdf').waitFor()
    expect(await page.getByText('statement.pdf').count()).toBe(0)
    await button('Remove other.pdf').click()
    await expect.poll(() => page.getByRole('status').count()).toBe(0)
    await button(/^Choose file/).waitFor()
  })

  it.each([
    [
      'a format that is not accepted',
      { ...pdf('macro.xlsm') },
      'Only the accepted formats (jpg, jpeg, png, gif, webp, pdf) are supported, please reselect',
    ],
    ['a name that is too long', pdf(`${'a'.repeat(197)}.pdf`), 'File name too long'],
    ['an image that is too small', { ...png('tiny.png', 2, 2) }, 'The image size is out of range (1 KB to 10 MB)'],
    [
      'a page called png',
      { name: 'x.png', mimeType: 'image/png', buffer: Buffer.alloc(2_000, '<p>') },
      'The uploaded file is not an image',
    ],
    ['an empty file', { ...pdf('none.pdf'), buffer: Buffer.alloc(0) }, 'The file is empty, please reselect'],
  ])('refuses %s before anything is sent', async (_, file, words) => {
    const asked = await serve(() => kept)
    await open('empty')
    await pick(file)
    await alert(words).waitFor()
    expect(asked).toEqual([])
  })

  /** A file that the page makes itself, let go over the field or pasted into it. */
  const bring = (kind: 'drop' | 'paste', name: string, bytes = 3_000) =>
    button(/^Choose file/).evaluate(
      (element, { kind, name, bytes }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }))
        const more = { bubbles: true, composed: true, cancelable: true }
        element.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...more, dataTransfer: data })
            : new ClipboardEvent('paste', { ...more, clipboardData: data }),
        )
      },
      { kind, name, bytes },
    )

  it('refuses a file that is too large before anything is sent', async () => {
    const asked = await serve(() => kept)
    await open('empty')
    await bring('drop', 'big.pdf', 20_971_521)
    await alert('File exceeds 20 MB, please reselect').waitFor()
    expect(asked).toEqual([])
  })

  it('takes what is dropped, and what is pasted', async () => {
    await open('several')
    await bring('drop', 'drop.pdf')
    await bring('paste', 'paste.pdf')
    await page.getByText('drop.pdf').waitFor()
    await page.getByText('paste.pdf').waitFor()
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'Uploaded' }).count()).toBe(2)
  })

  it('shows the picture that was chosen', async () => {
    await open('several')
    await pick(png('id.png', 60, 40))
    const picture = page.getByRole('img', { name: 'Preview of id.png' })
    await picture.waitFor()
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60)
  })
})

describe('sending a file', () => {
  it('sends every piece with its hash, in order, and then asks for its end', async () => {
    const file = pdf()
    const size = file.buffer.length
    const asked = await serve(({ path, method }) =>
      path === '/token' ? ticket([], 1_024, size) : method === 'PUT' ? kept : ready,
    )
    await open('empty')
    await pick(file)
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
    expect(asked[0]?.query.get('sha256')).toBe(sha256(file.buffer))
    expect(asked[0]?.query.get('size')).toBe(String(size))
    const puts = asked.filter(one => one.method === 'PUT')
    expect(puts.map(one => one.path)).toEqual([0, 1, 2, 3].map(no => `/${uploadNo}/chunk/${no}`).slice(0, puts.length))
    expect(Buffer.concat(puts.map(one => one.body as Buffer)).equals(file.buffer)).toBe(true)
    for (const { headers, body } of puts)
      expect(headers).toMatchObject({ 'Upload-Token': 'one-token', 'Chunk-Sha256': sha256(body as Buffer) })
    expect(asked.at(-1)?.path).toBe('/complete')
  })

  it('shows its progress, and stops on request', async () => {
    const asked = await serve(({ path, method }) => (path === '/token' ? ticket() : method === 'PUT' ? 'never' : ready))
    await open('empty')
    await pick(pdf())
    const bar = page.getByRole('progressbar', { name: 'Upload of statement.pdf' })
    await bar.waitFor()
    await page.getByText(/\d+% uploaded/).waitFor()
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    await button('Cancel the upload of statement.pdf').click()
    await expect.poll(() => bar.count()).toBe(0)
    expect(asked.some(one => one.path === '/complete')).toBe(false)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('sends a piece again that was lost, and only what is missing after another try', async () => {
    let lost = true
    const file = pdf()
    const asked = await serve(({ path, method }) => {
      if (path === '/token') return ticket(lost ? [] : [0, 1], 1_024, file.buffer.length)
      if (method !== 'PUT') return ready
      return lost && path.endsWith('/2') ? 'lost' : kept
    })
    await open('empty')
    await pick(file)
    await alert('The upload stopped; the uploaded part is kept').waitFor({ timeout: 60_000 })
    expect(asked.filter(one => one.path.endsWith('/chunk/2'))).toHaveLength(4)
    lost = false
    asked.length = 0
    await button('Try again').click()
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
    expect(asked.filter(one => one.method === 'PUT').map(one => one.path)).toEqual(
      Array.from({ length: Math.ceil(file.buffer.length / 1_024) - 2 }, (_, no) => `/${uploadNo}/chunk/${no + 2}`),
    )
  })

  it('waits while there is no connection, and goes on by itself', async () => {
    let lost = true
    await serve(({ path, method }) => {
      if (path === '/token') return ticket([], 10_240)
      return method === 'PUT' && lost ? 'lost' : method === 'PUT' ? kept : ready
    })
    await open('empty')
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }))
    await pick(pdf())
    await page.getByText('No connection; the upload continues when it is back').waitFor()
    lost = false
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { get: () => true, configurable: true })
      dispatchEvent(new Event('online'))
    })
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
  })

  it('says what the server found in the file', async () => {
    const msg = 'The file contains a script, macro or other active content and cannot be accepted'
    await serve(({ path, method }) =>
      path === '/token' ? ticket([], 10_240) : method === 'PUT' ? kept : { code: 40001, msg, data: null },
    )
    await open('empty')
    await pick(pdf())
    await alert(msg).waitFor()
    expect(await button('Try again').count()).toBe(0)
  })

  it('hashes beside everything else where the page allows no worker', async () => {
    await page.addInitScript(() => {
      window.Worker = class {
        constructor() {
          throw new DOMException('forbidden', 'SecurityError')
        }
      } as never
    })
    const file = pdf()
    const asked = await serve(({ path, method }) =>
      path === '/token' ? ticket([], 10_240) : method === 'PUT' ? kept : ready,
    )
    await open('empty')
    await pick(file)
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
    expect(asked[0]?.query.get('sha256')).toBe(sha256(file.buffer))
  })
})

describe('cropping an image', () => {
  it('is done by keys alone, and sends what is in the frame', async () => {
    const asked = await serve(({ path, method }) =>
      path === '/token' ? ticket([], 10_485_760) : method === 'PUT' ? kept : ready,
    )
    await open('image')
    await pick(png('logo.png', 400, 200))
    const dialog = page.getByRole('dialog', { name: 'Crop image' })
    await dialog.getByText(/the result has 200 × 200 pixels/).waitFor()
    const zoom = dialog.getByRole('slider', { name: 'Zoom' })
    await zoom.focus()
    for (let n = 0; n < 100; n++) await zoom.press('ArrowRight')
    await dialog.getByText(/the result has 100 × 100 pixels/).waitFor()
    await dialog.getByRole('slider', { name: 'Horizontal position' }).press('Home')
    await dialog.getByRole('button', { name: 'Rotate 90°' }).press('Enter')
    await dialog.getByRole('button', { name: 'Use this picture' }).press('Enter')
    await page.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
    const sent = asked.find(one => one.method === 'PUT')?.body as Buffer
    expect([sent.readUInt32BE(16), sent.readUInt32BE(20)]).toEqual([100, 100])
    expect(asked[0]?.query.get('fileName')).toBe('logo.png')
  })

  it('may be given up', async () => {
    const asked = await serve(() => kept)
    await open('image')
    await pick(png('logo.png', 400, 200))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(asked).toEqual([])
  })
})
