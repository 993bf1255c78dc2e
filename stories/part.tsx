import type { Args, StoryObj } from '@storybook/web-components-vite'
import type { ComponentType } from 'react'
import { ClientProviders } from '../core/client/providers.tsx'
import { loan } from '../core/contract/after-loan/loan.ts'
import { audit } from '../core/contract/audit/audit.ts'
import { upload } from '../core/contract/common/upload.ts'
import { user } from '../core/contract/user/user.ts'
import { useHost } from '../core/element/context.ts'
import { useSheet } from '../core/element/styles.ts'
import engine from '../core/engine/engine.css?sheet'
import { screen } from '../core/engine/screen.ts'
import { defineWidget } from '../core/widget/define-widget.tsx'
import { settled } from './settled.ts'
import { type Scene, tokenOf } from './states.ts'

const tag = 'mkopo-story-part'
type PartElement = HTMLElement & { shown: ComponentType<Args>; given: Args }

const Part = () => {
  useSheet(engine)
  const { shown: Shown, given } = useHost().element as PartElement
  return <Shown {...given} />
}
/** Parts are shown with the words of these nouns. */
const spoken = [...Object.values(audit), ...Object.values(loan), ...Object.values(upload), ...Object.values(user)]
if (!customElements.get(tag))
  defineWidget({ tag, load: async () => ({ default: screen(spoken, Part) }) }, ClientProviders)

/** A part of the interface inside of a widget of its own: with its theme, its words and its layer for overlays. Its args are its properties. */
export const part = <A extends Args = Args>(
  shown: ComponentType<A>,
  more: Partial<StoryObj<A>> = {},
  scene: Partial<Scene> = {},
): StoryObj<A> => ({
  render: (given, { globals }) => {
    const element = Object.assign(document.createElement(tag), { shown, given })
    for (const name of ['language', 'theme', 'density']) element.setAttribute(name, String(globals[name]))
    element.setAttribute('token', tokenOf(scene.state ?? 'Default', { ...(globals as Partial<Scene>), ...scene }))
    return element
  },
  play: ({ canvasElement }) => settled(canvasElement),
  ...more,
  parameters: { docs: { source: { type: 'code' } }, ...more.parameters },
})
