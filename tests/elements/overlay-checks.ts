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
  mount,
  named,
  press,
  shows,
  until,
  type Widget,
} from './page.ts'

const gone = (widget: Widget, selector: string) =>
  until(`no ${selector}`, () => !widget.shadowRoot.querySelector(selector))

/** What must hold for overlays on any page, however it is styled. */
export const overlayChecks = (page: string) =>
  describe(page, () => {
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
      document.body.append(box, cover)
      const widget = await mount({}, box)
      ;(await get(widget, 'button', 'Pay out 3 orders')).click()
      const dialog = await until('the dialog', () => widget.shadowRoot.querySelector('[role=dialog]'))
      expect(document.querySelector('[role=dialog]')).to.equal(null)
      expect(dialog.closest('.w-portal')?.matches(':popover-open')).to.equal(true)
      const { x, y, width, height } = dialog.getBoundingClientRect()
      expect(document.elementFromPoint(x + width / 2, y + height / 2)).to.equal(widget)
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
      await focusOn('Close')
      const seen: string[] = []
      for (let n = 0; n < 6; n++) {
        await press('Tab')
        seen.push(focused())
      }
      expect(seen.join(' > ')).to.equal('Remark > Channel > Cancel > Pay out 3 orders, UGX 1,240,000 > Close > Remark')
      await press('Shift+Tab', 'Shift+Tab')
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
  })
