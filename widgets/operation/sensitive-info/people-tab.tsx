import { useState } from 'react'
import type { z } from 'zod'
import { useRead } from '../../../core/client/providers.tsx'
import { sensitiveInfo } from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const row = sensitiveInfo.revealStat.output.shape.list.element
type Person = z.output<typeof row>
const periods = [1, 7, 30] as const

/** People by what they revealed, those far above the others of their roles first. */
export const PeopleTab = () => {
  const t = useText()
  const [lastDays, setLastDays] = useState<number>(7)
  const read = useRead(sensitiveInfo.revealStat, { lastDays })
  const marked = (name: 'outsideCount' | 'overCount') => (person: Person) =>
    person[name] > 0 ? <StatusBadge tone="attention" label={String(person[name])} /> : '0'
  return (
    <>
      <div>
        <SegmentedControl.Root
          size="1"
          mb="3"
          aria-label={t('fields.lastDays')}
          value={String(lastDays)}
          onValueChange={value => setLastDays(Number(value))}
        >
          {periods.map(n => (
            <SegmentedControl.Item key={n} value={String(n)}>
              {t('sensitiveInfo.lastDays', { n })}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
      </div>
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={row}
            rows={list}
            rowKey="userNo"
            names={[
              'realName',
              'roleName',
              'revealCount',
              'medianCount',
              'customerCount',
              'busiestHour',
              'outsideCount',
              'overCount',
            ]}
            empty={t('sensitiveInfo.noReveals')}
            cells={{ outsideCount: marked('outsideCount'), overCount: marked('overCount') }}
          />
        )}
      </Loaded>
    </>
  )
}
