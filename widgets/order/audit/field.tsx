import type { ReactNode } from 'react'
import { Text } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { Labelled, type Tied } from '../../../core/ui/labelled.tsx'
import { useWork } from './work.ts'

/** What is wrong, at the place where it is. */
export const ProblemText = ({ text }: { text: string | undefined }) =>
  text ? (
    <Text as="div" size="1" color="red" role="alert">
      {text}
    </Text>
  ) : null

/** A labelled field of the work panel with its message. */
export const WorkField = ({
  name,
  label,
  note,
  children,
}: {
  name: string
  label: string
  note?: string | undefined
  children: (control: Tied) => ReactNode
}) => (
  <Labelled label={label} error={useWork().errors[name] ?? null} {...(note ? { hint: note } : {})}>
    {children}
  </Labelled>
)

/** One of a few values. */
export const Pick = ({
  options,
  value,
  onChange,
  placeholder,
  label,
  control,
}: {
  options: readonly { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string) => void
  placeholder: string
  /** Where no visible label stands beside it. */
  label?: string
  control?: Tied
}) => (
  <Select.Root value={value ?? ''} onValueChange={onChange}>
    <Select.Trigger className="mk-pick" placeholder={placeholder} aria-label={label} {...control} />
    <Select.Content position="popper">
      {options.map(option => (
        <Select.Item key={option.value} value={option.value}>
          {option.label}
        </Select.Item>
      ))}
    </Select.Content>
  </Select.Root>
)
