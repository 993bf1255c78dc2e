import { type ReactNode, useId, useState } from 'react'
import { Button, Checkbox, Flex, Text, TextField } from '../basics.ts'
import { Icon } from '../icons.tsx'
import type { Tied } from '../labelled.tsx'
import { Popover } from '../overlay/popover.tsx'
import { ChooseButton } from './choose-button.tsx'

type Option = { value: string; label: string }
type Props = {
  label: string
  options: readonly Option[]
  value: readonly string[]
  onChange: (value: string[]) => void
  /** One value only: choosing closes the panel. */
  single?: boolean
  words: { search: string; none: string; clear: string; choose?: string }
  /** Where it is a field of a form: its label stands above it. */
  tied?: Tied
}

const shown = (options: readonly Option[], value: readonly string[]): ReactNode => {
  const first = options.find(option => option.value === value[0])?.label ?? value[0]
  return value.length > 1 ? `${first} +${value.length - 1}` : first
}

type OptionsProps = Pick<Props, 'label' | 'value'> & {
  found: readonly Option[]
  toggle: (value: string) => void
  none: string
}

const Options = ({ label, found, value, toggle, none }: OptionsProps) => {
  const id = useId()
  return (
    <div className="mk-options" role="group" aria-label={label}>
      {found.map((option, index) => (
        <label key={option.value} className="mk-option" htmlFor={`${id}-${index}`}>
          <Checkbox
            id={`${id}-${index}`}
            size="1"
            checked={value.includes(option.value)}
            onCheckedChange={() => toggle(option.value)}
          />
          <Text size="2">{option.label}</Text>
        </label>
      ))}
      {found.length === 0 && (
        <Text size="2" color="gray">
          {none}
        </Text>
      )}
    </div>
  )
}

/** Chooses one or several of many: a button that says what is chosen, and a panel with a search over the options. */
export const Choose = ({ label, options, value, onChange, single, words, tied }: Props) => {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = options.filter(option => option.label.toLowerCase().includes(search.trim().toLowerCase()))
  const toggle = (chosen: string) => {
    if (single) {
      onChange(value[0] === chosen ? [] : [chosen])
      setOpen(false)
    } else onChange(value.includes(chosen) ? value.filter(one => one !== chosen) : [...value, chosen])
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger>
        <ChooseButton
          label={label}
          shown={value.length ? shown(options, value) : null}
          tied={tied}
          choose={words.choose}
        />
      </Popover.Trigger>
      <Popover.Content size="1" width="260px" aria-label={label}>
        {options.length > 8 && (
          <TextField.Root
            size="2"
            mb="2"
            autoFocus
            value={search}
            placeholder={words.search}
            aria-label={words.search}
            onChange={event => setSearch(event.target.value)}
            onKeyDown={event => event.key === 'Enter' && search && found[0] && toggle(found[0].value)}
          >
            <TextField.Slot>
              <Icon name="search" size={14} />
            </TextField.Slot>
          </TextField.Root>
        )}
        <Options label={label} found={found} value={value} toggle={toggle} none={words.none} />
        {value.length > 0 && (
          <Flex justify="end" mt="2">
            <Button type="button" size="1" variant="ghost" color="gray" onClick={() => onChange([])}>
              {words.clear}
            </Button>
          </Flex>
        )}
      </Popover.Content>
    </Popover.Root>
  )
}
