import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { view } from '../../core/contract/portal/view.ts'
import {
  answering,
  asked,
  bodies,
  button,
  headers,
  heights,
  isFocused,
  many,
  open,
  page,
  rows,
  story,
} from './list-page.ts'

/** The ticks and the column of the key stay where they are. */
const kept = 2

describe('columns and row height', () => {
  beforeEach(() => open(story('default')))

  it('columns change places by keyboard, and the button that was pressed keeps the focus', async () => {
    const before = await headers()
    const [name = '', next = ''] = before.slice(kept)
    await button('Columns').press('Enter')
    const down = button(`Move ${name} down`)
    await down.focus()
    await page.keyboard.press('Enter')
    await expect.poll(headers).toEqual([...before.slice(0, kept), next, name, ...before.slice(kept + 2)])
    expect(await isFocused(down)).toBe(true)
    await page.getByText(`${name}: column 3 of`).waitFor({ state: 'attached' })
    await button('Reset').last().click()
    await expect.poll(headers).toEqual(before)
  })

  it('rows are 36 px high, compact ones 28', async () => {
    await expect.poll(async () => [...new Set(await heights())]).toEqual([36])
    await button('Compact rows').click()
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    expect(await button('Compact rows').getAttribute('aria-pressed')).toBe('true')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/compact.png` })
  })
})

describe('columns by pointer', () => {
  const widthOf = (name: string) =>
    page.getByRole('columnheader', { name }).evaluate(head => Math.round(head.getBoundingClientRect().width))
  const drag = async (
    from: Locator,
    by: (box: { x: number; y: number; width: number; height: number }) => number[],
  ) => {
    const box = await from.boundingBox()
    if (!box) throw new Error('it is not in sight')
    const [x = 0, y = 0, toX = 0, toY = 0] = by(box)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 4 })
    await page.mouse.move(toX, toY, { steps: 4 })
    await page.mouse.up()
  }
  const ready = () => page.getByRole('columnheader').nth(kept).hover()
  beforeEach(async () => {
    await open(story('default'))
    await ready()
  })

  it('a header is dragged behind another one, which does not sort; Esc leaves it where it was', async () => {
    const before = await headers()
    const [third, second] = [kept + 1, kept].map(at => page.getByRole('columnheader').nth(at))
    const edge = await (second as Locator).boundingBox()
    const target = (edge?.x ?? 0) + 4
    await drag(third as Locator, box => [box.x + 20, box.y + 10, target, box.y + 10])
    await expect
      .poll(headers)
      .toEqual([...before.slice(0, kept), before[kept + 1], before[kept], ...before.slice(kept + 2)])
    expect(await page.locator('[aria-sort]').count()).toBe(1)
    const moved = await headers()
    const box = await page
      .getByRole('columnheader')
      .nth(kept + 2)
      .boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move(target, (box?.y ?? 0) + 10, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await headers()).toEqual(moved)
  })

  it('the edge of a header makes its column wider, which is kept in a view', async () => {
    const name = (await headers())[kept] ?? ''
    const head = page.getByRole('columnheader', { name })
    const start = await widthOf(name)
    await drag(head, box => [box.x + box.width - 3, box.y + 10, box.x + box.width + 77, box.y + 10])
    await expect.poll(() => widthOf(name)).toBe(start + 80)
    await button(/^View.*changed|^View/).click()
    await page.getByRole('menu').getByText('Save as a view…').click()
    await page.getByLabel('View name').fill('Narrow')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const saved = bodies.find(one => one.path === view.saveAs.path)?.body.columns as string[]
    expect(saved.filter(one => one.includes(':'))).toEqual([expect.stringMatching(new RegExp(`^\\w+:${start + 80}$`))])
  })

  it('an edge is drawn again at once where it stands, narrower too, and a double press gives the column its own width back', async () => {
    const [name = '', next = ''] = (await headers()).slice(kept)
    const head = page.getByRole('columnheader', { name })
    const [start, beside] = [await widthOf(name), await widthOf(next)]
    const draw = (by: number) =>
      drag(head, box => [box.x + box.width - 3, box.y + 10, box.x + box.width - 3 + by, box.y + 10])
    for (const [by, wanted] of [
      [80, start + 80],
      [-50, start + 30],
      [-40, start - 10],
      [25, start + 15],
    ] as const) {
      await draw(by)
      expect(await widthOf(name)).toBe(wanted)
    }
    expect(await widthOf(next)).toBe(beside)
    const edge = await head.boundingBox()
    await page.mouse.dblclick((edge?.x ?? 0) + (edge?.width ?? 0) - 3, (edge?.y ?? 0) + 10)
    await expect.poll(() => widthOf(name)).toBe(start)
    expect(await page.locator('[aria-sort]').count()).toBe(1)
  })

  it('a press on an edge that slips by a pixel changes nothing', async () => {
    const name = (await headers())[kept] ?? ''
    const start = await widthOf(name)
    const head = page.getByRole('columnheader', { name })
    await drag(head, box => [box.x + box.width - 3, box.y + 10, box.x + box.width - 2, box.y + 10])
    await button(/^View.*Standard view/).waitFor()
    expect(await widthOf(name)).toBe(start)
    expect(await button(/^View/).innerText()).not.toContain('changed')
  })

  it('in the picker they are dragged too, and made wider by keyboard', async () => {
    const before = await headers()
    const [name = '', second = '', third = ''] = before.slice(kept)
    const start = await widthOf(name)
    await button('Columns').click()
    const line = (label: string) => page.getByRole('dialog').getByText(label, { exact: true })
    const target = await line(third).boundingBox()
    await drag(line(name), box => [box.x + 5, box.y + 5, box.x + 5, (target?.y ?? 0) + (target?.height ?? 0) + 2])
    await expect.poll(headers).toEqual([...before.slice(0, kept), second, third, name, ...before.slice(kept + 3)])
    const wider = button(`Make ${name} wider`)
    await wider.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => widthOf(name)).toBe(start + 20)
    await page.getByText(`${name}: ${start + 20} pixels`).waitFor({ state: 'attached' })
    expect(await isFocused(wider)).toBe(true)
  })
})

describe('pages', () => {
  const last = () => bodies.filter(one => one.path === auditAllot.allotList.path).at(-1)?.body
  const openMany = (total: number) =>
    open(
      'credit-review-order-allocation--default',
      () => page.getByText('MANY0').first(),
      () => many(auditAllot.allotList.path, 'orderNo', total),
    )

  it('go on from the rows that are shown, both ways; the first one and others after a jump are asked for by number', async () => {
    await openMany(70)
    await button('Next page').click()
    await page.getByText('Page 2 of 4').waitFor()
    await expect.poll(last).toMatchObject({ pageNum: 2, after: 'behind-20' })
    await button('Next page').click()
    await expect.poll(last).toMatchObject({ pageNum: 3, after: 'behind-40' })
    await page.getByText('MANY40').waitFor()
    await button('Previous page').click()
    await expect.poll(last).toMatchObject({ pageNum: 2, before: 'before-40' })
    await page.getByText('MANY20').waitFor()
    await button('Previous page').click()
    await page.getByText('MANY0', { exact: true }).waitFor()
    await page.getByRole('columnheader', { name: 'Loan amount' }).getByRole('button').click()
    await expect.poll(last).toMatchObject({ pageNum: 1, sort: '-loanAmount' })
    const first = bodies.map(one => one.body).filter(body => body.pageNum === 1)
    for (const body of first) expect([body.after, body.before]).toEqual([undefined, undefined])
  })

  it('end where the server says so, however many rows the last one has', async () => {
    await openMany(40)
    await button('Next page').click()
    await page.getByText('MANY20').waitFor()
    expect(await button('Next page').isDisabled()).toBe(true)
  })
})

describe('totals', () => {
  const totalling = auditManage.manageList.totalling?.path as string
  const sums = () =>
    answering(
      totalling,
      "return { count: 1234, sums: { loanAmount: '98765.50', actualLoanAmount: '4321.00', overdue: 7 } }",
    )
  const foot = () => page.getByRole('rowheader')

  it('stand at the foot of the table and are of all that match', async () => {
    await open(story('default'), undefined, sums)
    await foot().getByText('Total of 1,234 matching').waitFor()
    const row = page.getByRole('row').filter({ has: foot() })
    await row.getByText('98,765.50').waitFor()
    expect(bodies.find(one => one.path === totalling)?.body).toEqual({ filters: { applyTime: 'last30' } })
  })

  it('of more rows than are counted wait until somebody asks', async () => {
    await open(
      story('default'),
      () => page.getByText('MANY0').first(),
      async () => {
        await many(auditManage.manageList.path, 'orderNo', 20_000)
        await sums()
      },
    )
    await button('Add up all 10,000+').waitFor()
    expect(asked).not.toContain(totalling)
    await button('Add up all 10,000+').click()
    await page.getByText('Total of 1,234 matching').waitFor()
  })
})

describe('a table of 100,000 rows', () => {
  const box = () => page.getByRole('region', { name: 'Table' })
  const drawnRows = () =>
    rows().evaluateAll(all =>
      all.map(row => ({
        place: Number(row.getAttribute('aria-rowindex')),
        key: (row as HTMLElement).dataset.row,
        top: row.getBoundingClientRect().top,
        height: row.getBoundingClientRect().height,
      })),
    )
  beforeEach(async () => {
    await open('parts-table--hundred-thousand-rows')
    // Its height is that of the page, which it finds out once it is drawn.
    let [last, same] = [0, 0]
    const calm = async () => {
      const now = await box().evaluate(one => one.clientHeight)
      same = now === last ? same + 1 : 0
      last = now
      return same
    }
    await expect.poll(calm).toBeGreaterThan(3)
  })

  it('draws what is in sight, says how many there are and which these are', async () => {
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('100001')
    const all = await drawnRows()
    expect(all.length).toBeLessThan(60)
    expect(all[0]).toMatchObject({ place: 2, key: 'LO000001' })
    expect(await box().evaluate(one => one.scrollHeight)).toBe(33 + 100_000 * 36)
  })

  it('keeps every row where its number says, wherever it is scrolled to', async () => {
    for (const top of [36 * 12_345, 36 * 99_990, 0, 7_001]) {
      await box().evaluate((one, to) => one.scrollTo(0, to), top)
      const at = Math.min(Math.floor(top / 36) + 1, 99_990)
      const wanted = `LO${String(at + 5).padStart(6, '0')}`
      await expect.poll(async () => (await drawnRows()).map(one => one.key)).toContain(wanted)
      const placed = await box().evaluate(one =>
        [...one.querySelectorAll<HTMLElement>('tr[data-row]')].map(row => ({
          place: Number(row.getAttribute('aria-rowindex')),
          key: row.dataset.row,
          height: row.getBoundingClientRect().height,
          offset: row.getBoundingClientRect().top - one.getBoundingClientRect().top - 1 - 33 + one.scrollTop,
        })),
      )
      for (const { place, key, height, offset } of placed) {
        expect(key).toBe(`LO${String(place - 1).padStart(6, '0')}`)
        expect(height).toBe(36)
        expect(Math.abs(offset - (place - 2) * 36)).toBeLessThan(1)
      }
      const { at: stayed, most } = await box().evaluate(one => ({
        at: one.scrollTop,
        most: one.scrollHeight - one.clientHeight,
      }))
      expect(stayed).toBe(Math.min(top, most))
    }
  })

  it('rows and the room above them change in one frame where motion is unwanted', async () => {
    const heights = await box().evaluate(one => {
      const within = one.firstElementChild as HTMLElement
      return [3_000_000, 4_000_000].map(height => {
        within.style.height = `${height}px`
        return within.offsetHeight
      })
    })
    expect(heights).toEqual([33 + 100_000 * 36, 4_000_000])
  })

  it('its cursor goes to the last row and back, and columns get no narrower', async () => {
    const widths = () =>
      page.getByRole('columnheader').evaluateAll(all => all.map(one => one.getBoundingClientRect().width))
    const before = await widths()
    await box().focus()
    await page.keyboard.press('End')
    const last = page.getByRole('row').filter({ hasText: 'LO100000' })
    await expect.poll(() => isFocused(last)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => isFocused(page.getByRole('row').filter({ hasText: 'LO099999' }))).toBe(true)
    for (const [index, width] of (await widths()).entries())
      expect(width).toBeGreaterThanOrEqual((before[index] ?? 0) - 0.5)
    await page.keyboard.press('Home')
    await expect.poll(() => isFocused(page.getByRole('row').filter({ hasText: 'LO000001' }))).toBe(true)
  })
})
