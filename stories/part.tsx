import type { StoryObj } from '@storybook/web-components-vite'
import type { ComponentType } from 'react'
import { ClientProviders } from '../core/client/providers.tsx'
import { useHost } from '../core/element/context.ts'
import { defineWidget } from '../core/element/define-widget.tsx'
import { useSheet } from '../core/element/styles.ts'
import engine from '../core/engine/engine.css?sheet'
import { screen } from '../core/engine/screen.ts'
import { settled } from './settled.ts'
import { type Scene, tokenOf } from './states.ts'

const tag = 'mkopo-story-part'
type PartElement = HTMLElement & { shown: ComponentType }

const Part = () => {
  useSheet(engine)
  const { shown: Shown } = useHost().element as PartElement
  return <Shown />
}
if (!customElements.get(tag)) defineWidget({ tag, load: async () => ({ default: screen([], Part) }) }, ClientProviders)

/** A part of the interface inside of a widget of its own: with its theme, its words and its layer for overlays. */
export const part = (shown: ComponentType, more: Partial<StoryObj> = {}, scene: Partial<Scene> = {}): StoryObj => ({
  render: (_, { globals }) => {
    const element = Object.assign(document.createElement(tag), { shown })
    for (const name of ['language', 'theme', 'density']) element.setAttribute(name, String(globals[name]))
    element.setAttribute('token', tokenOf(scene.state ?? 'Default', { ...(globals as Partial<Scene>), ...scene }))
    return element
  },
  play: ({ canvasElement }) => settled(canvasElement),
  ...more,
  parameters: { docs: { source: { type: 'code' } }, ...more.parameters },
})
