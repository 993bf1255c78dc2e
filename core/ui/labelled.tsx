import { type ReactNode, useId } from 'react'
import { useText } from '../element/i18n.ts'
import { Text } from './basics.ts'

/** What ties a control to its label, its hint and what is wrong with it. */
export type Tied = {
  id: string
  'aria-labelledby': string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Props = {
  label: string
  optional?: boolean
  /** One short line that helps to answer. */
  hint?: string
  /** What is wrong with the answer. */
  error?: string | null
  children: (tied: Tied) => ReactNode
}

/** A labelled field: label, control, hint, what is wrong. */
export const Labelled = ({ label, optional, hint, error, children }: Props) => {
  const t = useText()
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="mk-field">
      <Text as="label" size="2" weight="medium" id={`${id}-label`} htmlFor={id}>
        {label}
        {optional && <span className="mk-optional"> {t('common.optional')}</span>}
      </Text>
      {children({
        id,
        'aria-labelledby': `${id}-label`,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <Text id={`${id}-hint`} size="1" color="gray">
          {hint}
        </Text>
      )}
      {error && (
        <Text id={`${id}-error`} size="1" color="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}
