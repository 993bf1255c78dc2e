import type { DropdownMenu as Radix } from '@radix-ui/themes'
import { type ComponentProps, type ComponentType, createContext, createElement, useContext } from 'react'
import { Late } from '../../element/late.ts'
import { OverlayContent, OverlayRoot, OverlayTrigger, type RootProps } from './overlay.tsx'

type Parts = Pick<typeof Radix, 'CheckboxItem' | 'Group' | 'Item' | 'Label' | 'RadioGroup' | 'RadioItem' | 'Separator'>

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

const part =
  <K extends keyof Parts>(name: K) =>
  (props: ComponentProps<Parts[K]>) =>
    createElement(useParts()[name] as ComponentType<object>, props)

/** Commands behind a button. */
export const DropdownMenu = {
  Root,
  Trigger: OverlayTrigger,
  Content,
  CheckboxItem: part('CheckboxItem'),
  Group: part('Group'),
  Item: part('Item'),
  Label: part('Label'),
  RadioGroup: part('RadioGroup'),
  RadioItem: part('RadioItem'),
  Separator: part('Separator'),
}
