import 'virtual:radix-more'
import { Dialog as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** A dialog of any shape; forms use `ModalDialog`, records `Drawer`. */
export const Dialog = { ...Radix, Content }
