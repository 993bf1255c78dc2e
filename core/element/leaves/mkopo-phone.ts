import { html, LitElement } from 'lit'
import { bootText } from '../../i18n/boot.ts'
import { languageOf } from '../../i18n/language.ts'
import { copyValue } from '../copy.ts'
import { nearestLanguage } from '../defaults.ts'
import { buttonStyles } from './button-styles.ts'
import { iconTemplate } from './icon-template.ts'

/**
 * A masked number with *show and copy*. A click sends `mkopo-reveal`; who hears it asks the server and sets `value`,
 * which is then shown, copied and announced. An empty value shows `-`. Serves every sensitive value, not only phones.
 */
export class MkopoPhone extends LitElement {
  static override properties = { masked: {}, language: {}, locked: { type: Boolean }, value: { attribute: false } }
  static override styles = buttonStyles
  declare masked: string
  declare language: string | undefined
  /** The person may not reveal it: no button. */
  declare locked: boolean
  /** The full value, once the server has given it; null where there is none. */
  declare value: string | null | undefined
  #asked = false

  constructor() {
    super()
    this.masked = ''
    this.locked = false
  }

  get #language() {
    return languageOf(this.language) ?? nearestLanguage(this)
  }

  #reveal = (event: Event) => {
    event.stopPropagation()
    this.#asked = true
    if (this.value) this.#copy()
    else this.dispatchEvent(new CustomEvent('mkopo-reveal', { bubbles: true, composed: true }))
  }

  #copy() {
    this.#asked = false
    const button = this.renderRoot.querySelector('button')
    if (button && this.value) void copyValue(button, this.value, this.#language)
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    if (changed.has('value') && this.value && this.#asked) this.#copy()
  }

  override render() {
    const shown = this.value === undefined ? this.masked : this.value
    if (!shown) return html`<span>-</span>`
    const label = bootText(this.#language, 'reveal')
    return html`<span>${shown}</span>${
      this.locked
        ? ''
        : html`<button type="button" ?data-words=${!this.value} title=${label} aria-label="${label} ${shown}" @click=${this.#reveal}>
            ${this.value ? iconTemplate('copy', 14) : label}
          </button>`
    }`
  }
}

if (!customElements.get('mkopo-phone')) customElements.define('mkopo-phone', MkopoPhone)

declare global {
  interface HTMLElementTagNameMap {
    'mkopo-phone': MkopoPhone
  }
  interface HTMLElementEventMap {
    'mkopo-reveal': CustomEvent<null>
  }
}
