import { beforeEach, describe, expect, it } from 'vitest'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { view } from '../../core/contract/portal/view.ts'
import {
  answering,
  asked,
  button,
  headers,
  heights,
  isFocused,
  many,
  menu,
  open,
  page,
  rows,
  story,
} from './list-page.ts'

describe('saved views', () => {
  it('are asked for once the list is shown', async () => {
    await open(story('default'))
    await button(/^View/).waitFor()
    expect(asked.indexOf(auditManage.manageList.path)).toBeGreaterThanOrEqual(0)
    expect(asked.indexOf(view.page.path)).toBeGreaterThan(asked.indexOf(auditManage.manageList.path))
  })

  it.each([
    ['forbidden', 'You have no access to this screen'],
    ['signed-out', 'Your session has ended'],
    ['failing', 'Something went wrong'],
    ['offline', 'The connection failed'],
  ])('are neither asked for nor offered when the list is %s', async (state, words) => {
    await open(story(state), () => page.getByText(words).first())
    expect(asked).toContain(auditManage.manageList.path)
    expect(asked).not.toContain(view.page.path)
    expect(await button(/^View/).count()).toBe(0)
  })

  it('change columns and height, and are marked once something differs', async () => {
    await open(story('default'))
    await menu('Close together')
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    expect(await button(/^View/).innerText()).toMatch(/Close together$/)
    await button('Compact rows').click()
    if (process.env.SHOTS) {
      await button(/^View/).click()
      await page.screenshot({ path: `${process.env.SHOTS}/views.png` })
      await page.keyboard.press('Escape')
    }
    await menu('Discard changes')
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    await menu('Keys and customers')
    await expect.poll(async () => (await headers()).filter(Boolean)).toHaveLength(3)
    await menu('Standard view')
    await expect.poll(async () => (await headers()).length).toBeGreaterThan(4)
  })

  it('of colleagues can be used and copied, not changed', async () => {
    await open(story('default'))
    await menu('Morning')
    await button(/^View/).click()
    const items = await page.getByRole('menu').innerText()
    expect(items).toMatch(/Set as default view/)
    expect(items).not.toMatch(/Rename|Delete|colleagues/)
    await page.keyboard.press('Escape')
  })

  it('are saved under a name, by keyboard', async () => {
    await open(story('default'))
    await menu('Save as a view…')
    await page.getByLabel('View name').fill('Late ones')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(asked).toContain(view.saveAs.path)
  })
})

describe('the view that a list starts with', () => {
  const oneDefault = () =>
    answering(
      view.page.path,
      "return { ...data, list: data.list.map(one => ({ ...one, isDefault: one.viewName === 'Close together' })) }",
    )
  const compact = async () => [...new Set(await heights())]

  it('is taken when the address names nothing, and is no step back', async () => {
    await open(story('default'), undefined, async () => {
      await oneDefault()
      await page.addInitScript(() => addEventListener('mkopo-filters-change', () => void (document.title += 'moved')))
    })
    await button(/^View.*Close together/).waitFor()
    await expect.poll(compact).toEqual([28])
    expect(await page.title()).not.toContain('moved')
    await menu('Standard view')
    await expect.poll(compact).toEqual([36])
    expect(await page.title()).toContain('moved')
  })

  it('leaves a list alone that somebody has begun to use', async () => {
    await open(story('default'), undefined, async () => {
      await oneDefault()
      await page.addInitScript(() => {
        const own = window.fetch
        window.fetch = async (address, options) => {
          if (String(address).endsWith('/user/view/page'))
            await new Promise(resolve => addEventListener('pointerup', resolve, { once: true }))
          return own(address, options)
        }
      })
    })
    await page.getByRole('search').getByRole('textbox').first().click()
    await button(/^View.*Standard view/).waitFor()
    await button(/^View/).click()
    await page.getByRole('menu').getByText('default', { exact: true }).waitFor()
    expect(await compact()).toEqual([36])
  })
})

describe('choosing all that match', () => {
  const allocation = 'credit-review-order-allocation--default'
  const lists = () => asked.filter(path => path === auditAllot.allotList.path).length
  const openMany = (total: number) =>
    open(
      allocation,
      () => page.getByText('MANY0').first(),
      () => many(auditAllot.allotList.path, 'orderNo', total),
    )

  it('is offered when the page is chosen, and counts what was found', async () => {
    await openMany(230)
    await page.getByRole('checkbox', { name: 'Choose MANY3', exact: true }).click()
    expect(await button(/that match/).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Choose this page' }).click()
    await page.getByText('20 chosen').waitFor()
    const before = lists()
    await button('Choose all 230 that match').click()
    await page.getByText('All 230 chosen').waitFor()
    expect(lists() - before).toBe(3)
    await button('Clear').click()
    await page.getByText('230 results').waitFor()
  })

  it('takes no more than a command takes, and says so', async () => {
    await openMany(20_000)
    await page.getByRole('checkbox', { name: 'Choose this page' }).click()
    await button('Choose the first 500 of 10,000+').click()
    await page.getByText('The first 500 of 10,000+ chosen').waitFor()
    await button(/^Allocate/)
      .first()
      .click()
    await page.getByRole('dialog').getByText('500').first().waitFor()
  })

  it('ends when other rows are asked for', async () => {
    await openMany(230)
    await page.getByRole('checkbox', { name: 'Choose this page' }).click()
    const first = page.getByRole('search').getByRole('textbox').first()
    await first.fill('LO1')
    await first.press('Enter')
    await page.getByText('230 results').waitFor()
  })
})

describe('keys', () => {
  const focusedRow = () =>
    page.evaluate(() => {
      const root = [...document.querySelectorAll('*')].find(one => one.shadowRoot)?.shadowRoot
      return (root?.activeElement as HTMLElement | null)?.dataset.row ?? null
    })
  const keysOf = () => rows().evaluateAll(all => all.map(row => (row as HTMLElement).dataset.row))

  beforeEach(async () => {
    await open('credit-review-order-allocation--default')
    await button('Reload').focus()
  })

  it('j, k and arrows move from row to row, x chooses, e opens and gives the focus back', async () => {
    const [first, second, third] = await keysOf()
    await page.keyboard.press('j')
    await expect.poll(focusedRow).toBe(first)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focusedRow).toBe(third)
    await page.keyboard.press('k')
    await expect.poll(focusedRow).toBe(second)
    await page.keyboard.press('x')
    await page.getByText('1 chosen').waitFor()
    await page.keyboard.press('x')
    await page.getByText(/results$/).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: second }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focusedRow).toBe(second)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: second }).waitFor()
  })

  it.each(['/', 'f'])('%s goes to the first filter, where keys are letters', async key => {
    await page.keyboard.press(key)
    const filter = page.getByRole('search').getByRole('textbox').first()
    await expect.poll(() => isFocused(filter)).toBe(true)
    await page.keyboard.type('jx?')
    expect(await filter.inputValue()).toBe('jx?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('[ and ] go from record to record in the drawer, and are letters in its fields', async () => {
    const [first, second] = await keysOf()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: first }).waitFor()
    await page.keyboard.press(']')
    await page.getByRole('dialog', { name: second }).waitFor()
    await page.keyboard.press('[')
    await page.getByRole('dialog', { name: first }).waitFor()
    await page.keyboard.press('[')
    await page.getByRole('dialog', { name: first }).waitFor()
  })

  it('c copies the key of the row', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const [first] = await keysOf()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  })

  it('Ctrl+Enter opens the row in a tab of its own', async () => {
    await page.evaluate(() => {
      addEventListener('mkopo-navigate', event => {
        event.preventDefault()
        document.title = JSON.stringify((event as CustomEvent<unknown>).detail)
      })
    })
    const [first] = await keysOf()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.title()).toContain(`"open":"${first}"`)
    expect(JSON.parse(await page.title())).toMatchObject({
      to: '/AdminContent/AuditSystem/OrderAllocation',
      target: 'new',
    })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('? lists them, and nothing else happens meanwhile', async () => {
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Next row, previous row').waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/keys.png` })
    await page.keyboard.press('j')
    expect(await focusedRow()).toBeNull()
    await button('Close', dialog).last().click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('are those of the page while the focus is outside of the list', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    expect(await focusedRow()).toBeNull()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('the link of an order opens a new tab with Ctrl, Shift or Meta', async () => {
    await page.evaluate(() =>
      addEventListener('mkopo-navigate', event => {
        event.preventDefault()
        document.title += (event as CustomEvent<{ target: string }>).detail.target
      }),
    )
    await page.evaluate(() => void (document.title = ''))
    const link = page.getByRole('link').first()
    await link.click()
    for (const modifier of ['Control', 'Shift', 'Meta'] as const) await link.click({ modifiers: [modifier] })
    expect(await page.title()).toBe('samenewnewnew')
  })
})
