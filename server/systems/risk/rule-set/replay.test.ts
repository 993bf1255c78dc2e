import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Worker } from '../../../jobs/queue.ts'
import { silentLog } from '../../../log.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { jobsOf } from '../../../run.ts'
import { nameOf } from '../../../simulators/people.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { machineReviewModule } from '../../audit/machine-review/machine-review.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { replay } from './decisions.ts'

let kit: Kit
let worker: Worker

beforeAll(async () => {
  const payout = { mtn_momo: { ...noPayout, verifyHolder: async (account: string) => ({ name: nameOf(account) }) } }
  const modules = [intakeModule(), machineReviewModule({ payout })]
  kit = await openKit({ handmade: true, modules })
  worker = jobsOf({ db: kit.db, log: silentLog, modules }).worker
})
afterAll(() => kit.close())

it('risk 6: every decision is computed again from what was stored with it, to the byte', async () => {
  for (let seed = 7000; seed < 7024; seed++) {
    const made = application(seed)
    const device = { ...made.device, rooted: seed % 5 === 0, emulator: seed % 4 === 0 }
    const customer = { ...made.customer, birthDate: seed % 7 === 0 ? '2010-01-01' : '1990-04-04' }
    await send(kit, { ...made, device, customer })
  }
  await worker.drain()
  type Row = {
    decisionNo: string
    decision: string
    refuseCode: string | null
    orderStatus: string
    orderCode: string | null
    found: number
  }
  const decisions = await kit.db.read(tx =>
    tx.rows(sql<Row>`
      select d.decision_no, d.decision, d.refuse_code, o.order_status, o.refuse_code as order_code, (select count(*)::int from risk_decision_hit h where h.decision_no = d.decision_no) as found
      from risk_decision d join loan_order o using (order_no) order by d.decision_no`),
  )
  expect(decisions.length).toBe(24)
  expect(new Set(decisions.map(one => one.decision)).size).toBeGreaterThan(1)
  for (const one of decisions) {
    expect(one.refuseCode).toBe(one.orderCode)
    expect(one.orderStatus === 'machine_refused').toBe(one.decision === 'refuse')
    const { same, judged } = await kit.db.read(tx => replay(tx, one.decisionNo))
    expect(same).toBe(true)
    expect(judged.decision).toBe(one.decision)
    expect(judged.found.filter(rule => rule.outcome !== 'miss').length).toBe(one.found)
  }
})
