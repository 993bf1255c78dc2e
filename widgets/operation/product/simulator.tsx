import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { VersionRow } from '../../../core/contract/config-versions.ts'
import { field } from '../../../core/contract/fields.ts'
import type { PricedLoan, product } from '../../../core/contract/operation/product.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Badge, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { VersionChoice } from '../../shared/version-choice.tsx'

type Calls = typeof product
type Draft = Readonly<Record<string, unknown>>
const amountField = field.money()
const colours = { ok: 'green', warn: 'amber', over: 'red' } as const
const spokenIn = ['zh', 'en', 'sw'] as const

/** The caps that were asked, each with the figure it looks at. */
const Caps = ({ caps }: Pick<PricedLoan, 'caps'>) => {
  const t = useText()
  if (caps.length === 0) return <Text color="gray">{t('product.noCaps')}</Text>
  return caps.map(({ capKey, figure, capValue, verdict }) => (
    <Flex key={capKey} gap="2" align="center" mb="1">
      <Badge color={colours[verdict]}>{dictText(t, 'CAP_VERDICT', verdict)}</Badge>
      <Text size="1">
        {dictText(t, 'CAP_KEY', capKey)} {figure}% / {capValue}%
      </Text>
    </Flex>
  ))
}

/** What a loan costs, its bills, and what the customer reads of it. */
const Loan = ({ calls, loan }: { calls: Calls; loan: PricedLoan }) => {
  const t = useText()
  const schema = calls.preview.output
  return (
    <>
      <Flex direction="column" mt="3">
        <SmallTable
          schema={schema}
          rows={[loan]}
          rowKey="loanAmount"
          names={['loanAmount', 'actualLoanAmount', 'repayTotal', 'interestMonthRate', 'allInMonthRate', 'lateMaxRate']}
          empty=""
          label={t('product.preview')}
        />
      </Flex>
      <section className="mk-section">
        <h3>{t('product.law')}</h3>
        <Caps caps={loan.caps} />
      </section>
      <section className="mk-section">
        <h3>{t('product.bills')}</h3>
        <SmallTable
          schema={schema.shape.bills.element}
          rows={loan.bills}
          rowKey="installmentNo"
          names={['installmentNo', 'dueDate', 'principal', 'interest', 'serviceFee', 'managementFee', 'billAmount']}
          empty=""
          label={t('product.bills')}
        />
        <Text as="p" size="1" color="gray" mt="1">
          {t('product.rounding')}
        </Text>
      </section>
      <section className="mk-section">
        <h3>{t('product.customerReads')}</h3>
        {spokenIn.map(language => (
          <Text as="p" size="2" mb="2" key={language} lang={language}>
            {loan.costSummary[language]}
          </Text>
        ))}
      </section>
    </>
  )
}

/** A loan of an amount at some terms, which are whole; what is wrong with the amount stands there. */
const Priced = ({ calls, draft, amount }: { calls: Calls; draft: Draft; amount: string }) => {
  const t = useText()
  const read = useRead(calls.preview, { draft, amount } as never)
  if (read.data) return <Loan calls={calls} loan={read.data} />
  if (!read.error) return <Loading rows={3} />
  const said = read.error instanceof Error ? read.error.message : ''
  return said ? (
    <Callout.Root size="1" color="amber" role="alert">
      <Callout.Text>{said}</Callout.Text>
    </Callout.Root>
  ) : (
    <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  )
}

const useAmount = (draft: Draft | undefined) => {
  const [typed, type] = useState<unknown>()
  const amount = typed ?? draft?.maxAmount
  return { amount: typeof amount === 'string' ? amount : '', type }
}

/** The same below a draft, as it is typed. */
export const DraftSimulator = ({ calls, draft }: { calls: Calls; draft: Draft }) => {
  const t = useText()
  const { amount, type } = useAmount(draft)
  const whole = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined && value !== null))
  const { success } = calls.preview.input.safeParse({ draft: whole, amount })
  return (
    <>
      <Field name="loanAmount" schema={amountField} value={amount} onChange={type} />
      {success ? (
        <Priced calls={calls} draft={whole} amount={amount} />
      ) : (
        <Text as="p" size="1" color="gray">
          {t('product.notReady')}
        </Text>
      )}
    </>
  )
}

type SideProps = { calls: Calls; list: readonly VersionRow[]; first: VersionRow; amount: string }

/** One version and what a loan costs at its terms. */
const Side = ({ calls, list, first, amount }: SideProps) => {
  const [versionNo, choose] = useState(first.versionNo)
  const chosen = list.find(one => one.versionNo === versionNo) ?? first
  return (
    <div style={{ flex: '1 1 300px', minWidth: 0 }}>
      <VersionChoice list={list} chosen={chosen} choose={choose} />
      {amount && <Priced calls={calls} draft={chosen.content} amount={amount} />}
    </div>
  )
}

/** What a loan of an amount costs at the version in force, beside the next one where there is one. */
export const Simulator = ({ calls, productNo }: { calls: Calls; productNo: string }) => {
  const t = useText()
  const read = useRead(calls.versions, { productNo } as never)
  const list = (read.data?.list ?? []) as unknown as readonly VersionRow[]
  const inForce = list.find(one => one.versionStatus === 'effective') ?? list[0]
  const next = list.find(one => one !== inForce)
  const { amount, type } = useAmount(inForce?.content)
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={3} />
    )
  if (!inForce) return <Text color="gray">{t('config.noVersions')}</Text>
  return (
    <div className="mk-form">
      <Field name="loanAmount" schema={amountField} value={amount} onChange={type} />
      <Flex gap="4" wrap="wrap" align="start">
        <Side calls={calls} list={list} first={inForce} amount={amount} />
        {next && <Side calls={calls} list={list} first={next} amount={amount} />}
      </Flex>
    </div>
  )
}
