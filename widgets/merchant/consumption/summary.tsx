import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { consumption } from '../../../core/contract/merchant/consumption.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Figures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type By = 'day' | 'type' | 'merchant'
const bySchema = consumption.summary.input.shape.by

const Dearest = () => {
  const t = useText()
  return (
    <Section title={t('consumption.dearest')}>
      <Loaded read={useRead(consumption.dearest, {})}>
        {({ list }) => (
          <SmallTable
            schema={consumption.dearest.output.shape.list.element}
            rows={list}
            rowKey="orderNo"
            names={['orderNo', 'merchantName', 'amount']}
            empty={t('consumption.nothing')}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** What was used in the last 30 days: by day, by service or by merchant, and the orders that cost most. */
export const Summary = () => {
  const t = useText()
  const [by, setBy] = useState<By>('day')
  const to = eatDate(new Date())
  const read = useRead(consumption.summary, { from: addDays(to, -29), to, by })
  return (
    <>
      <Field name="by" schema={bySchema} value={by} onChange={value => setBy((value as By | undefined) ?? 'day')} />
      <Loaded read={read}>
        {({ list, perDay, thisWeek, lastWeek }) => (
          <>
            <Figures
              label={t('consumption.summary')}
              list={[
                { label: t('fields.perDay'), value: formatMoney(perDay) },
                { label: t('fields.thisWeek'), value: formatMoney(thisWeek) },
                { label: t('fields.lastWeek'), value: formatMoney(lastWeek) },
              ]}
            />
            {by === 'day' && (
              <Bars
                label={t('consumption.summary')}
                bars={list.map(({ name, amount }) => ({
                  name: name.slice(5),
                  value: Number(amount),
                  label: `${name} UGX ${formatMoney(amount)}`,
                }))}
              />
            )}
            <SmallTable
              schema={consumption.summary.output.shape.list.element}
              rows={list}
              rowKey="name"
              names={['name', 'quantity', 'amount']}
              cells={{ name: row => (row.meter ? dictText(t, 'CONSUMPTION_METER', row.meter) : row.name) }}
              empty={t('consumption.nothing')}
            />
          </>
        )}
      </Loaded>
      <Dearest />
    </>
  )
}
