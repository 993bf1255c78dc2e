import { useRead } from '../../core/client/providers.tsx'
import { orderBrief } from '../../core/contract/order-brief.ts'
import { useText } from '../../core/element/i18n.ts'
import { orderPath, ScreenLink } from '../../core/engine/value.tsx'
import { Facts, Section } from './facts.tsx'
import { Loaded } from './loaded.tsx'
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
          <Section
            title={t('order.strip')}
            aside={
              <ScreenLink to={orderPath} query={{ orderNo }}>
                {t('order.openDetail')}
              </ScreenLink>
            }
          >
            <Facts schema={orderBrief.summary.output} value={data} names={[...stripNames(data), 'auditorName']} />
          </Section>
        )}
      </Loaded>
      <Section title={t('order.steps')}>
        <Loaded read={steps}>{({ list }) => <StepLine steps={list} />}</Loaded>
      </Section>
    </>
  )
}
