import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { field } from '../../../core/contract/fields.ts'
import { type maturities, maturity } from '../../../core/contract/merchant/maturity.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { eatDate, isDate } from '../../../core/rules/time.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Loading } from '../../../core/ui/states.tsx'

type Row = ConfigRow<typeof maturities>
type Input = { draft: never; payoutDate: string; productNo: string }
const [product, day] = [field.product(), field.date()]

/** The calendar of a customer of a product who is paid out on a day, by the version in force. */
export const Preview = ({ row }: { row: Row }) => {
  const t = useText()
  const [productNo, setProduct] = useState<unknown>(row.productNo ?? undefined)
  const [payoutDate, setDay] = useState<unknown>(eatDate(new Date()))
  const { dueShift, reminderPlan, extensionFromDay, extensionToDay } = row
  const draft = { dueShift, reminderPlan, extensionFromDay, extensionToDay } as never
  const ready = typeof productNo === 'string' && typeof payoutDate === 'string' && isDate(payoutDate)
  const read = useRead(
    maturity.preview,
    ready && dueShift ? ({ draft, payoutDate, productNo } as Input as never) : null,
  )
  if (!dueShift) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <Field name="productNo" schema={product} value={productNo} onChange={setProduct} />
      <Field name="payoutDate" schema={day} value={payoutDate} onChange={setDay} />
      {ready && !read.data && <Loading rows={2} />}
      {ready &&
        read.data?.bills.map(bill => (
          <section key={bill.installmentNo} className="mk-section" aria-label={bill.dueDate}>
            <h3>
              {t('fields.dueDate')} {bill.dueDate}
              {bill.termDate !== bill.dueDate && ` · ${t('maturity.movedFrom', { date: bill.termDate })}`}
            </h3>
            <ul>
              {bill.reminders.map(({ date, time, nodeCode }) => (
                <li key={`${date} ${time}`}>
                  {date} {time} {dictText(t, 'REMINDER_NODE', nodeCode)}
                </li>
              ))}
              <li>
                {t('fields.extensionDays')}:{' '}
                {t('maturity.offeredDays', { from: bill.extensionFrom, to: bill.extensionTo })}
              </li>
            </ul>
          </section>
        ))}
      <Callout.Root size="1" color="amber">
        <Callout.Text>{t('maturity.notSent')}</Callout.Text>
      </Callout.Root>
    </div>
  )
}
