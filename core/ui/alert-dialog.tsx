import { AlertDialog as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../element/context.ts'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** A question that must be answered; Esc and a click outside answer nothing. */
export const AlertDialog = { ...Radix, Content }
