import { useRead } from '../../../core/client/providers.tsx'
import { Attempt, LoanCodeRow } from '../../../core/contract/after-loan/loan.ts'
import { order } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Empty } from '../../../core/ui/states.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Verification } from '../verification.tsx'
import { CardsSkeleton } from './order-skeleton.tsx'

const codeNames = (code: LoanCodeRow) => [
  'actualLoanAmount',
  'payoutType',
  'payoutSubtype',
  ...(code.payoutType === 'wallet' ? ['walletAccount'] : ['bankName', 'bankCardNo']),
  'cardholderName',
  'verifyResult',
  'channel',
  'fundAccountName',
  'attemptNo',
  'serialNo',
  ...(code.waitReason ? ['waitReason'] : []),
  ...(code.failType ? ['failType', 'failReason'] : []),
  ...(code.confirmStatus ? ['confirmStatus', 'confirmerName', 'confirmTime'] : []),
  'requestTime',
  'finishTime',
]

/** The loan codes of an order, newest first, and every send of them. */
export const PayoutTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(order.payout, { orderNo })} skeleton={<CardsSkeleton cards={2} />}>
      {({ codes, attempts }) =>
        codes.length === 0 ? (
          <Empty title={t('order.noCodes')} hint={t('order.noCodesHint')} />
        ) : (
          <div className="mk-cards">
            {codes.map(code => (
              <Section
                key={code.loanCode}
                title={<span className="mk-key">{code.loanCode}</span>}
                aside={<Dict dict="LOAN_CODE_STATUS" value={code.loanCodeStatus} />}
              >
                <Facts
                  schema={LoanCodeRow}
                  value={code}
                  names={codeNames(code)}
                  own={{ verifyResult: <Verification result={code.verifyResult} /> }}
                />
              </Section>
            ))}
            <Section title={t('afterLoan.attempts')} wide>
              <SmallTable
                schema={Attempt}
                rows={attempts}
                rowKey="externalId"
                label={t('afterLoan.attempts')}
                names={[
                  'attemptNo',
                  'attemptStatus',
                  'channel',
                  'amount',
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
          </div>
        )
      }
    </Loaded>
  )
}
