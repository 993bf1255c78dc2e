import { Popover as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../element/context.ts'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** A small panel beside what opened it. */
export const Popover = { ...Radix, Content }
