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
const sorted = (_: string, value: unknown) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
/** The same for the same draft, however its fields are ordered. */
const textOf = (draft: Draft | null | undefined): string => JSON.stringify(draft ?? null, sorted)

/** What this window left unsaved of an order before, and what is left of it now. */
const useLeft = (task: AuditTask, unsavedNow: () => Draft | null) => {
  /** What the server could not be given before the page was loaded again. */
  const carried = useCarried<Draft>(`draft/${task.orderNo}`, unsavedNow)
  const place = `${useSelf().data?.userInfo.userNo ?? ''} ${task.orderNo}`
  /** What the server has, as far as this window knows. */
  const saved = useRef(textOf(task.draft))
  const [again] = useState(() => {
    const found = left.get(place)
    left.delete(place)
    // What was saved elsewhere since counts.
    return carried ?? (found?.saved === saved.current ? found.draft : undefined)
  })
  const leave = useCallback((draft: Draft) => void left.set(place, { draft, saved: saved.current }), [place])
  const take = useCallback(
    (draft?: Draft) => {
      if (draft) saved.current = textOf(draft)
      left.delete(place)
    },
    [place],
  )
  return { again, leave, take }
}

/** Saves when the tab is hidden, and when the work ends; asks before what is not saved is left. */
const useSavedOnLeaving = (save: () => Promise<void>, state: DraftState | null): void => {
  useUnsaved(state === 'dirty' || state === 'saving', save)
  useUnsaved(state === 'failed')
  useEffect(() => {
    const hidden = () => void (document.visibilityState === 'hidden' && save())
    document.addEventListener('visibilitychange', hidden)
    return () => {
      document.removeEventListener('visibilitychange', hidden)
      void save()
    }
  }, [save])
}

/** What was typed, saved to the server a moment after the last key and on leaving. */
export const useDraft = (task: AuditTask, held: boolean, lose: (error: unknown) => boolean) => {
  const client = useClient()
  const unsaved = useRef(false)
  const latest = useRef<Draft>({})
  const { again, leave, take } = useLeft(task, () => (unsaved.current ? latest.current : null))
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
    leave(sent)
    try {
      await client.call(auditReview.draft, { orderNo, leaseToken, draft: sent }, { background: true })
      take(sent)
      setState(unsaved.current ? 'dirty' : 'saved')
    } catch (error) {
      unsaved.current = true
      setState('failed')
      if (lose(error)) take()
      else timer.current = setTimeout(save, pauseAfterFailure)
    }
  }, [client, lose, orderNo, leaseToken, leave, take])

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

  useSavedOnLeaving(save, held ? state : null)

  /** Nothing is left to save, for example after the decision. */
  const forget = useCallback(() => {
    unsaved.current = false
    take()
    setState('clean')
    clearTimeout(timer.current)
  }, [take])
  return { draft, state, change, save, forget }
}
