import type { Meta, StoryContext } from '@storybook/web-components-vite'
import { useState } from 'react'
import { field, metaOf } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { Input } from '../../core/engine/form/input.tsx'
import { labelOf } from '../../core/engine/table/columns.ts'
import type { PurposeName } from '../../core/rules/upload.ts'
import { Labelled } from '../../core/ui/labelled.tsx'
import { part } from '../part.tsx'
import { settled } from '../settled.ts'

const meta: Meta = { title: 'Parts/Files' }
export default meta

/** A field that takes one file for a purpose, or several. */
const taking = (purpose: PurposeName, many = false) => {
  const shape = metaOf(many ? field.file(purpose).array() : field.file(purpose))
  return () => {
    const t = useText()
    const [value, setValue] = useState<unknown>()
    const label = labelOf(t, 'attachments')
    return (
      <div style={{ maxWidth: 480 }}>
        <Labelled label={label}>
          {tied => <Input tied={tied} label={label} meta={shape} value={value} onChange={setValue} />}
        </Labelled>
      </div>
    )
  }
}

const inputIn = async (canvas: HTMLElement): Promise<HTMLInputElement> => {
  await settled(canvas)
  for (let tries = 0; tries < 200; tries++) {
    const root = canvas.querySelector('mkopo-story-part')?.shadowRoot
    const input = root?.querySelector<HTMLInputElement>('input[type=file]')
    if (input) return input
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the field has not come')
}
/** Hands a file to the field, as the window of the system does. */
const handed =
  (name: string, type: string, bytes: number, wait = true) =>
  async ({ canvasElement }: Pick<StoryContext, 'canvasElement'>) => {
    const input = await inputIn(canvasElement)
    const chosen = new DataTransfer()
    chosen.items.add(new File([new Uint8Array(bytes)], name, { type }))
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    if (wait) await settled(canvasElement, 16)
  }

/** Nothing chosen yet: the field says what it takes. */
export const Empty = part(taking('attachment'))
/** An image field of a purpose whose pictures are cropped. */
export const Image = part(taking('logo'))
/** Several files, images or documents. */
export const Several = part(taking('attachment', true))
/** On its way, over a slow line. */
export const Sending = part(
  taking('attachment'),
  { play: handed('statement.pdf', 'application/pdf', 400_000, false) },
  { network: 'very slow (8 s)' },
)
/** Sent and looked at. */
export const Done = part(taking('attachment'), { play: handed('statement.pdf', 'application/pdf', 400_000) })
/** The connection is gone; what was sent is kept. */
export const Offline = part(
  taking('attachment'),
  { play: handed('statement.pdf', 'application/pdf', 400_000) },
  { state: 'Offline' },
)
/** Not what the field takes. */
export const Refused = part(taking('attachment'), { play: handed('macro.xlsm', '', 4_000) })
