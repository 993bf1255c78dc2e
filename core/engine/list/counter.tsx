import { useMay, useRead } from '../../client/providers.tsx'
import { countCap, type Endpoint, type InputOf } from '../../contract/endpoint.ts'
import { Badge } from '../../ui/basics.ts'

type Props = { call: Endpoint; filters: Readonly<Record<string, unknown>> }

const upToCap = (total: number) => (total >= countCap ? `${countCap - 1}+` : `${total}`)

/** The number of rows behind a tab or a quick filter, read again after each command; nothing is drawn for none. */
export const Counter = ({ call, filters }: Props) => {
  const may = useMay()
  const asked = may.call(call) ? ({ ...filters, pageNum: 1, pageSize: 10 } as InputOf<Endpoint>) : null
  const { data } = useRead(call, asked, { background: true, follows: true })
  const { total } = (data ?? {}) as { total?: number }
  return total ? (
    <Badge size="1" radius="full" color="gray" highContrast className="mk-counter">
      {upToCap(total)}
    </Badge>
  ) : null
}
