import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { DateRange, type Range } from '../../core/engine/date-range.tsx'
import { presets } from '../../core/rules/time.ts'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Date range' } satisfies Meta

const Applied = ({ start }: { start?: Range }) => {
  const t = useText()
  const [range, setRange] = useState<Range | undefined>(start)
  return <DateRange label={t('fields.applyTime')} value={range} onChange={setRange} />
}

export const AnyTime = part(() => <Applied />)
export const Preset = part(() => <Applied start={presets(new Date()).last7} />)
export const OpenEnd = part(() => <Applied start={['2026-11-01', null]} />)
export const Open = part(() => <Applied start={['2026-11-02', '2026-11-12']} />, { play: act(pressFirst) })
