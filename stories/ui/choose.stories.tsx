import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { useText } from '../../core/element/i18n.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { Choose } from '../../core/ui/choose.tsx'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Choose' } satisfies Meta

const Statuses = ({ start = [], single }: { start?: string[]; single?: boolean }) => {
  const t = useText()
  const [value, setValue] = useState<string[]>(start)
  return (
    <Choose
      label={t('fields.orderStatus')}
      options={dictionaries.ORDER_STATUS.map(one => ({ value: one, label: dictText(t, 'ORDER_STATUS', one) }))}
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
