import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { ifDefined } from 'lit/directives/if-defined.js'
import { html, unsafeStatic } from 'lit/static-html.js'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { base } from '../core/contract/endpoint.ts'
import { widgets } from '../widgets/registry.ts'
import { orderNo } from './fixtures/order.ts'
import { settled } from './settled.ts'
import { type Scene, type State, stateInfo, tokenOf } from './states.ts'

/** What a partner writes as attributes. */
export type Attributes = { token?: string; language?: string; theme?: string; density?: string; orderNo?: string }

const found = (tag: string) => {
  const widget = widgets.find(one => one.tag === tag)
  if (!widget) throw new Error(`${tag} is not in the registry`)
  return widget
}

const rights = ({ auth, perm, anyPerm }: Endpoint) =>
  [...(perm ? [perm] : []), ...(anyPerm ?? [])].map(code => `\`${code}\``).join(' or ') ||
  (auth === 'anon' ? 'anybody' : 'any signed-in user')

const callTable = (calls: readonly Endpoint[]) =>
  [
    '| Call | Permission | Written down as |',
    '| --- | --- | --- |',
    ...calls.map(
      call =>
        `| \`${call.method} ${base}${call.path}\` | ${rights(call)} | ${call.audit ? `\`${call.audit}\`` : '–'} |`,
    ),
  ].join('\n')

/** What the docs say of a screen: who does what with it, where the portal has it, which calls it makes with which permissions. */
export const screenMeta = async (
  tag: string,
  purpose: string,
): Promise<Omit<Meta<Attributes>, 'component' | 'title'>> => {
  const { load, path, perm } = found(tag)
  const { calls } = (await load()).default
  const description = [
    purpose,
    `In the portal at \`${path}\`${perm ? `, for holders of \`${perm}\`` : ''}.`,
    `**Calls**\n\n${callTable([...new Set(calls)])}`,
  ].join('\n\n')
  return { parameters: { docs: { description: { component: description } } } }
}

/** Screens of one record are given its key. */
const recordOf = (tag: string) => (found(tag).system === 'OrderDetailAudit' ? { orderNo } : {})

/** A screen in one state, as a partner would write it. */
export const screenStory = (tag: string, state: State): StoryObj<Attributes> => ({
  args: recordOf(tag),
  parameters: { docs: { description: { story: stateInfo[state] } } },
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
  return { ...story, args: { ...story.args, ...args }, parameters: {}, play }
}
