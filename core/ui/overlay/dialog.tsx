import { Dialog as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import { Themed } from './themed.tsx'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Themed>
    <Radix.Content container={usePortalContainer()} {...props} />
  </Themed>
)

/** A dialog of any shape; forms use `ModalDialog`, records `Drawer`. */
export const Dialog = { ...Radix, Content }
