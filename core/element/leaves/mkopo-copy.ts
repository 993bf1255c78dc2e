import { html, LitElement } from 'lit'
import { bootText } from '../../i18n/boot.ts'
import { languageOf } from '../../i18n/language.ts'
import { copyValue } from '../copy.ts'
import { nearestLanguage } from '../defaults.ts'
import { buttonStyles } from './button-styles.ts'
import { iconTemplate } from './icon-template.ts'

/** An 18 px button that copies `value`. */
export class MkopoCopy extends LitElement {
  static override properties = { value: {}, language: {} }
  static override styles = buttonStyles
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true }
  declare value: string
  declare language: string | undefined

  constructor() {
    super()
    this.value = ''
  }

  override render() {
    const language = languageOf(this.language) ?? nearestLanguage(this)
    const copy = (event: Event) => {
      event.stopPropagation()
      void copyValue(event.currentTarget as Element, this.value, language)
    }
    const label = bootText(language, 'copy')
    return html`<button type="button" title=${label} aria-label="${label} ${this.value}" @click=${copy}>${iconTemplate('copy', 14)}</button>`
  }
}

if (!customElements.get('mkopo-copy')) customElements.define('mkopo-copy', MkopoCopy)

declare global {
  interface HTMLElementTagNameMap {
    'mkopo-copy': MkopoCopy
  }
}
