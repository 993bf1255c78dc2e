import { useRead } from '../../core/client/providers.tsx'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { OrderLink } from '../../core/engine/table/value.tsx'
import { Loaded } from './loaded.tsx'
import { RecordLog } from './record-log.tsx'
import { StepLine } from './step-line.tsx'
import { stripNames } from './strip-names.ts'

/** An order in short, for a drawer: its strip and its steps; the whole of it is one click away. */
export const OrderBrief = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const summary = useRead(orderBrief.summary, { orderNo })
  const steps = useRead(orderBrief.steps, { orderNo })
  return (
    <>
      <Loaded read={summary}>
        {data => (
          <Section title={t('order.strip')} aside={<OrderLink orderNo={orderNo}>{t('order.openDetail')}</OrderLink>}>
            <Facts schema={orderBrief.summary.output} value={data} names={[...stripNames(data), 'auditorName']} />
          </Section>
        )}
      </Loaded>
      <Section title={t('order.steps')}>
        <Loaded read={steps}>{({ list }) => <StepLine steps={list} />}</Loaded>
      </Section>
      <RecordLog of={{ orderNo }} />
    </>
  )
}
