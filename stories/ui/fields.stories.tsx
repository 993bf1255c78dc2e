import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { z } from 'zod'
import { field, metaOf } from '../../core/contract/fields.ts'
import { cancelReasons } from '../../core/contract/order/cancel-reasons.ts'
import { useText } from '../../core/element/i18n.ts'
import { Section } from '../../core/engine/drawer/facts.tsx'
import { Field } from '../../core/engine/form/field.tsx'
import { Value } from '../../core/engine/table/value.tsx'
import { order } from '../../core/rules/machines/order/order.ts'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Field kinds' } satisfies Meta

type Known = { name: string; schema: z.ZodType; value: unknown }

const kinds: readonly Known[] = [
  { name: 'orderNo', schema: field.key(), value: 'LO260301ABCDEFGH' },
  { name: 'customerName', schema: field.customerName(), value: 'Prossy Nabirye' },
  { name: 'loanAmount', schema: field.money(), value: '1240000.00' },
  { name: 'overdueDays', schema: field.int(), value: 12 },
  { name: 'waitingMinutes', schema: field.minutes(), value: 135 },
  { name: 'handleSeconds', schema: field.seconds(), value: 540 },
  { name: 'overdue', schema: field.flag(), value: true },
  { name: 'orderStatus', schema: field.state(order), value: 'funds_disbursed' },
  { name: 'applyTime', schema: field.time(), value: '2026-03-01T07:15:00Z' },
  { name: 'dueDate', schema: field.date(), value: '2026-03-31' },
  { name: 'workDays', schema: field.weekDays(), value: ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'] },
  { name: 'opensAt', schema: field.clock(), value: '08:00' },
  { name: 'month', schema: field.month(), value: '2026-03' },
  { name: 'share', schema: field.percent(), value: '12.5' },
  { name: 'phone', schema: field.masked('phone', 'order'), value: '25********89' },
  { name: 'remark', schema: field.remark(), value: 'Calls back after lunch' },
]

/** Drawn by its kind wherever it stands: in a list, a drawer, a record. What is missing is a dash. */
export const Shown = part(() => {
  const t = useText()
  return (
    <Section title={t('order.strip')}>
      <dl className="mk-facts">
        {kinds.map(({ name, schema, value }) => (
          <div key={name}>
            <dt>{t.maybe(`fields.${name}`)}</dt>
            <dd>
              <Value name={name} meta={metaOf(schema)} value={value} row={{ orderNo: 'LO260301ABCDEFGH' }} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
})

const asked: readonly Known[] = [
  { name: 'approvalAmount', schema: field.money(), value: '1240000.00' },
  { name: 'phone', schema: field.phone(), value: '' },
  { name: 'idNumber', schema: field.idNumber(), value: '' },
  { name: 'reason', schema: field.dict(cancelReasons), value: undefined },
  { name: 'dueDate', schema: field.date(), value: '2026-03-31' },
  { name: 'entryTime', schema: field.time(), value: '2026-03-01T07:15:00Z' },
  { name: 'merchantNo', schema: z.array(field.merchant()), value: ['N001', 'N002'] },
  { name: 'auditorNo', schema: field.user(), value: undefined },
  { name: 'installmentCount', schema: field.int(), value: 3 },
  { name: 'overdue', schema: field.flag(), value: true },
  { name: 'workDays', schema: field.weekDays(), value: ['mon', 'tue'] },
  { name: 'opensAt', schema: field.clock(), value: '08:00' },
  { name: 'month', schema: field.month(), value: '2026-03' },
  { name: 'share', schema: field.percent(), value: '12.5' },
  { name: 'remark', schema: field.remark(), value: '' },
]

const Form = ({ wrong }: { wrong?: boolean }) => {
  const t = useText()
  const [values, setValues] = useState<Record<string, unknown>>(
    Object.fromEntries(asked.map(({ name, value }) => [name, value])),
  )
  return (
    <div className="mk-form" style={{ maxWidth: 420 }}>
      {asked.map(({ name, schema }) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          value={values[name]}
          optional={name === 'remark'}
          onChange={value => setValues({ ...values, [name]: value })}
          {...(wrong && name !== 'overdue' ? { error: t('validation.infoComplete') } : {})}
        />
      ))}
    </div>
  )
}

/** Asked for by its kind: money with separators, phone and ID with an example, days from a calendar, moments in EAT. */
export const Asked = part(() => <Form />)
/** What is wrong stands below its field, in red and in words, and is read out. */
export const Refused = part(() => <Form wrong />)

const Alone = ({ name, schema, start, error }: { name: string; schema: z.ZodType; start: unknown; error?: string }) => {
  const [value, setValue] = useState(start)
  return (
    <div className="mk-form" style={{ maxWidth: 420 }}>
      <Field name={name} schema={schema} value={value} onChange={setValue} error={error} />
    </div>
  )
}

/** Separators come while typing, and the caret stays where it was among the digits. */
export const Money = part(() => <Alone name="approvalAmount" schema={field.money()} start="1240000.00" />)
/** A day is typed, or chosen in the calendar behind the button. */
export const Day = part(() => <Alone name="dueDate" schema={field.date()} start="2026-03-31" />)
/** JSON says at once in which line and column it is wrong; *Format* sets it neatly. */
export const Json = part(() => <Alone name="after" schema={field.json()} start={'{\n  "limit": 3\n  "days": 14\n}'} />)
/** The same words in each language: what is missing is said below its own field. */
export const Texts = part(() => <Alone name="title" schema={field.texts()} start={{ zh: '还款提醒' }} />)
/** People in their departments, merchants in their companies: a branch takes all that lies in it. */
export const Tree = part(() => <Alone name="merchantNo" schema={z.array(field.merchant())} start={['N001']} />, {
  play: act(pressFirst),
})
/** Companies in the companies they belong to: each is chosen by itself and stands for all below it. */
export const Organization = part(() => <Alone name="organNo" schema={field.organization()} start="O1" />, {
  play: act(pressFirst),
})
