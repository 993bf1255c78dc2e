import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import sheet from '../../core/engine/engine.css?sheet'
import type { Listed } from '../../core/engine/screen.ts'
import { drawn, type Row } from '../../core/engine/table/columns.ts'
import { Table } from '../../core/engine/table/table.tsx'
import { part } from '../part.tsx'

export default {
  title: 'Parts/Table',
  parameters: {
    docs: {
      description: {
        component:
          'Rows of one height under a head that stays. Of very many rows only those in sight are drawn. Arrows, Home and End move its cursor, which is the focus.',
      },
    },
  },
} satisfies Meta

const statuses = ['pending_review', 'funds_disbursed', 'settled', 'cancelled']
const row = (_: unknown, index: number): Row => ({
  orderNo: `LO${String(index + 1).padStart(6, '0')}`,
  loanAmount: `${((index % 90) + 10) * 10_000}.00`,
  orderStatus: statuses[index % statuses.length],
  applyTime: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
})
const rows = Array.from({ length: 100_000 }, row)
const columns = ['orderNo', 'loanAmount', 'orderStatus', 'applyTime']

const Shown = ({ of }: { of: readonly Row[] }) => {
  useSheet(sheet)
  const t = useText()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return (
    <Table
      columns={drawn(t, auditManage.manageList as unknown as Listed, columns as never)}
      rows={of}
      rowKey="orderNo"
      label={t('common.table')}
      sort="-applyTime"
      onSort={() => undefined}
      chosen={chosen}
      onChoose={setChosen}
    />
  )
}

export const Rows = part(() => <Shown of={rows.slice(0, 8)} />)
export const HundredThousandRows = part(() => <Shown of={rows} />)
