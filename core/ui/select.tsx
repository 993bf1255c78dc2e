import { Select as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../element/context.ts'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** One of a few values. */
export const Select = { ...Radix, Content }
