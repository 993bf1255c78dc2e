import { useRead } from '../../core/client/providers.tsx'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { Attempt, LoanCodeRow, loan } from '../../core/contract/loan.ts'
import { useText } from '../../core/element/i18n.ts'
import { Dict, orderPath, ScreenLink } from '../../core/engine/value.tsx'
import { eatDateTime } from '../../core/rules/time.ts'
import { Callout } from '../../core/ui/basics.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { ApprovalCard } from '../shared/approval-card.tsx'
import { Attachments, useAttachments } from '../shared/attachments.tsx'
import { Facts, Section } from '../shared/facts.tsx'
import { Journals } from '../shared/journals.tsx'
import { SmallTable } from '../shared/small-table.tsx'

/** A history of codes, sends and confirmations: a state belongs to whichever of them knows it. */
const statusDict = (state: string) =>
  (['LOAN_CODE_STATUS', 'ATTEMPT_STATUS', 'CONFIRM_STATUS'] as const).find(dict =>
    (dictionaries[dict] as readonly string[]).includes(state),
  ) ?? 'LOAN_CODE_STATUS'

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
        <Callout.Text>{t(`afterLoan.next.${code.loanCodeStatus}`)}</Callout.Text>
      </Callout.Root>
      <Section
        title={t('afterLoan.payout')}
        aside={
          <ScreenLink to={orderPath} query={{ orderNo: code.orderNo }}>
            {t('order.openDetail')}
          </ScreenLink>
        }
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
      <Section title={t('afterLoan.attempts')}>
        <SmallTable
          schema={Attempt}
          rows={data.attempts}
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
      {data.confirms.length > 0 && (
        <Section title={t('afterLoan.confirmations')}>
          <SmallTable
            schema={loan.detail.output.shape.confirms.element}
            rows={data.confirms}
            rowKey="confirmNo"
            names={['confirmStatus', 'result', 'serialNo', 'firstName', 'firstTime', 'secondName', 'secondTime']}
            empty=""
          />
        </Section>
      )}
      <Evidence loanCode={loanCode} />
      <Section title={t('afterLoan.history')}>
        <ol className="mk-steps">
          {data.history.map(event => (
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
      {data.otherCodes.length > 0 && (
        <Section title={t('afterLoan.otherCodes')}>
          <SmallTable
            schema={LoanCodeRow}
            rows={data.otherCodes}
            rowKey="loanCode"
            names={['loanCode', 'loanCodeStatus', 'actualLoanAmount', 'requestTime', 'failType']}
            empty=""
          />
        </Section>
      )}
      <Section title={t('afterLoan.ledger')}>
        <Journals list={data.journals} />
      </Section>
    </>
  )
}
