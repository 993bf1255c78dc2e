import { Popover as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import { StandIn } from '../stand-in.tsx'
import type { Overlay } from './overlay-state.ts'
import { Themed } from './themed.tsx'

/** The part of a popover that is fetched apart. */
export const PopoverPanel = ({ overlay, ...props }: ComponentProps<typeof Radix.Content> & { overlay: Overlay }) => (
  <Radix.Root open={overlay.open} onOpenChange={overlay.setOpen}>
    <Radix.Trigger>
      <StandIn overlay={overlay} />
    </Radix.Trigger>
    <Themed>
      <Radix.Content container={usePortalContainer()} id={overlay.id} {...props} />
    </Themed>
  </Radix.Root>
)
