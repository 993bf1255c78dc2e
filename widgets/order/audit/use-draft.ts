import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../../core/client/providers.tsx'
import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import { auditReview } from '../../../core/contract/audit/review.ts'
import { useCarried } from '../../../core/ui/kept.ts'
import { useUnsaved } from '../../../core/ui/unsaved.ts'

export type DraftState = 'clean' | 'dirty' | 'saving' | 'saved' | 'failed'

const pause = 3000
const pauseAfterFailure = 10_000

/** Saves when the tab is hidden, and when the work ends. */
const useSavedOnLeaving = (save: () => Promise<void>): void =>
  useEffect(() => {
    const hidden = () => void (document.visibilityState === 'hidden' && save())
    document.addEventListener('visibilitychange', hidden)
    return () => {
      document.removeEventListener('visibilitychange', hidden)
      void save()
    }
  }, [save])

/** What was typed, saved to the server a moment after the last key and on leaving. */
export const useDraft = (task: AuditTask, held: boolean, lose: (error: unknown) => boolean) => {
  const client = useClient()
  const unsaved = useRef(false)
  const latest = useRef<Draft>({})
  /** What the server could not be given before the page was loaded again. */
  const carried = useCarried<Draft>(`draft/${task.orderNo}`, () => (unsaved.current ? latest.current : null))
  const [draft, setDraft] = useState<Draft>(carried ?? task.draft ?? {})
  const [state, setState] = useState<DraftState>(task.draft ? 'saved' : 'clean')
  latest.current = draft
  const mayBeSaved = useRef(held)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  mayBeSaved.current = held
  const { orderNo, leaseToken } = task

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current)
    if (!unsaved.current || !mayBeSaved.current) return
    unsaved.current = false
    setState('saving')
    try {
      await client.call(auditReview.draft, { orderNo, leaseToken, draft: latest.current }, { background: true })
      setState(unsaved.current ? 'dirty' : 'saved')
    } catch (error) {
      unsaved.current = true
      setState('failed')
      if (!lose(error)) timer.current = setTimeout(save, pauseAfterFailure)
    }
  }, [client, lose, orderNo, leaseToken])

  const change = useCallback(
    (by: Partial<Draft>) => {
      latest.current = { ...latest.current, ...by }
      unsaved.current = true
      setDraft(latest.current)
      setState('dirty')
      clearTimeout(timer.current)
      timer.current = setTimeout(save, pause)
    },
    [save],
  )

  useEffect(() => {
    if (carried) change(carried)
  }, [carried, change])

  useUnsaved(held && (state === 'dirty' || state === 'saving'), save)
  useUnsaved(held && state === 'failed')

  useSavedOnLeaving(save)

  /** Nothing is left to save, for example after the decision. */
  const forget = useCallback(() => {
    unsaved.current = false
    setState('clean')
    clearTimeout(timer.current)
  }, [])
  return { draft, state, change, save, forget }
}
