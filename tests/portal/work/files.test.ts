import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { base } from '../../../core/contract/endpoint.ts'
import { cameraNote, pdfOf, pngOf } from '../../../server/files/uploads/content/made-files.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests, heldBack, pieces } from '../console.ts'

const at = consoleForTests()

const somebody = (pagesOf: readonly string[]) => at.staff(pagesOf, { sensitive: ['pii:unmask', 'pii:reveal:face'] })
const opened = async (pagesOf: readonly string[], path: string, person?: Person): Promise<Page> => {
  const page = await at.open(person ?? (await somebody(pagesOf)))
  await page.goto(`${at.url}/AdminContent/${path}`)
  return page
}
const pick = async (page: Page, name: string, buffer: Buffer) => {
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^(Choose file|Replace)/ }).click()
  await (await asked).setFiles({ name, mimeType: '', buffer })
}

test('a picture is attached to an order, looked at, and taken away again', async () => {
  const orderNo = await at.fixture.queueUp()
  const page = await opened(['OrderDetail'], `OrderDetailAudit/OrderDetail?orderNo=${orderNo}&tab=attachments`)
  const workers: string[] = []
  page.on('worker', worker => void workers.push(worker.url()))
  await page.getByText('No attachments yet').waitFor()
  await page.getByRole('button', { name: 'Add attachment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add attachment' })
  await dialog.getByRole('combobox', { name: 'Attachment type' }).click()
  await page.getByRole('checkbox', { name: 'ID front' }).click()
  await pick(page, 'id.png', Buffer.from('<script>alert(1)</script>'.repeat(90)))
  await dialog.getByRole('alert').filter({ hasText: 'The uploaded file is not an image' }).waitFor()
  await pick(page, 'id.png', pngOf({ width: 300, height: 200 }))
  await dialog.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add attachment' }).click()

  expect(workers.length, 'hashed apart').toBeGreaterThan(0)
  const thumbnail = page.getByRole('button', { name: 'Open id.png' })
  await thumbnail.click()
  const viewer = page.getByRole('dialog', { name: 'id.png' })
  const picture = viewer.getByRole('img', { name: 'id.png' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await viewer.getByRole('button', { name: /^Rotate/ }).click()
  expect(await picture.evaluate(image => [image.style.width, image.style.rotate])).toEqual(['150%', '90deg'])
  expect(await violations(page)).toEqual([])
  await viewer.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Remove id.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove attachment' }).click()
  await page.getByText('No attachments yet').waitFor()
})

/** For two seconds one answer serves repeated calls; here for as long as the test needs. */
const oldAnswersStay = async (page: Page) => {
  await page.addInitScript(() => {
    const own = window.setTimeout
    const longer = (work: TimerHandler, ms?: number, ...given: unknown[]) =>
      own(work, ms === 2_000 ? 60_000 : ms, ...given)
    window.setTimeout = longer as typeof window.setTimeout
  })
  await page.reload()
}

test('the person who settles an unknown payout attaches the statement, and the next one sees it', async () => {
  const { loanCode } = await at.fixture.sent()
  await at.fixture.pass(31)
  const officer = await somebody(['LoanManagement', 'OrderDetail'])
  const code = await at.authenticator(officer)
  const page = await opened([], `AfterLoanSystem/LoanManagement?open=${loanCode}`, officer)
  await oldAnswersStay(page)
  await page.getByRole('dialog', { name: new RegExp(loanCode) }).waitFor()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: loanCode })
  await row.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Confirm outcome' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm outcome' })
  await dialog.getByRole('button', { name: 'Confirm outcome' }).click()
  await expect.poll(() => dialog.getByRole('alert').count()).toBeGreaterThan(0)
  await dialog.getByRole('combobox', { name: /^Result/ }).click()
  await page.getByRole('checkbox', { name: 'Arrived', exact: true }).click()
  await dialog.getByLabel('Serial no.').fill(`MP-${loanCode}`)
  await dialog.getByRole('textbox', { name: 'Statement date' }).fill('2026-03-02')
  const arrive = await heldBack(page, pieces)
  await pick(page, 'statement.pdf', pdfOf('/Statement 1'))
  await dialog.getByRole('button', { name: 'Cancel the upload of statement.pdf' }).waitFor()
  await dialog.getByRole('button', { name: 'Confirm outcome' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'The file has not been uploaded yet' }).waitFor()
  arrive()
  await dialog.getByRole('status').filter({ hasText: 'Uploaded' }).waitFor()
  await dialog.getByRole('button', { name: 'Confirm outcome' }).click()
  await page.getByRole('textbox', { name: 'Authenticator code' }).fill(code())
  await expect.poll(() => dialog.count()).toBe(0)
  await row.click()
  await page.getByRole('button', { name: 'Download statement.pdf' }).waitFor()
})

test.each([
  ['jpeg', 'photo.jpg', [60, 80], 3],
  ['png', 'photo.png', [80, 60], 0],
  ['webp', 'photo.webp', [80, 60], 3],
] as const)(
  'a %s of a browser is drawn as before when it comes back, and lies as the camera was held',
  async (type, fileName, size, most) => {
    const page = await opened(['OrderDetail'], 'Home')
    const drawn = await page.evaluate(async type => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 60 })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      for (let at = 0; at < 4_800; at++) {
        const [x, y] = [at % 80, Math.floor(at / 80)]
        context.fillStyle = `hsl(${Math.floor(x / 10) * 40} 80% ${20 + x / 4 + y / 3}%)`
        context.fillRect(x, y, 1, 1)
      }
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, `image/${type}`, 0.98))
      return [...new Uint8Array(await (blob as Blob).arrayBuffer())]
    }, type)
    const plain = Buffer.from(drawn)
    const bytes = type === 'jpeg' ? Buffer.concat([plain.subarray(0, 2), cameraNote(6), plain.subarray(2)]) : plain
    const uploadNo = await at.fixture.uploaded(at.fixture.boss, { fileName, bytes, purpose: 'image' })
    const answer = await at.fixture.app.request(`${base}/common/upload/${uploadNo}/file`, {
      headers: { token: at.fixture.boss.token },
    })
    const kept = Buffer.from(await answer.arrayBuffer())
    expect(kept.includes('GPS')).toBe(false)
    const look = (given: Buffer) =>
      page.evaluate(
        async ([bytes, type]) => {
          const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: `image/${type}` }))
          const canvas = Object.assign(document.createElement('canvas'), {
            width: picture.width,
            height: picture.height,
          })
          const context = canvas.getContext('2d') as CanvasRenderingContext2D
          context.drawImage(picture, 0, 0)
          const { data } = context.getImageData(0, 0, picture.width, picture.height)
          return { size: [picture.width, picture.height], pixels: [...data] }
        },
        [[...given], type] as const,
      )
    const [before, after] = [await look(bytes), await look(kept)]
    expect(after.size).toEqual(size)
    const apart = after.pixels.reduce((sum, value, at) => sum + Math.abs(value - Number(before.pixels[at])), 0)
    expect(apart / after.pixels.length, 'steps of a colour a pixel').toBeLessThanOrEqual(most)
  },
)
