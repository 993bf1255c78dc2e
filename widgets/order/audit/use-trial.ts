import { useEffect, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { auditReview } from '../../../core/contract/audit/review.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'

export type Plan = OutputOf<typeof auditReview.trial>

const pause = 300

/** A value once it has stood still for a moment. */
const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The plan that an amount would make; null asks nothing. */
export const useTrial = (orderNo: string, amount: string | null) => {
  const settled = useSettled(amount)
  const read = useRead(auditReview.trial, settled ? { orderNo, approvalAmount: settled } : null, { background: true })
  const current = settled === amount && !read.loading
  return { plan: amount && !read.error ? read.data : undefined, error: current ? read.error : undefined, current }
}
