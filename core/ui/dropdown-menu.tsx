import { DropdownMenu as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../element/context.ts'

/** Not modal: the rest of the page stays readable, and a click beside the menu also does what it was meant for. */
const Root = (props: ComponentProps<typeof Radix.Root>) => <Radix.Root modal={false} {...props} />

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** Commands behind a button. */
export const DropdownMenu = { ...Radix, Root, Content }
