import { useRead } from '../../../core/client/providers.tsx'
import { loanRoute } from '../../../core/contract/after-loan/loan-route.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { SmallTable } from '../../shared/small-table.tsx'
import { Hint } from '../rule/hint.tsx'

type Values = Readonly<Record<string, unknown>>

/** Merchants of a route; none are all. */
export const Names = ({ names }: { names: readonly string[] }) => {
  const t = useText()
  const [first, ...others] = names
  if (!first) return <>{t('loanRoute.all')}</>
  return <span title={names.join(', ')}>{others.length ? `${first} +${others.length}` : first}</span>
}

/** The amounts that a route takes. */
export const FromTo = ({ from, to }: { from: string | null; to: string | null }) => {
  const t = useText()
  if (!from && !to) return <>{t('loanRoute.any')}</>
  return <>{`${from ? formatMoney(from) : '0'} – ${to ? formatMoney(to) : '∞'}`}</>
}

/** What the form would have changed of the last payouts. */
export const Simulated = (values: Values) => {
  const whole = loanRoute.simulate.input.safeParse(values)
  const t = useText()
  const { data } = useRead(loanRoute.simulate, whole.success ? whole.data : null)
  if (!data) return null
  return <Hint>{t('loanRoute.simulated', { n: data.payouts, changed: data.changed })}</Hint>
}

const Tried = loanRoute.test.output.shape.list.element

/** Each route with the first condition that fails, and the one that a payout would take. */
export const DryRun = (values: Values) => {
  const t = useText()
  const whole = loanRoute.test.input.safeParse(values)
  const { data } = useRead(loanRoute.test, whole.success ? whole.data : null)
  if (!data) return null
  const taken = data.list.find(one => one.routeNo === data.routeNo)
  return (
    <>
      <Hint>
        {!data.inForce
          ? t('loanRoute.noneInForce')
          : taken
            ? t(data.waitReason ? 'loanRoute.wouldWait' : 'loanRoute.wouldTake', {
                route: taken.routeName,
                reason: data.waitReason ? t(`dict.WAIT_REASON.${data.waitReason}`) : '',
              })
            : t('loanRoute.noMatch')}
      </Hint>
      <SmallTable
        schema={Tried}
        rows={data.list}
        rowKey="routeNo"
        names={['priority', 'routeName', 'routeMiss', 'targetNames', 'usableNames']}
        empty={t('loanRoute.noRoutes')}
      />
    </>
  )
}
