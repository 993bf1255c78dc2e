import { useRead } from '../../../../core/client/providers.tsx'
import type { Draft } from '../../../../core/contract/audit/queue.ts'
import { auditReview } from '../../../../core/contract/audit/review.ts'

/** The categories of refusal, the reasons of the chosen one, and the chosen reason. */
export const useRefuseCode = ({ auditResult, refuseLevel1, refuseCode }: Draft) => {
  const asked = auditResult === 'refuse'
  const top = useRead(auditReview.refuseCodes, asked ? { level: 1 } : null, { background: true })
  const below = useRead(auditReview.refuseCodes, asked && refuseLevel1 ? { level: 2, parent: refuseLevel1 } : null, {
    background: true,
    keepPreviousData: false,
  })
  const codes = below.data?.list ?? []
  return { categories: top.data?.list ?? [], codes, code: codes.find(one => one.refuseCode === refuseCode) }
}
