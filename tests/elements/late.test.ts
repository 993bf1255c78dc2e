import { afterEach, clear, clickAt, describe, expect, focused, focusOn, get, it, mount, press, until } from './page.ts'

const fetched = (part: string) =>
  performance.getEntriesByType('resource').filter(({ name }) => name.includes(`/chunks/${part}-`)).length

describe('overlays that are fetched when somebody wants them', () => {
  afterEach(clear)

  it('draws their buttons without them, says what they open, and opens a menu by the key that was pressed first', async () => {
    const widget = await mount()
    const button = await get(widget, 'button', 'Menu')
    const said = () => ['haspopup', 'expanded'].map(name => button.getAttribute(`aria-${name}`)).join(' ')
    expect(said()).to.equal('menu false')
    expect(fetched('dropdown-menu-panel')).to.equal(0)
    button.focus()
    await press('ArrowDown')
    await focusOn('One')
    expect(said()).to.equal('menu true')
    const menu = widget.shadowRoot.getElementById(button.getAttribute('aria-controls') ?? '')
    expect(menu?.getAttribute('role')).to.equal('menu')
    expect(menu?.getAttribute('aria-labelledby')).to.equal(button.id)
    expect(fetched('dropdown-menu-panel')).to.equal(1)
    await press('Escape')
    await focusOn('Menu')
    expect(said()).to.equal('menu false')
  })

  it('opens a panel by the press that came before it, and closes it by the next', async () => {
    const widget = await mount()
    const button = await get(widget, 'button', 'Filters')
    await clickAt(button)
    const panel = await until('the panel', () => widget.shadowRoot.querySelector('[role=dialog]'))
    await focusOn('Inside the popover')
    expect(button.getAttribute('aria-expanded')).to.equal('true')
    expect(Math.abs(panel.getBoundingClientRect().left - button.getBoundingClientRect().left)).to.be.lessThan(24)
    await clickAt(button)
    await until('no panel', () => !widget.shadowRoot.querySelector('[role=dialog]'))
    expect(button.getAttribute('aria-expanded')).to.equal('false')
    await clickAt(button)
    await focusOn('Inside the popover')
  })

  it('shows the value of a select, and lets a letter choose, without the list', async () => {
    const widget = await mount()
    const select = await get(widget, '[role=combobox]', 'State')
    expect(select.textContent).to.equal('All states')
    select.focus()
    await press('c')
    await until('the choice', () => select.textContent === 'Closed')
    expect(select.getAttribute('aria-expanded')).to.equal('false')
    expect(focused()).to.equal('State')
  })

  it('opens a menu by the mouse without moving to its first item', async () => {
    const widget = await mount()
    await clickAt(await get(widget, 'button', 'Menu'))
    const menu = await until('the menu', () => widget.shadowRoot.querySelector('[role=menu]'))
    await until('the focus', () => widget.shadowRoot.activeElement === menu)
  })
})
