import { useRef, useState } from 'react'
import { newKey } from '../../client/call.ts'
import { CallError, TransportError } from '../../client/errors.ts'
import { codes } from '../../contract/codes.ts'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { useAct } from './use-act.ts'

/** How a command ended for its dialog. */
export type Outcome<A> =
  | { is: 'done'; answer: A }
  | { is: 'refused'; error: CallError }
  /** Nobody knows whether it happened. */
  | { is: 'unanswered' }

type Options<E extends Endpoint> = { ids?: readonly string[]; done?: (answer: OutputOf<E>) => string | null }
type Question = { words: string; flags: readonly string[] }

/** The record has moved on since it was read: what the form shows of it is no longer true. */
export const isStale = ({ code }: CallError): boolean => code === codes.stateConflict || code === codes.versionConflict

/** Nobody knows, or not yet, whether it was done: sent again, it must be the same call. */
const isOpen = (error: unknown): boolean =>
  error instanceof TransportError ||
  (error instanceof CallError && (error.code === codes.internal || error.code === codes.keyRunning))

/**
 * Sends a command, one at a time. Its key stays until there is an answer: what is sent again after a lost one happens once.
 * `question` is what the server wants confirmed; sending again confirms it, and `forget` takes it back when the answers change.
 */
export const useCommand = () => {
  const act = useAct()
  const key = useRef(newKey())
  const running = useRef<Promise<unknown>>(undefined)
  const [busy, setBusy] = useState(false)
  const [question, setQuestion] = useState<Question | null>(null)
  const once = async <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    o: Options<E>,
  ): Promise<Outcome<OutputOf<E>>> => {
    setBusy(true)
    try {
      const flags = Object.fromEntries((question?.flags ?? []).map(flag => [flag, true]))
      const answer = await act.send(endpoint, { ...(input as object), ...flags } as InputOf<E>, {
        ...o,
        key: key.current,
      })
      key.current = newKey()
      return { is: 'done', answer }
    } catch (error) {
      if (isOpen(error)) return { is: 'unanswered' }
      key.current = newKey()
      if (!(error instanceof CallError)) throw error
      if (error.code === codes.needsConfirmation)
        setQuestion({ words: error.message, flags: (error.data as { confirm?: string[] })?.confirm ?? [] })
      return { is: 'refused', error }
    } finally {
      running.current = undefined
      setBusy(false)
    }
  }
  const send = <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    o: Options<E> = {},
  ): Promise<Outcome<OutputOf<E>>> => {
    running.current ??= once(endpoint, input, o)
    return running.current as Promise<Outcome<OutputOf<E>>>
  }
  return { send, busy, question: question?.words ?? null, forget: () => setQuestion(null) }
}
