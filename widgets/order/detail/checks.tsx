import { type OrderBasic, order } from '../../../core/contract/order/order.ts'
import { type Translate, useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Badge } from '../../../core/ui/basics.ts'
import { StatusBadge, type Tone } from '../../../core/ui/status-badge.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

export type Check = OrderBasic['checks'][number]

const tones: Record<Check['checkResult'], Tone> = { match: 'good', mismatch: 'bad', unknown: 'wait' }

/** A side of a comparison in words. */
export const sideText = (t: Translate, check: Check, side: 'left' | 'right'): string => {
  const value = check[side]
  if (value === null) return '–'
  return check.checkKey === 'gender' ? dictText(t, 'GENDER', value) : value
}

/** How many checks found a difference, and how many could not be made. */
export const CheckCounts = ({ checks }: { checks: readonly Check[] }) => {
  const t = useText()
  const count = (result: Check['checkResult']) => checks.filter(check => check.checkResult === result).length
  const [mismatches, unknown] = [count('mismatch'), count('unknown')]
  return (
    <>
      {mismatches > 0 && <Badge color="red">{t('order.mismatches', { n: mismatches })}</Badge>}{' '}
      {unknown > 0 && <Badge color="amber">{t('order.unknownChecks', { n: unknown })}</Badge>}
    </>
  )
}

/** What the customer stated against what others say, mismatches first. */
export const Checks = ({ checks }: { checks: readonly Check[] }) => {
  const t = useText()
  return (
    <SmallTable
      schema={order.basic.output.shape.checks.element}
      rows={checks}
      rowKey="checkKey"
      label={t('order.checks')}
      names={['checkKey', 'left', 'right', 'checkResult']}
      headers={{ left: t('order.stated') }}
      empty=""
      cells={{
        left: check => sideText(t, check, 'left'),
        right: check => sideText(t, check, 'right'),
        checkResult: check => (
          <StatusBadge tone={tones[check.checkResult]} label={t(`dict.CHECK_RESULT.${check.checkResult}`)} />
        ),
      }}
    />
  )
}
