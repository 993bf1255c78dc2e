import { useState } from 'react'
import { errorsAt } from '../../../client/errors.ts'
import type { Results } from '../../../contract/endpoint.ts'
import { useText } from '../../../element/i18n.ts'
import { wordsOf } from '../../table/words.ts'
import { wrongIn } from '../field-words.ts'
import { isStale, useCommand } from '../use-command.ts'
import type { Asked, AskProps } from './asked.ts'
import type { Answers } from './begun.ts'

/** Sends the command; what the server refuses stands at its field, or above the buttons. */
export const useAnswers = (
  { action, rows, rowKey, close }: AskProps,
  { asked, given, form, moveOn }: Asked,
  seek: () => void,
) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [refused, setRefused] = useState<Results | null>(null)
  const [notes, setNotes] = useState<readonly string[]>([])
  const { done } = action
  const command = async (answers: Answers) => {
    setNotes([])
    const between = Object.entries(wrongIn(action.run.input, { ...given, ...answers })).filter(([name]) =>
      asked.includes(name),
    )
    if (between.length) {
      for (const [name, message] of between) form.setError(name, { message })
      return seek()
    }
    const outcome = await send(action.run, { ...given, ...answers } as never, {
      ids: rows.map(row => String(row[rowKey])),
      done: done && (answer => wordsOf(t, typeof done === 'string' ? done : done(answer))),
    })
    if (outcome.is === 'done') {
      const results = outcome.answer as Results | null
      if (results?.fail) setRefused(results)
      else close(true)
    }
    if (outcome.is === 'unanswered') setNotes([t('common.noAnswer')])
    if (outcome.is !== 'refused') return
    if (isStale(outcome.error)) {
      moveOn()
      setNotes([outcome.error.message, t('common.recordChanged')])
    }
    const { fields: wrong, rest } = errorsAt(outcome.error, asked)
    for (const [name, message] of Object.entries(wrong)) form.setError(name, { message })
    if (rest.length) setNotes(rest)
    seek()
  }
  return { submit: form.handleSubmit(command, seek), busy, question, forget, refused, notes }
}
