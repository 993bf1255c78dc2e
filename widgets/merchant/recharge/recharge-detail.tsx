import { useRead } from '../../../core/client/providers.tsx'
import { RechargeRow, recharge } from '../../../core/contract/merchant/recharge.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Callout } from '../../../core/ui/basics.ts'
import { Journals } from '../../shared/journals.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Files } from '../../shared/record/files.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'

const names = [
  'merchantName',
  'rechargeAmount',
  'accountName',
  'serialNo',
  'payerName',
  'bankEntryTime',
  'makerName',
  'createdTime',
  'checkerName',
  'auditTime',
  'auditReason',
  'balanceAfter',
  'walletBalance',
  'remark',
  'reverseReason',
]

/** One top-up: its receipt beside the line of the bank, its journal, and what happened to it. */
export const RechargeDetail = ({ rechargeNo, reload }: { rechargeNo: string; reload: () => void }) => {
  const t = useText()
  const read = useRead(recharge.detail, { rechargeNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ recharge: of, bank, history, journals }) => (
        <>
          {of.pendingApproval && (
            <WaitingApproval objectType="merchantRecharge" objectNo={rechargeNo} reload={reload} />
          )}
          <Facts schema={RechargeRow} value={of} names={names} />
          <Files objectType="merchantRecharge" objectNo={rechargeNo} />
          <Section title={t('recharge.bankLine')}>
            {bank ? (
              <Facts
                schema={recharge.bankLines.row}
                value={bank}
                names={['lineNo', 'entryTime', 'amount', 'payerName', 'serialNo']}
              />
            ) : (
              <Callout.Root size="1" color="amber">
                <Callout.Text>{t('recharge.noLineYet')}</Callout.Text>
              </Callout.Root>
            )}
          </Section>
          <Section title={t('recharge.log')}>
            <ol className="mk-steps">
              {history.map(one => (
                <li key={`${one.at}${one.event}${one.to}`}>
                  <time dateTime={one.at}>{eatDateTime(one.at)}</time>
                  <div>
                    <b>{t.maybe(`machines.${one.event}`) ?? one.event}</b>{' '}
                    <span className="mk-muted">{one.actorName}</span> <Dict dict="RECHARGE_STATUS" value={one.to} />
                  </div>
                </li>
              ))}
            </ol>
          </Section>
          <Section title={t('afterLoan.ledger')}>
            <Journals list={journals} />
          </Section>
        </>
      )}
    </Loaded>
  )
}
