import type { Popover as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { Late } from '../../element/late.ts'
import { OverlayContent, OverlayRoot, OverlayTrigger, type RootProps } from './overlay.tsx'

const panel = new Late(async () => (await import('./popover-panel.tsx')).PopoverPanel)

const Root = (props: RootProps) => <OverlayRoot kind="dialog" panel={panel} {...props} />

const Content = (props: ComponentProps<typeof Radix.Content>) => <OverlayContent panel={panel} props={props} />

/** A small panel beside what opened it. */
export const Popover = { Root, Trigger: OverlayTrigger, Content }
