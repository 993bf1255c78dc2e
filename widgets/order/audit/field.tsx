import { type ReactNode, useId } from 'react'
import { Text } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/select.tsx'
import { useWork } from './work.ts'

/** What is wrong, at the place where it is. */
export const ProblemText = ({ id, text }: { id?: string; text: string | undefined }) =>
  text ? (
    <Text as="div" size="1" color="red" role="alert" id={id} data-problem>
      {text}
    </Text>
  ) : null

export type Control = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

/** A labelled field of the work panel with its message. */
export const WorkField = ({
  name,
  label,
  note,
  children,
}: {
  name: string
  label: ReactNode
  note?: ReactNode
  children: (control: Control) => ReactNode
}) => {
  const id = useId()
  const error = useWork().errors[name]
  return (
    <div className="mk-field">
      <Text as="label" size="2" weight="medium" id={`${id}-label`} htmlFor={id}>
        {label}
      </Text>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': error ? `${id}-problem` : undefined })}
      {note && (
        <Text as="div" size="1" color="gray">
          {note}
        </Text>
      )}
      <ProblemText id={`${id}-problem`} text={error} />
    </div>
  )
}

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
  control?: Control
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
