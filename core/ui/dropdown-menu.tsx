import type { DropdownMenu as Radix } from '@radix-ui/themes'
import { type ComponentProps, createContext, useContext } from 'react'
import { Late } from './late.ts'
import { OverlayContent, OverlayRoot, OverlayTrigger, type RootProps } from './overlay.tsx'

type Parts = Pick<typeof Radix, 'Item' | 'Label' | 'RadioGroup' | 'RadioItem' | 'Separator'>

/** What a menu is made of; its panel brings them along. */
export const MenuParts = createContext<Parts | null>(null)
const useParts = () => {
  const parts = useContext(MenuParts)
  if (!parts) throw new Error('a part of a menu outside of its content')
  return parts
}

const panel = new Late(async () => (await import('./dropdown-menu-panel.tsx')).DropdownMenuPanel)

const Root = (props: RootProps) => <OverlayRoot kind="menu" panel={panel} {...props} />

const Content = (props: ComponentProps<typeof Radix.Content>) => <OverlayContent panel={panel} props={props} />

const Item = (props: ComponentProps<typeof Radix.Item>) => {
  const parts = useParts()
  return <parts.Item {...props} />
}

const Label = (props: ComponentProps<typeof Radix.Label>) => {
  const parts = useParts()
  return <parts.Label {...props} />
}

const RadioGroup = (props: ComponentProps<typeof Radix.RadioGroup>) => {
  const parts = useParts()
  return <parts.RadioGroup {...props} />
}

const RadioItem = (props: ComponentProps<typeof Radix.RadioItem>) => {
  const parts = useParts()
  return <parts.RadioItem {...props} />
}

const Separator = (props: ComponentProps<typeof Radix.Separator>) => {
  const parts = useParts()
  return <parts.Separator {...props} />
}

/** Commands behind a button. */
export const DropdownMenu = { Root, Trigger: OverlayTrigger, Content, Item, Label, RadioGroup, RadioItem, Separator }
