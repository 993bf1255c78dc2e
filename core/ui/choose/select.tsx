import type { Select as Radix } from '@radix-ui/themes'
import { type ComponentProps, type ReactNode, useContext, useLayoutEffect, useState } from 'react'
import { Late } from '../../element/late.ts'
import { Icon } from '../icons.tsx'
import { OverlayContent, OverlayRoot, OverlayTrigger, useOverlay } from '../overlay/overlay.tsx'
import { ChoiceContext, OptionContext, startingWith, useChoice, useLabels } from './select-choice.ts'

type RootProps = {
  size?: '1' | '2' | '3'
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  disabled?: boolean
  children: ReactNode
}

type TriggerProps = Omit<ComponentProps<'button'>, 'color' | 'children'> & {
  variant?: 'surface' | 'ghost'
  color?: 'gray'
  placeholder?: string
}

const panel = new Late(async () => (await import('./select-panel.tsx')).SelectPanel)

const Root = ({ size = '2', value, defaultValue = '', onValueChange, disabled = false, children }: RootProps) => {
  const [own, setOwn] = useState(defaultValue)
  const choose = (next: string) => {
    setOwn(next)
    onValueChange?.(next)
  }
  return (
    <ChoiceContext value={{ size, value: value ?? own, choose, disabled, ...useLabels() }}>
      <OverlayRoot kind="listbox" panel={panel}>
        {children}
      </OverlayRoot>
    </ChoiceContext>
  )
}

const Trigger = ({ variant = 'surface', color, placeholder, className = '', ...props }: TriggerProps) => {
  const choice = useChoice()
  const { size, value, labels, choose, disabled } = choice
  const { open } = useOverlay()
  return (
    <OverlayTrigger>
      <button
        type="button"
        role="combobox"
        aria-expanded={open}
        aria-autocomplete="none"
        className={`rt-reset rt-SelectTrigger rt-r-size-${size} rt-variant-${variant} ${className}`}
        data-accent-color={color}
        data-placeholder={value === '' ? '' : undefined}
        disabled={disabled}
        onKeyDown={event => {
          if (event.key.length > 1 || event.key === ' ' || event.ctrlKey || event.altKey || event.metaKey) return
          const next = startingWith(choice, event.key)
          if (next !== undefined) choose(next)
        }}
        {...props}
      >
        <span className="rt-SelectTriggerInner">{value === '' ? placeholder : labels.get(value)}</span>
        <Icon name="chevronDown" size={10} />
      </button>
    </OverlayTrigger>
  )
}

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <OverlayContent panel={panel} props={props} before={props.children} />
)

const Item = ({ value, children }: { value: string; children: string }) => {
  const { tell } = useChoice()
  const Option = useContext(OptionContext)
  useLayoutEffect(() => tell(value, children), [tell, value, children])
  return Option && <Option value={value}>{children}</Option>
}

/** One of a few values. */
export const Select = { Root, Trigger, Content, Item }
