import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { FlowRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { KeyText } from '../../../core/engine/table/value.tsx'
import { Callout, Flex } from '../../../core/ui/basics.ts'
import { ApprovalCard } from '../../shared/approval-card.tsx'
import { Attachments, useAttachments } from '../../shared/attachments.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

/** One receipt of money with the orders it was applied to. */
export const FlowDetail = ({ flow, reload }: { flow: FlowRow; reload: () => void }) => {
  const t = useText()
  const { data } = useAttachments('flow', flow.flowNo)
  return (
    <>
      <ApprovalCard objectType="flow" objectNo={flow.flowNo} onChange={reload} />
      {flow.flowStatus === 'unproven' && (
        <Callout.Root color="amber" size="1" mb="3">
          <Callout.Text>{t('afterLoan.unprovenHint')}</Callout.Text>
        </Callout.Root>
      )}
      <Facts
        schema={repay.flows.row}
        value={flow}
        names={[
          'serialNo',
          'paymentChannel',
          'paymentCode',
          'accountName',
          'amount',
          'remaining',
          'payerName',
          'payerAccount',
          'entryTime',
          'isrecord',
          'flowStatus',
          'source',
          'proof',
          'ageDays',
          'waitReason',
        ]}
      />
      {data && data.list.length > 0 && (
        <Section title={t('fields.evidence')}>
          <Attachments list={data.list} />
        </Section>
      )}
      <Section title={t('afterLoan.appliedTo')}>
        <Flex gap="3" wrap="wrap">
          {flow.orderNos.length
            ? flow.orderNos.map(orderNo => <KeyText key={orderNo} name="orderNo" value={orderNo} />)
            : t('afterLoan.notApplied')}
        </Flex>
      </Section>
      <RecordLog of={{ objectType: 'flow', objectNo: flow.flowNo }} />
    </>
  )
}
