import { useRead } from '../../../core/client/providers.tsx'
import { type LoanLimit, loanLimit } from '../../../core/contract/operation/loan-limit.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Changes } from '../../../core/engine/config/changes.tsx'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const figures = [
  'merchantName',
  'orgName',
  'productName',
  'loanKind',
  'limitState',
  'dailyLimit',
  'dailyPayouts',
  'dayLimit',
  'dayPayouts',
  'usedAmount',
  'reservedAmount',
  'remainingAmount',
  'hoursLeft',
  'waitingCount',
  'waitingAmount',
  'outstandingPrincipal',
  'outstandingLimit',
  'suspendReason',
]

/** What went out hour by hour, and what waits for the limit. */
const Today = ({ limitNo }: { limitNo: string }) => {
  const t = useText()
  const read = useRead(loanLimit.today, { limitNo })
  return (
    <Loaded read={read}>
      {({ byHour, waiting }) => (
        <>
          <section className="mk-section">
            <h3>{t('loanLimit.byHour')}</h3>
            {byHour.length === 0 ? (
              <Text color="gray">{t('loanLimit.noPayouts')}</Text>
            ) : (
              <Bars
                label={t('loanLimit.byHour')}
                every={3}
                bars={Array.from({ length: 24 }, (_, hour) => {
                  const found = byHour.find(one => one.hour === hour)
                  const name = `${String(hour).padStart(2, '0')}:00`
                  const amount = found?.amount ?? '0.00'
                  return { name, value: Number(amount), label: `${name} UGX ${formatMoney(amount)}` }
                })}
              />
            )}
          </section>
          <section className="mk-section">
            <h3>{t('loanLimit.waiting')}</h3>
            <SmallTable
              schema={loanLimit.today.output.shape.waiting.element}
              rows={waiting}
              rowKey="loanCode"
              names={['orderNo', 'amount', 'waitingSince']}
              empty={t('loanLimit.nobodyWaits')}
              label={t('loanLimit.waiting')}
            />
          </section>
        </>
      )}
    </Loaded>
  )
}

const History = ({ limitNo }: { limitNo: string }) => {
  const t = useText()
  const read = useRead(loanLimit.history, { limitNo })
  return (
    <section className="mk-section">
      <h3>{t('loanLimit.history')}</h3>
      <Loaded read={read}>
        {({ list }) =>
          list.length === 0 ? (
            <Text color="gray">{t('config.noHistory')}</Text>
          ) : (
            list.map(({ version, event, changedBy, changedTime, changes }) => (
              <div key={`${version} ${event}`}>
                <Text as="p" size="1" color="gray" mb="1">
                  {t.maybe(`machines.${event}`) ?? event} ·{' '}
                  {t('config.historyBy', {
                    name: changedBy,
                    time: eatDateTime(changedTime).slice(0, 16),
                    version,
                  })}
                </Text>
                {changes.length > 0 && <Changes shape={loanLimit.page.row.shape} changes={changes} />}
              </div>
            ))
          )
        }
      </Loaded>
    </section>
  )
}

/** A limit: its amounts, the payouts of today by hour, the orders that wait for it, and who changed it. */
export const LimitDetail = ({ row, reload }: { row: LoanLimit; reload: () => void }) => (
  <>
    {row.pendingApproval && <WaitingApproval objectType="merchant_loan_limit" objectNo={row.limitNo} reload={reload} />}
    <Facts schema={loanLimit.page.row} value={row} names={figures} />
    <Today limitNo={row.limitNo} />
    <History limitNo={row.limitNo} />
  </>
)
