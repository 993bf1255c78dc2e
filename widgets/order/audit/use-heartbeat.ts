import { useEffect, useRef } from 'react'
import { useClient } from '../../../core/client/providers.tsx'
import { auditReview } from '../../../core/contract/audit/review.ts'
import type { Lease } from './lease.ts'

const every = 60_000
const signs = ['keydown', 'pointermove', 'pointerdown'] as const

/** Renews the lease each minute in which there was a key or a movement of the mouse. */
export const useHeartbeat = (lease: Lease, held: boolean, lose: (error: unknown) => boolean) => {
  const client = useClient()
  const busy = useRef(false)
  const { orderNo, leaseToken } = lease
  useEffect(() => {
    if (!held) return
    const sign = () => {
      busy.current = true
    }
    const beat = () => {
      if (!busy.current) return
      busy.current = false
      client.call(auditReview.heartbeat, { orderNo, leaseToken }, { background: true }).catch(lose)
    }
    for (const name of signs) document.addEventListener(name, sign, { passive: true })
    const timer = setInterval(beat, every)
    return () => {
      for (const name of signs) document.removeEventListener(name, sign)
      clearInterval(timer)
    }
  }, [client, held, lose, orderNo, leaseToken])
}
