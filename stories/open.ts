import type { StoryContext } from '@storybook/web-components-vite'
import { settled } from './settled.ts'

/** Presses the first button of the story, and waits for what that opens. */
export const open = async ({ canvasElement }: Pick<StoryContext, 'canvasElement'>) => {
  await settled(canvasElement)
  const button = canvasElement.firstElementChild?.shadowRoot?.querySelector('button')
  if (!button) throw new Error('the story has no button')
  button.click()
  await settled(canvasElement)
}
