import { useMemo } from 'react'
import { newKey } from '../../client/call.ts'
import { CallError, TransportError } from '../../client/errors.ts'
import { refreshFollowing, useClient } from '../../client/providers.tsx'
import { codes } from '../../contract/codes.ts'
import type { Endpoint, InputOf, OutputOf, Results } from '../../contract/endpoint.ts'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'

const isResults = (answer: unknown): answer is Results =>
  typeof answer === 'object' && answer !== null && 'ok' in answer && 'fail' in answer && 'rows' in answer

/** Codes that a dialog of their own answers, or that end the session: no toast. */
const quiet: readonly number[] = [codes.needsConfirmation, codes.stepUp, codes.signedOut]

/** Toasts of a widget, in the types and times of the console. */
export const useToast = () => {
  const host = useHost()
  return useMemo(
    () => ({
      info: (message: string) => void host.emit('mkopo-toast', { type: 1, message }),
      done: (message: string) => void host.emit('mkopo-toast', { type: 2, message }),
      warn: (message: string) => void host.emit('mkopo-toast', { type: 3, message }),
      failed: (message: string) => void host.emit('mkopo-toast', { type: 4, message, ms: 2000 }),
    }),
    [host],
  )
}

/** Sends commands: shows a toast, tells the host, and throws a refusal, so that a form stays open. */
export const useAct = () => {
  const client = useClient()
  const host = useHost()
  const toast = useToast()
  const t = useText()
  return useMemo(
    () => ({
      newKey,
      send: async <E extends Endpoint>(
        endpoint: E,
        input: InputOf<E>,
        o: { key?: string; ids?: readonly string[]; done?: (answer: OutputOf<E>) => string | null } = {},
      ): Promise<OutputOf<E>> => {
        const note = (outcome: 'done' | 'refused' | 'partial', counts?: { ok: number; fail: number }) =>
          host.emit('mkopo-action', {
            action: endpoint.audit ?? endpoint.path,
            ids: o.ids ?? [],
            outcome,
            ...(counts ? { counts } : {}),
          })
        try {
          const answer = await client.call(endpoint, input, { key: o.key })
          if (endpoint.audit && (endpoint.perm || endpoint.anyPerm || endpoint.on)) refreshFollowing()
          if (isResults(answer)) {
            note(answer.fail === 0 ? 'done' : answer.ok === 0 ? 'refused' : 'partial', {
              ok: answer.ok,
              fail: answer.fail,
            })
            const words = o.done?.(answer) ?? t('common.okFail', { ok: answer.ok, fail: answer.fail })
            if (answer.fail === 0) toast.done(words)
            else toast.warn(words)
          } else {
            note('done')
            const words = o.done ? o.done(answer) : t('common.done')
            if (words) toast.done(words)
          }
          return answer
        } catch (error) {
          note('refused')
          if (error instanceof CallError && !quiet.includes(error.code)) toast.failed(error.message)
          if (error instanceof TransportError) toast.warn(t('common.noAnswer'))
          throw error
        }
      },
    }),
    [client, host, toast, t],
  )
}
