import { useRead } from '../../../core/client/providers.tsx'
import { audit, type Draft } from '../../../core/contract/audit.ts'

/** The categories of refusal, the reasons of the chosen one, and the chosen reason. */
export const useRefuseCode = ({ auditResult, refuseLevel1, refuseCode }: Draft) => {
  const asked = auditResult === 'refuse'
  const top = useRead(audit.refuseCodes, asked ? { level: 1 } : null, { background: true })
  const below = useRead(audit.refuseCodes, asked && refuseLevel1 ? { level: 2, parent: refuseLevel1 } : null, {
    background: true,
    keepPreviousData: false,
  })
  const codes = below.data?.list ?? []
  return { categories: top.data?.list ?? [], codes, code: codes.find(one => one.refuseCode === refuseCode) }
}
