import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { DateRange } from '../../core/engine/form/date-range.tsx'
import type { DateRange as Days } from '../../core/rules/time.ts'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Date range' } satisfies Meta

const Applied = ({ start }: { start?: Days }) => {
  const t = useText()
  const [range, setRange] = useState<Days | undefined>(start)
  return <DateRange label={t('fields.applyTime')} value={range} onChange={setRange} />
}

export const AnyTime = part(() => <Applied />)
export const Preset = part(() => <Applied start={'last7'} />)
export const OpenEnd = part(() => <Applied start={['2026-11-01', null]} />)
export const Open = part(() => <Applied start={['2026-11-02', '2026-11-12']} />, { play: act(pressFirst) })
