import { DropdownMenu as Radix } from '@radix-ui/themes'
import type { ComponentProps, FocusEvent } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import { StandIn } from '../stand-in.tsx'
import { MenuParts } from './dropdown-menu.tsx'
import type { Overlay } from './overlay-state.ts'
import { Themed } from './themed.tsx'

type Props = ComponentProps<typeof Radix.Content> & { overlay: Overlay }

/** Radix knows only of keys that were pressed while it was there. */
const focusFirst = (event: FocusEvent, { byKey }: Overlay) => {
  if (event.target !== event.currentTarget || !byKey.current) return
  byKey.current = false
  event.currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
}

/** The part of a menu that is fetched apart. Not modal: the rest of the page stays readable, and a click beside it also does what it was meant for. */
export const DropdownMenuPanel = ({ overlay, children, ...props }: Props) => (
  <Radix.Root modal={false} open={overlay.open} onOpenChange={overlay.setOpen}>
    <Radix.Trigger>
      <StandIn overlay={overlay} />
    </Radix.Trigger>
    <Themed>
      <Radix.Content
        container={usePortalContainer()}
        id={overlay.id}
        aria-labelledby={overlay.button.current?.id}
        onFocus={event => focusFirst(event, overlay)}
        {...props}
      >
        <MenuParts value={Radix}>{children}</MenuParts>
      </Radix.Content>
    </Themed>
  </Radix.Root>
)
