import { createContext, useContext } from 'react'
import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import type { OrderBasic } from '../../../core/contract/order/order.ts'
import type { OrderSummary } from '../../../core/contract/order/order-brief.ts'
import type { Lease } from './lease.ts'

/** Messages by the field they belong to. */
export type Errors = Readonly<Record<string, string>>

/** What the sections of the work panel share. */
export type Work = {
  summary: OrderSummary
  basic: OrderBasic
  task: AuditTask
  lease: Lease
  draft: Draft
  change: (by: Partial<Draft>) => void
  errors: Errors
  /** Puts messages at their fields, in place of those that stand there. */
  place: (errors: Errors) => void
  /** Takes the messages of fields away. */
  clear: (fields: readonly string[]) => void
  /** A call was refused: ends the hold when it says so. @returns whether it did */
  lose: (error: unknown) => boolean
  /** Reloads everything that is shown of the order. */
  reload: () => void
}

export const WorkContext = createContext<Work | null>(null)

export const useWork = (): Work => {
  const work = useContext(WorkContext)
  if (!work) throw new Error('useWork outside of the work panel')
  return work
}
