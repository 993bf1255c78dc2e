import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { html } from 'lit'
import type { MkopoToast } from '../core/element/leaves/mkopo-toast.ts'
import { bootText } from '../core/i18n/boot.ts'
import type { Language } from '../core/i18n/language.ts'
import { settled } from './settled.ts'

const languageOf = (globals: Record<string, unknown>) => globals.language as Language

export default {
  title: 'Small elements/All',
  play: ({ canvasElement }) => settled(canvasElement),
} satisfies Meta

/** Copies its value, and says so. */
export const Copy: StoryObj = {
  render: (_, { globals }) => html`
    <span style="font-family: monospace">LO2611197K3M9Q2A</span>
    <mkopo-copy value="LO2611197K3M9Q2A" language=${languageOf(globals)}></mkopo-copy>
  `,
}

/** A masked number; who hears `mkopo-reveal` asks the server for the full one. */
export const Phone: StoryObj = {
  render: (_, { globals }) => html`
    <mkopo-phone
      masked="25********61"
      language=${languageOf(globals)}
      @mkopo-reveal=${(event: Event) => Object.assign(event.target as Element, { value: '256772345661' })}
    ></mkopo-phone>
  `,
}

/** After the server has given the full value. */
export const PhoneRevealed: StoryObj = {
  render: (_, { globals }) => html`
    <mkopo-phone masked="25********61" .value=${'256772345661'} language=${languageOf(globals)}></mkopo-phone>
  `,
}

/** The person may not reveal it. */
export const PhoneLocked: StoryObj = {
  render: (_, { globals }) =>
    html`<mkopo-phone masked="25********61" locked language=${languageOf(globals)}></mkopo-phone>`,
}

export const PhoneEmpty: StoryObj = { render: () => html`<mkopo-phone></mkopo-phone>` }

/** Shows only when a wait is long enough to be noticed. */
export const LoadingBar: StoryObj = {
  render: () => html`<mkopo-loading active></mkopo-loading>`,
}

const words = { 1: 'loading', 2: 'copy_success', 3: 'notLoaded', 4: 'failed' } as const

/** One region for the whole page: information, success, warning, failure. */
export const Toasts: StoryObj = {
  render: () => html`<mkopo-toast></mkopo-toast>`,
  play: async ({ canvasElement, globals }) => {
    const region = canvasElement.querySelector('mkopo-toast') as MkopoToast
    for (const type of [1, 2, 3, 4] as const) {
      region.show({ type, message: bootText(languageOf(globals), words[type]), ms: 600_000 })
    }
    await settled(canvasElement)
  },
}
