import { useRead } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { ApprovalBox } from '../../core/engine/form/approval-box.tsx'

type Of = { objectType: string; objectNo: string } | { orderNo: string }

/** What waits for a second person on a record or anywhere on an order, with what it would change; the maker cannot decide it. */
export const ApprovalCard = ({ onChange, ...of }: Of & { onChange: () => void }) => {
  const { data, retry } = useRead(common.approvals, { ...of, approvalStatus: ['pending'] }, { background: true })
  return data?.list.map(approval => (
    <ApprovalBox
      key={approval.approvalNo}
      approval={approval}
      onChange={() => {
        void retry()
        onChange()
      }}
    />
  ))
}
