import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sum } from '../../core/rules/money.ts'
import { addDays, eatDate } from '../../core/rules/time.ts'
import type { StatementLine } from '../../server/gateways/gateway.ts'
import { system } from '../../server/rights/actor.ts'
import { receiveFlows } from '../../server/systems/after-loan/flow/flow-store.ts'
import { runRecon } from '../../server/systems/after-loan/reconciliation/recon-queue.ts'
import { lockRecon, takeStatement } from '../../server/systems/after-loan/reconciliation/statement-store.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Fixture, openFixture } from './fixture.ts'

describe.skipIf(!hasPostgres)('a long statement whose server dies while it is compared', () => {
  const [announced, unknown] = [1_500, 700]
  let cluster: Cluster
  let fixture: Fixture
  beforeAll(async () => {
    cluster = await openCluster()
    fixture = await openFixture({ url: await cluster.newDatabase(), desks: 1, repaid: 1 })
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
  })

  const rows = <T>(query: RawBuilder<T>) => fixture.look(db => db.read(tx => tx.rows(query)))
  const count = async (query: RawBuilder<{ n: number }>) => (await rows(query))[0]?.n
  const matched = () =>
    count(sql`select count(*)::int as n from statement_line where serial_no like 'LONG%' and line_status = 'matched'`)

  /** Payments of yesterday, most of which callbacks announced, on one statement of the account. */
  const brought = async () => {
    const date = addDays(eatDate(fixture.now()), -1)
    const lines = Array.from(
      { length: announced + unknown },
      (_, n): StatementLine => ({
        serialNo: `LONG${n}`,
        direction: 'in',
        lineKind: 'payment',
        amount: `${1_000 + n}.00`,
        time: `${date}T09:00:00+03:00`,
        reference: null,
        relatesTo: null,
        payerAccount: `25678${1_000_000 + n}`,
        narrative: null,
      }),
    )
    await fixture.look(db =>
      db.withTx(async tx => {
        const own = { channel: 'mtn_momo', fundAccountNo: 'FA1', source: 'callback', isrecord: true }
        const all = lines.slice(0, announced).map(({ serialNo, amount, time, payerAccount }) => ({
          entered: { ...own, serialNo, amount, entryTime: time, payerAccount },
          by: system(`payin ${serialNo}`),
        }))
        await receiveFlows(tx, 'channel.callback', all)
        await lockRecon(tx, 'FA1')
        const statement = { opening: '0.00', closing: sum(lines.map(({ amount }) => amount)), lines }
        const taken = { fundAccountNo: 'FA1', channel: 'mtn_momo', date, statement, source: 'import' as const }
        await takeStatement(tx, taken, system('test'))
        await runRecon(tx, 'FA1', date, 'test')
      }),
    )
  }

  it('is gone on with in its next life: every line is matched once, and every payment booked once', async () => {
    await brought()
    await fixture.server.start('mid-batch@recon.run#1=kill')
    await fixture.server.died()
    expect(await matched()).toBe(announced)
    await fixture.pass(90)
    await fixture.server.start('mid-batch@recon.run#1=kill')
    await fixture.server.died()
    const after = Number(await matched())
    expect(after).toBeGreaterThan(announced)
    expect(after).toBeLessThan(announced + unknown)
    await fixture.pass(90)
    await fixture.server.start()
    await expect.poll(matched, { timeout: 60_000 }).toBe(announced + unknown)
    await expect
      .poll(() => count(sql`select count(*)::int as n from recon_run`), { timeout: 60_000 })
      .toBeGreaterThan(0)
    await fixture.server.kill()
    const all = announced + unknown
    expect(
      await rows(sql`
        select count(*)::int as flows, count(distinct serial_no)::int as serials from repay_flow where serial_no like 'LONG%'`),
    ).toEqual([{ flows: all, serials: all }])
    expect(
      await rows(sql`
        select count(*)::int as journals, count(distinct f.flow_no)::int as flows from repay_flow f
          join journal j on j.cause = 'repay_flow:' || f.flow_no and j.posting_code = 'P3' where f.serial_no like 'LONG%'`),
    ).toEqual([{ journals: all, flows: all }])
    expect(
      await rows(sql`
        select count(*)::int as moves, count(distinct t.object_no)::int as lines from state_transition t
          join statement_line l on l.line_no = t.object_no where t.event = 'line.match' and l.serial_no like 'LONG%'`),
    ).toEqual([{ moves: all, lines: all }])
    expect(await fixture.sweep()).toEqual([])
  })
})
