import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { exportKit, orders } from '../../../files/exports/export-fixture.ts'

const at = exportKit()
const all = 3_000
const refused = 700

beforeAll(async () => {
  await at.kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into loan_order select (jsonb_populate_record(x, jsonb_build_object('order_no', 'LX' || lpad(n::text, 5, '0'), 'third_order_no', 'TX' || n))).*
      from loan_order x, generate_series(1, ${all - orders}::int) n where x.order_no = 'LO00001'`)
    await tx.exec(sql`
      update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then case when right(order_no, 1) = '5' then 'machine_refused' else 'approval_rejected' end end
      where order_no in (select order_no from loan_order order by order_no limit ${refused}::int)`)
  })
})

it('order-audit 15: the file of a group of states has the rows of the filter and no other, masked as on screen, and is in the log', async () => {
  const filters = { orderStatusType: 'refused' as const }
  const { data } = await at.kit.call(contract.audit.manageList, { ...filters, pageSize: 100 }, { as: at.boss })
  expect(data.total).toBe(refused)
  const { exportNo, lines } = await at.written({ filters })
  const [, ...rows] = lines
  const written = rows.slice(0, -1)
  expect(written).toHaveLength(data.total)
  expect(new Set(written.map(line => line.slice(0, 7))).size).toBe(data.total)
  for (const line of written) expect(line).toMatch(/,25\*{8}\d\d,(Approval rejected|Machine review refused),/)
  const shown = data.list.map(row => row.phone)
  for (const phone of shown) expect(written.some(line => line.includes(phone))).toBe(true)
  expect(rows.at(-1)).toContain(`Total of ${refused} matching`)
  expect((await at.written({})).lines).toHaveLength(all + 2)
  const log = await at.kit.db.read(tx =>
    tx.rows(
      sql<{
        actor: string
      }>`select actor from audit_log where object_no = ${exportNo} or after::text like ${`%${exportNo}%`}`,
    ),
  )
  expect(log[0]).toEqual({ actor: at.boss.userNo })
})
