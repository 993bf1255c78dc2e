import { type FlowRow, repay } from '../../core/contract/repay.ts'
import { useText } from '../../core/element/i18n.ts'
import { KeyText } from '../../core/engine/value.tsx'
import { Flex } from '../../core/ui/basics.ts'
import { ApprovalCard } from '../shared/approval-card.tsx'
import { Facts, Section } from '../shared/facts.tsx'

/** One receipt of money with the orders it was applied to. */
export const FlowDetail = ({ flow, reload }: { flow: FlowRow; reload: () => void }) => {
  const t = useText()
  return (
    <>
      <ApprovalCard objectType="flow" objectNo={flow.flowNo} onChange={reload} />
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
          'ageDays',
          'waitReason',
        ]}
      />
      <Section title={t('afterLoan.appliedTo')}>
        <Flex gap="3" wrap="wrap">
          {flow.orderNos.length
            ? flow.orderNos.map(orderNo => <KeyText key={orderNo} name="orderNo" value={orderNo} />)
            : t('afterLoan.notApplied')}
        </Flex>
      </Section>
    </>
  )
}
