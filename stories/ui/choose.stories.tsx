import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { statesOf } from '../../core/rules/machines/machine.ts'
import { order as orderMachine } from '../../core/rules/machines/order/order.ts'
import { Choose } from '../../core/ui/choose/choose.tsx'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Choose' } satisfies Meta

const Statuses = ({ start = [], single }: { start?: string[]; single?: boolean }) => {
  const t = useText()
  const [value, setValue] = useState<string[]>(start)
  return (
    <Choose
      label={t('fields.orderStatus')}
      options={statesOf(orderMachine).map(one => ({ value: one, label: dictText(t, 'ORDER_STATUS', one) }))}
      value={value}
      onChange={setValue}
      single={single}
      words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
    />
  )
}

export const Empty = part(() => <Statuses />)
export const Chosen = part(() => <Statuses start={['pending_review', 'loan_failed']} />)
export const OneOnly = part(() => <Statuses start={['settled']} single />)
export const Open = part(() => <Statuses start={['pending_review']} />, { play: act(pressFirst) })
