import { useRead } from '../../core/client/providers.tsx'
import { Attempt, LoanCodeRow, loan, type OpenLoanCode } from '../../core/contract/after-loan/loan.ts'
import { blockOf } from '../../core/contract/blocked.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { type Translate, useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { said } from '../../core/engine/form/refusal.ts'
import { Dict, OrderLink } from '../../core/engine/table/value.tsx'
import { confirmRecord } from '../../core/rules/machines/after-loan/confirm-record.ts'
import { gatewayAttempt } from '../../core/rules/machines/after-loan/gateway-attempt.ts'
import { loanCode } from '../../core/rules/machines/after-loan/loan-code.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Callout } from '../../core/ui/basics.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { ApprovalCard } from '../shared/approval-card.tsx'
import { Attachments, useAttachments } from '../shared/attachments.tsx'
import { Journals } from '../shared/journals.tsx'
import { RecordLog } from '../shared/record-log.tsx'
import { SmallTable } from '../shared/small-table.tsx'

/** A history of codes, sends and confirmations: a state belongs to whichever of them knows it. */
const statusDict = (state: string) =>
  [loanCode, gatewayAttempt, confirmRecord].find(({ states }) => state in states)?.dict ?? loanCode.dict

/** What happens next; of a failed payout that cannot simply be sent again, why not and what to do instead. */
const adviceOn = (t: Translate, code: OpenLoanCode): string => {
  if (code.pendingApproval) return t('errors.approvalWaits')
  const block = code.loanCodeStatus === 'failed' ? blockOf(code, loan.retry) : undefined
  if (!block) return t(`afterLoan.next.${code.loanCodeStatus}`)
  return t.maybe(`afterLoan.next.${code.orderStatus}`) ?? said(t, block)
}

/** The statements that the confirmations rest on. */
const Evidence = ({ loanCode }: { loanCode: string }) => {
  const t = useText()
  const { data } = useAttachments('loanCode', loanCode)
  if (!data?.list.length) return null
  return (
    <Section title={t('fields.evidence')}>
      <Attachments list={data.list} />
    </Section>
  )
}

type Detail = OutputOf<typeof loan.detail>

const PayoutFacts = ({ code }: Pick<Detail, 'code'>) => {
  const t = useText()
  return (
    <Section
      title={t('afterLoan.payout')}
      aside={<OrderLink orderNo={code.orderNo}>{t('order.openDetail')}</OrderLink>}
    >
      <Facts
        schema={LoanCodeRow}
        value={code}
        names={[
          'orderNo',
          'customerName',
          'merchantName',
          'productName',
          'loanAmount',
          'actualLoanAmount',
          'payoutType',
          'payoutSubtype',
          'walletAccount',
          'bankName',
          'bankCardNo',
          'cardholderName',
          'verifyResult',
          'channel',
          'fundAccountName',
          'waitReason',
          'failType',
          'failReason',
          'serialNo',
          'auditTime',
          'requestTime',
          'finishTime',
        ]}
      />
    </Section>
  )
}

const Attempts = ({ attempts }: Pick<Detail, 'attempts'>) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.attempts')}>
      <SmallTable
        schema={Attempt}
        rows={attempts}
        rowKey="externalId"
        names={[
          'attemptNo',
          'attemptStatus',
          'sentTime',
          'answerTime',
          'answerCode',
          'answerMessage',
          'serialNo',
          'queryCount',
          'nextQueryTime',
        ]}
        empty={t('afterLoan.notSent')}
      />
    </Section>
  )
}

const Confirms = ({ confirms }: Pick<Detail, 'confirms'>) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.confirmations')}>
      <SmallTable
        schema={loan.detail.output.shape.confirms.element}
        rows={confirms}
        rowKey="confirmNo"
        names={['confirmStatus', 'result', 'serialNo', 'firstName', 'firstTime', 'secondName', 'secondTime']}
        headers={{ firstTime: t('afterLoan.firstConfirmed') }}
        empty=""
      />
    </Section>
  )
}

const History = ({ history }: Pick<Detail, 'history'>) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.history')}>
      <ol className="mk-steps">
        {history.map(event => (
          <li key={`${event.at}${event.event}${event.to}`}>
            <time dateTime={event.at}>{eatDateTime(event.at)}</time>
            <div>
              <b>{t.maybe(`machines.${event.event}`) ?? event.event}</b>{' '}
              <span className="mk-muted">{event.actorName === 'system' ? t('order.system') : event.actorName}</span>{' '}
              {event.to !== event.from && <Dict dict={statusDict(event.to)} value={event.to} />}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const OtherCodes = ({ otherCodes }: Pick<Detail, 'otherCodes'>) => {
  const t = useText()
  return (
    <Section title={t('afterLoan.otherCodes')}>
      <SmallTable
        schema={LoanCodeRow}
        rows={otherCodes}
        rowKey="loanCode"
        names={['loanCode', 'loanCodeStatus', 'actualLoanAmount', 'requestTime', 'failType']}
        empty=""
      />
    </Section>
  )
}

/** Everything about one payout: what happens next, each send, who confirmed what, and its journals. */
export const LoanDetail = ({ loanCode, reload }: { loanCode: string; reload: () => void }) => {
  const t = useText()
  const { data, error, retry } = useRead(loan.detail, { loanCode })
  if (error) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  if (!data) return <Loading />
  const { code } = data
  const changed = () => {
    void retry()
    reload()
  }
  return (
    <>
      <ApprovalCard objectType="loanCode" objectNo={loanCode} onChange={changed} />
      <Callout.Root
        size="1"
        mb="3"
        color={code.loanCodeStatus === 'failed' ? 'red' : code.loanCodeStatus === 'unknown' ? 'amber' : 'gray'}
      >
        <Callout.Text>{adviceOn(t, code)}</Callout.Text>
      </Callout.Root>
      <PayoutFacts code={code} />
      <Attempts attempts={data.attempts} />
      {data.confirms.length > 0 && <Confirms confirms={data.confirms} />}
      <Evidence loanCode={loanCode} />
      <History history={data.history} />
      {data.otherCodes.length > 0 && <OtherCodes otherCodes={data.otherCodes} />}
      <Section title={t('afterLoan.ledger')}>
        <Journals list={data.journals} />
      </Section>
      <RecordLog of={{ objectType: 'loanCode', objectNo: loanCode }} />
    </>
  )
}
