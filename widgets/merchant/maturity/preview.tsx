import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { field } from '../../../core/contract/fields.ts'
import { type maturities, maturity } from '../../../core/contract/merchant/maturity.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { eatDate, isDate } from '../../../core/rules/time.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { VersionChoice } from '../../shared/version-choice.tsx'

type Row = ConfigRow<typeof maturities>
type Draft = InputOf<typeof maturity.preview>['draft']
const [product, day] = [field.product(), field.date()]

/** What a version does to a customer of a product who is paid out on a day. */
const Calendar = ({ row, draft }: { row: Row; draft: Draft }) => {
  const t = useText()
  const [productNo, setProduct] = useState<unknown>(row.productNo ?? undefined)
  const [payoutDate, setDay] = useState<unknown>(eatDate(new Date()))
  const ready = typeof productNo === 'string' && typeof payoutDate === 'string' && isDate(payoutDate)
  const read = useRead(maturity.preview, ready ? { draft, payoutDate, productNo } : null)
  return (
    <>
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
                {t('maturity.extensionOffered')}:{' '}
                {t('maturity.offeredDays', { from: bill.extensionFrom, to: bill.extensionTo })}
              </li>
            </ul>
          </section>
        ))}
      <Callout.Root size="1" color="amber">
        <Callout.Text>{t('maturity.notSent')}</Callout.Text>
      </Callout.Root>
    </>
  )
}

/** The calendar of a customer of a product who is paid out on a day: by the version in force, or by any other that is chosen. */
export const Preview = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(maturity.versions, { maturityNo: row.maturityNo } as never)
  const [versionNo, choose] = useState<string>()
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={2} />
    )
  const { list } = read.data
  const chosen =
    list.find(one => one.versionNo === versionNo) ?? list.find(one => one.versionStatus === 'effective') ?? list[0]
  if (!chosen) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <VersionChoice list={list} chosen={chosen} choose={choose} />
      <Calendar row={row} draft={chosen.content as Draft} />
    </div>
  )
}
