import {
  afterEach,
  clear,
  clickAt,
  describe,
  expect,
  focused,
  focusOn,
  get,
  it,
  mount as mountIn,
  named,
  press,
  sendKeys,
  sendMouse,
  shows,
  until,
  type Widget,
} from './page.ts'

const gone = (widget: Widget, selector: string) =>
  until(`no ${selector}`, () => !widget.shadowRoot.querySelector(selector))

/** The tree that the widget itself stands in. */
const within = (widget: Widget) => widget.getRootNode() as Document | ShadowRoot

/** Where on its page the widget stands. */
type Place = () => Promise<ParentNode & Node> | (ParentNode & Node)

/** What must hold for overlays on any page, however it is styled. */
export const overlayChecks = (page: string, place: Place = () => document.body) =>
  describe(page, () => {
    const mount = async () => mountIn({}, await place())

    afterEach(clear)

    it('draws overlays inside its own shadow root, above everything', async () => {
      const box = document.createElement('div')
      box.dataset.test = ''
      box.setAttribute(
        'style',
        'transform: translate(20px, 10px) scale(.9); overflow: hidden; contain: paint; display: block',
      )
      const cover = document.createElement('div')
      cover.dataset.test = ''
      cover.setAttribute(
        'style',
        'display: block; position: fixed; inset: 300px 0 0 0; z-index: 2147483647; background: pink',
      )
      const outer = await place()
      outer.append(box)
      document.body.append(cover)
      const widget = await mountIn({}, box)
      ;(await get(widget, 'button', 'Pay out 3 orders')).click()
      const dialog = await until('the dialog', () => widget.shadowRoot.querySelector('[role=dialog]'))
      expect(document.querySelector('[role=dialog]')).to.equal(null)
      expect(dialog.closest('.w-portal')?.matches(':popover-open')).to.equal(true)
      const { x, y, width, height } = dialog.getBoundingClientRect()
      expect(within(widget).elementFromPoint(x + width / 2, y + height / 2)).to.equal(widget)
      expect(widget.shadowRoot.elementFromPoint(x + 4, y + height / 2)?.closest('[role=dialog]')).to.equal(dialog)
      expect(
        Math.round((widget.shadowRoot.querySelector('.rt-DialogOverlay') as Element).getBoundingClientRect().height),
      ).to.equal(innerHeight)
    })

    it('keeps Tab inside a dialog, hides the rest from screen readers, and gives the focus back', async () => {
      const widget = await mount()
      const opener = await get(widget, 'button', 'Pay out 3 orders')
      opener.focus()
      await press('Enter')
      await focusOn('Remark')
      const seen: string[] = []
      for (let n = 0; n < 6; n++) {
        await press('Tab')
        seen.push(focused())
      }
      expect(seen.join(' > ')).to.equal('Channel > Cancel > Pay out 3 orders, UGX 1,240,000 > Close > Remark > Channel')
      await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab')
      await focusOn('Pay out 3 orders, UGX 1,240,000')
      expect(named(widget, 'h1', 'Notifications')?.closest('[aria-hidden=true]')).not.to.equal(null)
      ;(named(widget, 'button', 'Details') as HTMLElement).focus()
      await until('the focus inside again', () => focused() !== 'Details')
      ;(await get(widget, 'button', 'Cancel')).click()
      await gone(widget, '[role=dialog]')
      await focusOn('Pay out 3 orders')
      expect(named(widget, 'h1', 'Notifications')?.closest('[aria-hidden=true]')).to.equal(null)
      expect(document.body.style.pointerEvents).to.equal('')
    })

    it('closes a dialog neither on Esc nor on a click outside, but a drawer on both', async () => {
      const widget = await mount()
      ;(await get(widget, 'button', 'Pay out 3 orders')).click()
      const dialog = await get(widget, '[role=dialog] input', 'Remark')
      await press('Escape')
      await until(
        'an open dialog',
        () =>
          dialog.isConnected && widget.shadowRoot.querySelector('[role=dialog]')?.getAttribute('data-state') === 'open',
      )
      ;(await get(widget, 'button', 'Close')).click()
      await gone(widget, '[role=dialog]')

      const opener = await get(widget, 'button', 'Details')
      opener.focus()
      await press('Enter')
      const note = await get(widget, '[role=dialog] input', 'Note')
      const drawer = note.closest('[role=dialog]') as Element
      await until(
        'the drawer at the right edge',
        () => Math.round(drawer.getBoundingClientRect().right) === document.documentElement.clientWidth,
      )
      expect(Math.round(drawer.getBoundingClientRect().width)).to.equal(Math.round(Math.min(720, innerWidth * 0.96)))
      await press('Escape')
      await gone(widget, '[role=dialog]')
      await focusOn('Details')
    })

    it('moves through a select with the arrow keys', async () => {
      const widget = await mount()
      const select = await get(widget, '[role=combobox]', 'State')
      select.focus()
      await press('Enter')
      await focusOn('All states')
      expect(widget.shadowRoot.querySelector('[role=listbox]')?.closest('.w-portal')).not.to.equal(null)
      await press('ArrowDown')
      await focusOn('Open')
      await press('ArrowDown')
      await focusOn('Closed')
      await press('Enter')
      await gone(widget, '[role=listbox]')
      expect(select.textContent).to.equal('Closed')
      await focusOn('State')
    })

    it('moves through a menu with arrows and letters, and leaves it with Esc', async () => {
      const widget = await mount()
      const opener = await get(widget, 'button', 'Menu')
      opener.focus()
      await press('Enter')
      await focusOn('One')
      await press('ArrowDown')
      await focusOn('Two')
      await press('t', 'h')
      await focusOn('Three')
      await press('Escape')
      await gone(widget, '[role=menu]')
      await focusOn('Menu')
    })

    it('opens a dialog from a menu, and gives the focus back to the button of the menu', async () => {
      const widget = await mount()
      const opener = await get(widget, 'button', 'Menu')
      opener.focus()
      await press('Enter')
      await focusOn('One')
      await press('Enter')
      await get(widget, '[role=dialog] input', 'Remark')
      await gone(widget, '[role=menu]')
      await until('focus in the dialog', () => widget.shadowRoot.activeElement?.closest('[role=dialog]'))
      ;(await get(widget, 'button', 'Cancel')).click()
      await gone(widget, '[role=dialog]')
      await focusOn('Menu')
    })

    it('opens a select inside a dialog and leaves the dialog open', async () => {
      const widget = await mount()
      ;(await get(widget, 'button', 'Pay out 3 orders')).click()
      const select = await get(widget, '[role=dialog] [role=combobox]', 'Channel')
      select.focus()
      await press('Enter')
      await focusOn('All states')
      await press('ArrowDown')
      await focusOn('Open')
      await press('Enter')
      await gone(widget, '[role=listbox]')
      expect(select.textContent).to.equal('Open')
      await focusOn('Channel')
      await get(widget, '[role=dialog] input', 'Remark')
    })

    it('closes a popover on a click elsewhere in the widget, not on one inside', async () => {
      const widget = await mount()
      ;(await get(widget, 'button', 'Filters')).click()
      const field = await get(widget, 'input', 'Inside the popover')
      await focusOn('Inside the popover')
      await clickAt(field)
      await focusOn('Inside the popover')
      await clickAt(await get(widget, 'h1', 'Notifications'))
      await until('no popover', () => !named(widget, 'input', 'Inside the popover'))
    })

    it('moves through tabs with the arrow keys', async () => {
      const widget = await mount()
      ;(await get(widget, '[role=tab]', 'First')).focus()
      await press('ArrowRight')
      await focusOn('Second')
      await shows(widget, 'Third')
    })

    it('opens a menu beside its button, above everything', async () => {
      const widget = await mount()
      const opener = await get(widget, 'button', 'Menu')
      opener.focus()
      await press('Enter')
      await focusOn('One')
      const menu = await until('the menu', () => widget.shadowRoot.querySelector('[role=menu]'))
      await until('the menu at its button', () => {
        const [at, by] = [menu.getBoundingClientRect(), opener.getBoundingClientRect()]
        return Math.abs(at.x - by.x) <= 3 && at.y >= by.bottom - 1 && at.y < by.bottom + 10
      })
      const { x, bottom } = menu.getBoundingClientRect()
      expect(within(widget).elementFromPoint(x + 20, bottom - 12)).to.equal(widget)
      await press('Escape')
      await gone(widget, '[role=menu]')
    })

    it('closes a popover on a click on the page and in another widget', async () => {
      const [widget, other] = [await mount(), await mount()]
      for (const elsewhere of [document.documentElement, await get(other, 'h1', 'Notifications')]) {
        ;(await get(widget, 'button', 'Filters')).click()
        await focusOn('Inside the popover')
        if (elsewhere instanceof HTMLHtmlElement) await sendMouse({ type: 'click', position: [1, 1] })
        else await clickAt(elsewhere)
        await until('no popover', () => !named(widget, 'input', 'Inside the popover'))
      }
    })

    it('explains a button that is pointed at, inside its own shadow root', async () => {
      const widget = await mount()
      const { x, y, width, height } = (await get(widget, 'button', 'Break')).getBoundingClientRect()
      await sendMouse({ type: 'move', position: [Math.round(x + width / 2), Math.round(y + height / 2)] })
      const tip = await until('the tooltip', () => widget.shadowRoot.querySelector('[role=tooltip]'))
      expect(tip.closest('.w-portal')).not.to.equal(null)
      expect(document.querySelector('[role=tooltip]')).to.equal(null)
      for (const at of [1, 2, 3]) await sendMouse({ type: 'move', position: [at, at] })
      await gone(widget, '[role=tooltip]')
    })

    it('lets somebody type in a dialog, and neither a click beside it nor a script takes the focus out', async () => {
      const field = document.createElement('input')
      field.dataset.test = ''
      document.body.append(field)
      const widget = await mount()
      ;(await get(widget, 'button', 'Pay out 3 orders')).click()
      const remark = (await get(widget, '[role=dialog] input', 'Remark')) as HTMLInputElement
      remark.focus()
      await sendKeys({ type: 'typed' })
      expect(remark.value).to.equal('typed')
      field.focus()
      await until('the focus inside again', () => widget.shadowRoot.activeElement?.closest('[role=dialog]'))
      await sendMouse({ type: 'click', position: [3, 3] })
      await until('an open dialog', () => remark.isConnected && remark.closest('[role=dialog][data-state=open]'))
      expect(remark.value).to.equal('typed')
    })
  })
