import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient, useSelf } from '../../../core/client/providers.tsx'
import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import { auditReview } from '../../../core/contract/audit/review.ts'
import { useCarried } from '../../../core/ui/kept.ts'
import { useUnsaved } from '../../../core/ui/unsaved.ts'

export type DraftState = 'clean' | 'dirty' | 'saving' | 'saved' | 'failed'

const pause = 3000
const pauseAfterFailure = 10_000

type Left = { draft: Draft; saved: string }
/** What the server did not get before the work was left, by person and order, as long as the page lives: a session may end while somebody types. */
const left = new Map<string, Left>()
const textOf = (draft: Draft | null | undefined): string => JSON.stringify(draft ?? null)

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
  const place = `${useSelf().data?.userInfo.userNo ?? ''} ${task.orderNo}`
  /** What the server has, as far as this window knows. */
  const saved = useRef(textOf(task.draft))
  const [again] = useState(() => {
    const found = left.get(place)
    left.delete(place)
    // What was saved elsewhere since counts.
    return carried ?? (found?.saved === saved.current ? found.draft : undefined)
  })
  const [draft, setDraft] = useState<Draft>(again ?? task.draft ?? {})
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
    const sent = latest.current
    left.set(place, { draft: sent, saved: saved.current })
    try {
      await client.call(auditReview.draft, { orderNo, leaseToken, draft: sent }, { background: true })
      saved.current = textOf(sent)
      left.delete(place)
      setState(unsaved.current ? 'dirty' : 'saved')
    } catch (error) {
      unsaved.current = true
      setState('failed')
      if (lose(error)) left.delete(place)
      else timer.current = setTimeout(save, pauseAfterFailure)
    }
  }, [client, lose, orderNo, leaseToken, place])

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
    if (again) change(again)
  }, [again, change])

  useUnsaved(held && (state === 'dirty' || state === 'saving'), save)
  useUnsaved(held && state === 'failed')

  useSavedOnLeaving(save)

  /** Nothing is left to save, for example after the decision. */
  const forget = useCallback(() => {
    unsaved.current = false
    left.delete(place)
    setState('clean')
    clearTimeout(timer.current)
  }, [place])
  return { draft, state, change, save, forget }
}
