import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { ifDefined } from 'lit/directives/if-defined.js'
import { html, unsafeStatic } from 'lit/static-html.js'
import { createElement } from 'react'
import { routeOf } from '../core/contract/routes.ts'
import { widgets } from '../widgets/registry.ts'
import { ScreenDocs } from './docs/screen-docs.tsx'
import { orderNo } from './fixtures/order.ts'
import { settled } from './settled.ts'
import { type Scene, type State, tokenOf } from './states.ts'

/** What a partner writes as attributes. */
export type Attributes = { token?: string; language?: string; theme?: string; density?: string; orderNo?: string }

const found = (tag: string) => {
  const widget = widgets.find(one => one.tag === tag)
  if (!widget) throw new Error(`${tag} is not in the registry`)
  return widget
}

/** What the docs say of a screen: what it is for, its picture, where the portal has it, and the calls it makes with which permissions. */
export const screenMeta = async (
  tag: string,
  purpose: string,
): Promise<Omit<Meta<Attributes>, 'component' | 'title'>> => {
  const { load, path } = found(tag)
  const perm = routeOf(tag)?.perm ?? null
  const calls = [...new Set((await load()).default.calls)]
  return { parameters: { docs: { page: () => createElement(ScreenDocs, { tag, path, perm, purpose, calls }) } } }
}

/** Screens of one record are given its key. */
const recordOf = (tag: string) => (found(tag).system === 'OrderDetailAudit' ? { orderNo } : {})

/** A screen in one state, as a partner would write it. */
export const screenStory = (tag: string, state: State): StoryObj<Attributes> => ({
  args: recordOf(tag),
  render: (given, { globals }) => {
    const name = unsafeStatic(tag)
    const { language, theme, density, token } = {
      ...(globals as Attributes),
      token: tokenOf(state, globals as Partial<Scene>),
      ...given,
    }
    return html`<${name}
      token=${ifDefined(token)}
      language=${ifDefined(language)}
      theme=${ifDefined(theme)}
      density=${ifDefined(density)}
      order-no=${ifDefined(given.orderNo)}
    ></${name}>`
  },
  play: ({ canvasElement }) => settled(canvasElement),
})

/** A screen in use: what it shows after somebody has done something. */
export const acted = (
  tag: string,
  play: NonNullable<StoryObj<Attributes>['play']>,
  args: Attributes = {},
): StoryObj<Attributes> => {
  const story = screenStory(tag, 'Default')
  return { ...story, args: { ...story.args, ...args }, play }
}
