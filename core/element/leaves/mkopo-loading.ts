import { css, html, LitElement, nothing } from 'lit'
import { bootText } from '../../i18n/boot.ts'
import { nearestLanguage } from '../defaults.ts'

/** A thin bar while `active`; short waits show nothing. */
export class MkopoLoading extends LitElement {
  static override properties = { active: { type: Boolean, reflect: true }, shown: { state: true } }
  declare active: boolean
  declare shown: boolean
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.active = false
    this.shown = false
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    if (!changed.has('active')) return
    clearTimeout(this.#timer)
    if (!this.active) this.shown = false
    else this.#timer = setTimeout(() => void (this.shown = true), 150)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  override render() {
    return this.shown
      ? html`<div role="progressbar" aria-label=${bootText(nearestLanguage(this), 'loading')}></div>`
      : nothing
  }

  static override styles = css`
    :host {
      display: block !important;
      height: 2px;
      overflow: hidden;
    }
    div {
      width: 40%;
      height: 2px;
      background: var(--accent-9, #0c7d70);
      animation: run 1.1s ease-in-out infinite;
    }
    @keyframes run {
      from {
        transform: translateX(-100%);
      }
      to {
        transform: translateX(250%);
      }
    }
    @media (prefers-reduced-motion: reduce) {
      div {
        width: 100%;
        animation: none;
      }
    }
  `
}

if (!customElements.get('mkopo-loading')) customElements.define('mkopo-loading', MkopoLoading)

declare global {
  interface HTMLElementTagNameMap {
    'mkopo-loading': MkopoLoading
  }
}
