import { useRead } from '../../../core/client/providers.tsx'
import type { Approval } from '../../../core/contract/common/approval.ts'
import { common } from '../../../core/contract/common/common.ts'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'

type Props = { objectType: string; objectNo: string; reload: () => void }

/** What waits for a second person about a record, with the ways to decide it. */
export const WaitingApproval = ({ objectType, objectNo, reload }: Props) => {
  const read = useRead(common.approvals, { objectType, objectNo, approvalStatus: ['pending' as const] })
  const decided = () => {
    void read.retry()
    reload()
  }
  const list = (read.data as { list: Approval[] } | undefined)?.list ?? []
  return list.map(approval => <ApprovalBox key={approval.approvalNo} approval={approval} onChange={decided} />)
}
