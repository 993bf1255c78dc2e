import type { ReactNode } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { refund } from '../../core/contract/charge/refund.ts'
import { type RefundDetail as Detail, RefundRow, SourceRow } from '../../core/contract/charge/refund-rows.ts'
import { useHost } from '../../core/element/context.ts'
import { copyValue } from '../../core/element/copy.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { dictText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { refundAudit } from '../../core/rules/machines/charge/refund-audit.ts'
import { refundVerification } from '../../core/rules/machines/charge/refund-verification.ts'
import { Badge, Button, Callout, Flex } from '../../core/ui/basics.ts'
import { Journals } from '../shared/journals.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { Files } from '../shared/record/files.tsx'
import { History, Sends } from '../shared/record/parts.tsx'
import { SmallTable } from '../shared/small-table.tsx'

type Row = Pick<RefundRow, 'refundStatus' | 'auditStatus' | 'verifyStatus' | 'ignoreVerification' | 'refundAmount'>

/** Status and amount beside the refund number. */
export const refundHead = (row: Row) => (
  <>
    <Dict dict="REFUND_STATUS" value={row.refundStatus} />
    <span>UGX {formatMoney(row.refundAmount)}</span>
  </>
)

/** Where the money is, as one of the sentences. */
const placeOf = ({ refundStatus, auditStatus, verifyStatus, ignoreVerification }: Row) => {
  if (refundStatus !== 'created') return refundStatus
  if (auditStatus !== 'pending') return auditStatus
  return verifyStatus === 'passed' || ignoreVerification ? 'pending' : 'unproven'
}

const Step = ({ label, children }: { label: string; children: ReactNode }) => (
  <Flex direction="column" gap="1">
    <span className="mk-muted">{label}</span>
    {children}
  </Flex>
)

const tellIn = ['zh', 'en', 'sw'] as const

/** What the officer reads to the customer, as text to send. */
const Tell = ({ of }: { of: RefundRow }) => {
  const t = useText()
  const host = useHost()
  const words = t('charge.tell', {
    amount: formatMoney(of.refundAmount),
    account: `${of.payeeAccount.slice(0, 3)}****${of.payeeAccount.slice(-3)}`,
    status: dictText(t, 'REFUND_STATUS', of.refundStatus),
    refundNo: of.refundNo,
  })
  return (
    <Button
      size="1"
      variant="soft"
      onClick={event => void copyValue(event.currentTarget, words, host.props.language ?? tellIn[0])}
    >
      {t('actions.tellCustomer')}
    </Button>
  )
}

const Where = ({ of }: { of: RefundRow }) => {
  const t = useText()
  return (
    <>
      <Callout.Root size="1" mb="2" color={of.refundStatus === 'failure' ? 'red' : 'gray'}>
        <Callout.Text>{t(`charge.at.${placeOf(of)}`, { amount: formatMoney(of.refundAmount) })}</Callout.Text>
      </Callout.Root>
      <Flex gap="5" mb="3" wrap="wrap" align="end">
        <Step label={t('charge.stepReview')}>
          <Dict dict="REFUND_AUDIT_STATUS" value={of.auditStatus} />
        </Step>
        <Step label={t('charge.stepVerification')}>
          <Flex gap="1">
            <Dict dict="REFUND_VERIFY_STATUS" value={of.verifyStatus} />
            {of.ignoreVerification && <Badge color="amber">{t('fields.ignoreVerification')}</Badge>}
          </Flex>
        </Step>
        <Step label={t('charge.stepPayment')}>
          <Dict dict="REFUND_STATUS" value={of.refundStatus} />
        </Step>
        <Tell of={of} />
      </Flex>
    </>
  )
}

const CameIn = ({ sources }: Pick<Detail, 'sources'>) => {
  const t = useText()
  return (
    <Section title={t('charge.cameIn')}>
      <SmallTable
        schema={SourceRow}
        rows={sources}
        rowKey="flowNo"
        names={['serialNo', 'channel', 'amount', 'overflowAmount', 'payerName', 'payerAccount', 'entryTime', 'orderNo']}
        empty={t('charge.noSource')}
      />
    </Section>
  )
}

/** The entered payee beside what the channel says and where the money came from: equal or not, in words. */
const GoesOut = ({ data }: { data: Detail }) => {
  const t = useText()
  const { refund: of } = data
  const mark = (same: boolean) => (
    <Badge color={same ? 'green' : 'amber'}>{t(same ? 'charge.equal' : 'charge.different')}</Badge>
  )
  return (
    <Section title={t('charge.goesOut')}>
      <Facts
        schema={RefundRow}
        value={of}
        names={[
          'payeeName',
          'payeeAccount',
          'channel',
          'payeeBank',
          'samePayer',
          'matchScore',
          'refundReason',
          'remark',
        ]}
        own={{ samePayer: mark(of.samePayer) }}
      />
      <Facts
        schema={refund.detail.output}
        value={data}
        names={[
          'sourceAccount',
          'holderName',
          'fundAccountName',
          ...(of.ignoreVerification ? ['ignoredName', 'ignoredTime', 'ignoreReason', 'ignoreSeen'] : []),
        ]}
      />
    </Section>
  )
}

const Earlier = ({ data }: { data: Detail }) => {
  const t = useText()
  const names = ['refundNo', 'customerName', 'refundAmount', 'refundStatus', 'payeeName', 'applyTime', 'successTime']
  return (
    <>
      {data.sharedAccount.length > 0 && (
        <Section title={t('charge.sharedWarning')}>
          <SmallTable
            schema={refund.detail.output.shape.sharedAccount.element}
            rows={data.sharedAccount}
            rowKey="refundNo"
            names={names}
            empty=""
          />
        </Section>
      )}
      <Section title={t('fields.earlier')}>
        <SmallTable
          schema={refund.detail.output.shape.earlier.element}
          rows={data.earlier}
          rowKey="refundNo"
          names={names}
          empty={t('charge.noEarlier')}
        />
      </Section>
    </>
  )
}

const Movements = ({ movements }: Pick<Detail, 'movements'>) => {
  const t = useText()
  return (
    <Section title={t('fields.movements')}>
      <SmallTable
        schema={refund.detail.output.shape.movements.element}
        rows={movements}
        rowKey="no"
        names={['at', 'kind', 'no', 'amount']}
        cells={{ kind: row => dictText(t, 'REFUND_MOVEMENT', row.kind) }}
        empty=""
      />
    </Section>
  )
}

const dicts: Readonly<Record<string, string>> = {
  M42: refundAudit.dict,
  M43: refundVerification.dict,
  M23: 'CONFIRM_STATUS',
}

/** Everything about one refund: where its money is, what came in, what goes out; for its checker the two come first. */
export const RefundDetail = ({ refundNo, review }: { refundNo: string; review?: true }) => {
  const t = useText()
  const read = useRead(refund.detail, { refundNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Where of={data.refund} />
          {!review && data.refund.failReason && (
            <Callout.Root size="1" mb="2" color="red">
              <Callout.Text>{data.refund.failReason}</Callout.Text>
            </Callout.Root>
          )}
          <CameIn sources={data.sources} />
          <GoesOut data={data} />
          <Files objectType="refund" objectNo={refundNo} />
          {review && <Movements movements={data.movements} />}
          <Earlier data={data} />
          <Sends
            title={t('charge.attempts')}
            empty={t('charge.notSentYet')}
            attempts={data.attempts}
            confirms={data.confirms}
          />
          <History
            title={t('charge.log')}
            history={data.history}
            nameOf={({ machine, event }) =>
              machine === 'M42' && event === 'audit.reject' ? t('charge.eventRejected') : undefined
            }
            dictOf={machine => dicts[machine] ?? 'REFUND_STATUS'}
          />
          <Section title={t('afterLoan.ledger')}>
            <Journals list={data.journals} />
          </Section>
        </>
      )}
    </Loaded>
  )
}
