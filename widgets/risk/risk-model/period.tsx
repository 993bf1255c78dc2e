import { useState } from 'react'
import { metaOf } from '../../../core/contract/fields.ts'
import { riskModel } from '../../../core/contract/risk/risk-model.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useOptions } from '../../../core/engine/form/options.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Flex, TextField } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { Labelled } from '../../../core/ui/labelled.tsx'

export type Period = { from: string; to: string }
/** The period and the orders that a monitor is asked about. */
export type Watched = Period & { loanKind?: string | undefined; productNo?: string | undefined }
const days = 30
const mostDays = 365

/** The last 30 days, unless others are chosen. */
export const usePeriod = () => {
  const to = eatDate(new Date())
  return useState<Watched>({ from: addDays(to, 1 - days), to })
}

const isPeriod = ({ from, to }: Period) => from !== '' && to !== '' && from <= to && addDays(from, mostDays) >= to

type Props<P extends Period> = { period: P; choose: (period: P) => void }

/** From which day to which; a period that cannot be asked for is not. */
export const PeriodChoice = <P extends Period>({ period, choose }: Props<P>) => {
  const t = useText()
  const [typed, setTyped] = useState<Period>(period)
  const put = (next: Period) => {
    setTyped(next)
    if (isPeriod(next)) choose({ ...period, from: next.from, to: next.to })
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

const shape = riskModel.monitor.input.shape
const metas = { loanKind: metaOf(shape.loanKind), productNo: metaOf(shape.productNo) }
const all = 'all'

/** One kind of loan, or one product, or all of them. */
const Only = ({ name, period, choose }: Props<Watched> & { name: keyof typeof metas }) => {
  const t = useText()
  const options = useOptions({ ...metas[name], schema: shape[name].unwrap() } as never)
  return (
    <Labelled label={t(`fields.${name}`)}>
      {tied => (
        <Select.Root
          size="1"
          value={period[name] ?? all}
          onValueChange={value => choose({ ...period, [name]: value === all ? undefined : value })}
        >
          <Select.Trigger {...tied} />
          <Select.Content>
            {[{ value: all, label: t('config.all') }, ...options].map(one => (
              <Select.Item key={one.value} value={one.value}>
                {one.label}
              </Select.Item>
            ))}
          </Select.Content>
        </Select.Root>
      )}
    </Labelled>
  )
}

/** Which days, which kind of loan and which product a monitor is about. */
export const WatchedChoice = ({ period, choose }: Props<Watched>) => (
  <Flex gap="3" wrap="wrap">
    <PeriodChoice period={period} choose={choose} />
    <Only name="loanKind" period={period} choose={choose} />
    <Only name="productNo" period={period} choose={choose} />
  </Flex>
)
