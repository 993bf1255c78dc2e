import { Popover as Radix } from '@radix-ui/themes'
import type { ComponentProps, KeyboardEvent } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import { StandIn } from '../stand-in.tsx'
import type { Overlay } from './overlay-state.ts'
import { Themed } from './themed.tsx'

/** Arrows go from a search to the choices below it, and among them; Enter takes one. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const target = event.target as HTMLElement
  if (event.key === 'Enter' && target.matches('[type=checkbox]')) return target.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input')]
  const at = stops.indexOf(target)
  if (!step || at < 0 || event.altKey || event.defaultPrevented) return
  event.preventDefault()
  stops[at + step]?.focus()
}

/** The part of a popover that is fetched apart. */
export const PopoverPanel = ({ overlay, ...props }: ComponentProps<typeof Radix.Content> & { overlay: Overlay }) => (
  <Radix.Root open={overlay.open} onOpenChange={overlay.setOpen}>
    <Radix.Trigger>
      <StandIn overlay={overlay} />
    </Radix.Trigger>
    <Themed>
      <Radix.Content container={usePortalContainer()} id={overlay.id} onKeyDown={walk} {...props} />
    </Themed>
  </Radix.Root>
)
