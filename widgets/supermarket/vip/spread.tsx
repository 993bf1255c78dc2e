import { z } from 'zod'
import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { type VipMember, vip, type vipLadders, vipLevel } from '../../../core/contract/supermarket/vip.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** The levels of a ladder, the lowest first. */
export const LevelCodes = ({ row }: { row: ConfigRow<typeof vipLadders> }) =>
  row.levels?.map(one => one.levelCode).join(' → ') ?? '–'

/** What earns each level, the lowest first. */
export const Levels = ({ row }: { row: ConfigRow<typeof vipLadders> }) => (
  <SmallTable
    schema={z.object(vipLevel)}
    rows={row.levels ?? []}
    rowKey="levelCode"
    names={Object.keys(vipLevel)}
    empty="–"
  />
)

/** How customers spread over the levels in force, and who moved in the last 30 days. */
export const Spread = () => {
  const t = useText()
  return (
    <Loaded read={useRead(vip.spread, {})}>
      {({ list }) => (
        <SmallTable
          schema={vip.spread.output.shape.list.element}
          rows={list}
          rowKey="levelCode"
          names={['levelCode', 'vipCount', 'memberShare', 'upCount', 'downCount', 'lateShare', 'productCount']}
          empty={t('vip.noLevels')}
        />
      )}
    </Loaded>
  )
}

/** What a customer has done by the measures of levels, and a level that waits for a second person. */
export const MemberDetail = ({ row }: { row: VipMember }) => {
  const input = { objectType: 'customer_vip', objectNo: row.customerNo, approvalStatus: ['pending' as const] }
  const read = useRead(common.approvals, row.pendingApproval === null ? null : input)
  return (
    <>
      {read.data?.list.map(one => (
        <ApprovalBox key={one.approvalNo} approval={one} onChange={() => void read.retry()} />
      ))}
      <Facts
        schema={vip.members.row}
        value={row}
        names={Object.keys(vip.members.row.shape).filter(name => name !== 'blockedBy')}
      />
    </>
  )
}
