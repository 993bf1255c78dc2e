import { useState } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Flex, TextField } from '../../../core/ui/basics.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'

export type Period = { from: string; to: string }
const days = 30
const mostDays = 365

/** The last 30 days, unless others are chosen. */
export const usePeriod = () => {
  const to = eatDate(new Date())
  return useState<Period>({ from: addDays(to, 1 - days), to })
}

const isPeriod = ({ from, to }: Period) => from !== '' && to !== '' && from <= to && addDays(from, mostDays) >= to

/** From which day to which; a period that cannot be asked for is not. */
export const PeriodChoice = ({ period, choose }: { period: Period; choose: (period: Period) => void }) => {
  const t = useText()
  const [typed, setTyped] = useState(period)
  const put = (next: Period) => {
    setTyped(next)
    if (isPeriod(next)) choose(next)
  }
  return (
    <Flex gap="3" mb="3">
      {(['from', 'to'] as const).map(name => (
        <Labelled key={name} label={t(`riskModel.${name}`)}>
          {tied => (
            <TextField.Root
              {...tied}
              type="date"
              size="1"
              value={typed[name]}
              onChange={event => put({ ...typed, [name]: event.target.value })}
            />
          )}
        </Labelled>
      ))}
    </Flex>
  )
}
