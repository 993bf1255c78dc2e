import { css, html, LitElement } from 'lit'
import { bootText } from '../../i18n/boot.ts'
import { nearestLanguage } from '../defaults.ts'
import type { ToastDetail } from '../events.ts'
import { iconTemplate } from './icon-template.ts'

type Item = ToastDetail & { id: number }
type Timer = { left: number; since: number; handle: ReturnType<typeof setTimeout> }

const marks = { 1: 'info', 2: 'check', 3: 'warning', 4: 'close' } as const

/**
 * The page's region for short messages: `show({ type, message, ms })`. The same words are never shown twice at once;
 * pointer or focus on a message keeps it.
 */
export class MkopoToast extends LitElement {
  static override properties = { items: { state: true } }
  declare items: readonly Item[]
  #timers = new Map<number, Timer>()
  #next = 1

  constructor() {
    super()
    this.items = []
  }

  override connectedCallback() {
    super.connectedCallback()
    this.popover = 'manual'
    // A modal hides everything around it from screen readers, except what carries this attribute.
    this.setAttribute('aria-live', 'off')
  }

  show({ type, message, ms = 3000 }: ToastDetail) {
    if (this.items.some(item => item.message === message)) return
    const id = this.#next++
    this.items = [...this.items, { id, type, message, ms }]
    this.#start(id, ms)
    // Shown again it lies above overlays that opened meanwhile.
    if (this.matches(':popover-open')) this.hidePopover()
    this.showPopover()
  }

  #start(id: number, left: number) {
    this.#timers.set(id, { left, since: Date.now(), handle: setTimeout(() => this.#remove(id), left) })
  }

  #remove(id: number) {
    clearTimeout(this.#timers.get(id)?.handle)
    this.#timers.delete(id)
    this.items = this.items.filter(item => item.id !== id)
    if (!this.items.length && this.isConnected) this.hidePopover()
  }

  #hold = (id: number) => {
    const timer = this.#timers.get(id)
    if (!timer) return
    clearTimeout(timer.handle)
    timer.left = Math.max(500, timer.left - (Date.now() - timer.since))
  }

  #release = (id: number) => {
    const timer = this.#timers.get(id)
    if (timer) this.#start(id, timer.left)
  }

  override render() {
    return this.items.map(
      item => html`
        <div
          class="item t${item.type}"
          role=${item.type > 2 ? 'alert' : 'status'}
          @pointerenter=${() => this.#hold(item.id)}
          @pointerleave=${() => this.#release(item.id)}
          @focusin=${() => this.#hold(item.id)}
          @focusout=${() => this.#release(item.id)}
        >
          <span class="mark">${iconTemplate(marks[item.type])}</span>
          <span>${item.message}</span>
          <button type="button" aria-label=${bootText(nearestLanguage(this), 'close')} @click=${() => this.#remove(item.id)}>
            ${iconTemplate('close', 12)}
          </button>
        </div>
      `,
    )
  }

  static override styles = css`
    :host {
      all: initial !important;
      color-scheme: inherit !important;
      position: fixed !important;
      inset: 16px 0 auto !important;
      display: none !important;
      justify-items: center !important;
      gap: 8px !important;
      margin: 0 auto !important;
      pointer-events: none !important;
    }
    :host(:popover-open) {
      display: grid !important;
    }
    .item {
      display: flex;
      align-items: center;
      gap: 8px;
      box-sizing: border-box;
      max-width: min(520px, 92vw);
      padding: 8px 8px 8px 12px;
      border: 1px solid light-dark(#d9d9e0, #43484e);
      border-inline-start: 3px solid var(--tone);
      border-radius: 4px;
      background: light-dark(#fff, #212225);
      box-shadow: 0 4px 16px rgb(0 0 0 / 14%);
      color: light-dark(#1c2024, #edeef0);
      font: 14px/20px system-ui, sans-serif;
      font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere;
      pointer-events: auto;
    }
    .t1 {
      --tone: light-dark(#0d74ce, #70b8ff);
    }
    .t2 {
      --tone: light-dark(#1f7a52, #3dd68c);
    }
    .t3 {
      --tone: light-dark(#ab6400, #ffca16);
    }
    .t4 {
      --tone: light-dark(#ce2c31, #ff9592);
    }
    .mark {
      display: flex;
      flex: none;
      color: var(--tone);
    }
    button {
      all: unset;
      display: flex;
      flex: none;
      padding: 4px;
      border-radius: 3px;
      color: light-dark(#60646c, #b0b4ba);
      cursor: pointer;
    }
    button:hover {
      background: light-dark(#f0f0f3, #2e3135);
    }
    button:focus-visible {
      outline: 2px solid light-dark(#0d74ce, #70b8ff);
    }
  `
}

if (!customElements.get('mkopo-toast')) customElements.define('mkopo-toast', MkopoToast)

/** The one region of the page; made when the first message comes. */
export const toastRegion = () => {
  const found = document.querySelector('mkopo-toast')
  if (found) return found
  return document.body.appendChild(document.createElement('mkopo-toast'))
}

declare global {
  interface HTMLElementTagNameMap {
    'mkopo-toast': MkopoToast
  }
}
