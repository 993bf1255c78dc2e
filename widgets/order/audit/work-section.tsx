import { type ReactNode, useId } from 'react'
import { ProblemText } from './field.tsx'
import { useWork } from './work.ts'

/** One step of the work, with the message that belongs to all of it. */
export const WorkSection = ({
  title,
  aside,
  name,
  children,
}: {
  title: string
  aside?: ReactNode
  name?: string
  children: ReactNode
}) => {
  const id = useId()
  const { errors } = useWork()
  return (
    <section className="mk-work-section" role="group" aria-labelledby={id}>
      <h3>
        <span id={id}>{title}</span> {aside}
      </h3>
      {children}
      <ProblemText text={name && errors[name]} />
    </section>
  )
}
