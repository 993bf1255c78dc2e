import { useCallback, useEffect, useState } from 'react'
import { useClient } from '../../../../core/client/providers.tsx'
import { auditQueue } from '../../../../core/contract/audit/queue.ts'
import type { OrderSummary } from '../../../../core/contract/order/order-brief.ts'
import { conflictOf, type Hold } from './hold.ts'

const taskOf = (hold: Hold) => ('task' in hold ? hold.task : undefined)

/** Opens the task of an order and keeps account of the lease. */
export const useHold = ({ orderNo, orderStatus, version }: OrderSummary) => {
  const client = useClient()
  const [hold, setHold] = useState<Hold>({ is: 'opening' })

  const open = useCallback(
    async (force = false) => {
      try {
        setHold({ is: 'held', task: await client.call(auditQueue.open, { orderNo, ...(force ? { force } : {}) }) })
      } catch (error) {
        setHold(before => ({ ...(conflictOf(error) ?? { is: 'refused', error }), task: taskOf(before) }))
      }
    },
    [client, orderNo],
  )
  useEffect(() => void open(), [open])

  /** @returns whether the error ended the hold */
  const lose = useCallback((error: unknown): boolean => {
    const conflict = conflictOf(error)
    if (conflict) setHold(before => (before.is === 'held' ? { ...conflict, task: before.task } : before))
    return conflict !== null
  }, [])
  const finish = useCallback((words: string) => setHold({ is: 'done', words }), [])

  if (hold.is === 'held' && orderStatus !== 'pending_review' && version > hold.task.orderVersion)
    setHold({ is: 'gone', task: hold.task, status: orderStatus })
  return { hold, open, lose, finish }
}
