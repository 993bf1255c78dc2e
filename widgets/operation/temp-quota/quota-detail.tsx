import { useRead } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { type QuotaGrant, type QuotaTask, tempQuota } from '../../../core/contract/operation/temp-quota.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

/** What came of a task: limits given, left out, agreed to and used. */
const Use = ({ detail }: { detail: OutputOf<typeof tempQuota.detail> }) => {
  const t = useText()
  const { task, leftOut, usedAmount, usedOrders, lateOrders } = detail
  return (
    <Section title={t('quota.use')}>
      <Facts schema={tempQuota.tasks.row} value={task} names={['granted', 'consented', 'usedGrants', 'leftOutRows']} />
      {leftOut.length > 0 && (
        <Text as="p" size="2">
          {t('quota.leftOut', {
            list: leftOut.map(({ failReason, count }) => `${t(`dict.QUOTA_FAIL.${failReason}`)} ${count}`).join(', '),
          })}
        </Text>
      )}
      {usedOrders > 0 && (
        <Text as="p" size="2">
          {t('quota.usedLine', { orders: usedOrders, late: lateOrders, amount: formatMoney(usedAmount) })}
        </Text>
      )}
    </Section>
  )
}

/** A task: what was asked for, its customers one by one with the limit or the reason of each, and what came of it. */
export const TaskDetail = ({ row }: { row: QuotaTask }) => {
  const t = useText()
  const read = useRead(tempQuota.detail, { quotaTaskNo: row.quotaTaskNo })
  return (
    <Loaded read={read}>
      {detail => (
        <>
          <Section title={t('quota.task')}>
            <Facts
              schema={tempQuota.tasks.row}
              value={detail.task}
              names={[
                'quotaTaskStatus',
                'merchantName',
                'quotaAmount',
                'quotaCustomers',
                'totalAmount',
                'startDate',
                'validityDays',
                'reason',
                'applicantName',
                'createdTime',
                'checkerName',
                'auditTime',
                'auditReason',
              ]}
            />
          </Section>
          <Use detail={detail} />
          <Section title={t('quota.rows')}>
            <PagedTable
              list={tempQuota.rows}
              filters={{ quotaTaskNo: detail.task.quotaTaskNo }}
              size={10}
              batch={50}
              rowKey="quotaRowNo"
              names={['rowNo', 'named', 'customerNo', 'grantNo', 'failReason']}
              empty={t('quota.noRows')}
              label={t('quota.rows')}
            />
          </Section>
          <RecordLog of={{ objectType: 'tempQuotaTask', objectNo: detail.task.quotaTaskNo }} />
        </>
      )}
    </Loaded>
  )
}

/** A limit of a customer from its task to its use. */
export const GrantDetail = ({ row, reload }: { row: QuotaGrant; reload: () => void }) => {
  const t = useText()
  return (
    <>
      <WaitingApproval objectType="tempQuotaGrant" objectNo={row.grantNo} reload={reload} />
      <Section title={t('quota.grant')}>
        <Facts
          schema={tempQuota.records.row}
          value={row}
          names={[
            'grantStatus',
            'customerName',
            'customerNo',
            'phone',
            'merchantName',
            'ownLimit',
            'quotaAmount',
            'startTime',
            'endTime',
            'agreedTime',
            'consentSource',
            'recordingNo',
            'grantOrderNo',
            'beyondAmount',
            'grantUsedTime',
            'quotaTaskNo',
            'revokeReason',
          ]}
        />
      </Section>
      <RecordLog of={{ objectType: 'tempQuotaGrant', objectNo: row.grantNo }} />
    </>
  )
}
