import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReviewMode } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { Worker } from '../../../jobs/queue.ts'
import { silentLog } from '../../../log.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { jobsOf } from '../../../run.ts'
import { nameOf } from '../../../simulators/people.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, send } from '../../../testing/partner.ts'
import { machineReviewModule } from '../../audit/machine-review/machine-review.ts'
import { businessConfigModule } from '../../common/business-config.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { replay } from '../rule-set/index.ts'
import { planModule } from './plan.ts'

const { riskPlan, businessConfig, common } = contract
const configKey = 'MACHINE_REVIEW_MODE'
let kit: Kit
let worker: Worker
let maker: Person
let checker: Person
let seed = 9700

beforeAll(async () => {
  const payout = { mtn_momo: { ...noPayout, verifyHolder: async (account: string) => ({ name: nameOf(account) }) } }
  const settings = businessConfigModule()
  const approvals = approvalModule([...(settings.approvals ?? [])])
  const modules = [intakeModule(), machineReviewModule({ payout }), planModule(), settings, approvals]
  kit = await openKit({ handmade: true, modules })
  worker = jobsOf({ db: kit.db, log: silentLog, modules }).worker
  maker = await kit.person({ perms: ['risk:ruleSet:page', 'risk:plan:save'], name: 'Maker' })
  const perms = ['risk:ruleSet:page', 'risk:plan:save', 'risk:plan:save:check']
  checker = await kit.person({ perms, name: 'Checker' })
})
afterAll(() => kit.close())

const ask = async (endpoint: unknown, input: object, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as {
    code: number
    msg: string
    data: Record<string, unknown>
  }
const held = async () => (await ask(businessConfig.get, { configKey })).data as { value: ReviewMode; version: number }
const changeTo = async (reviewMode: ReviewMode['reviewMode']) => {
  const asked = await ask(businessConfig.update, { configKey, version: (await held()).version, value: { reviewMode } })
  expect(asked, asked.msg).toMatchObject({ code: 0 })
  return String(asked.data.approvalNo)
}
const agreed = async (approvalNo: string) =>
  expect(await ask(common.approve, { approvalNo, version: 0 }, checker)).toMatchObject({ code: 0 })
const made = (emulator = false) => {
  const one = application(++seed)
  const customer = { ...one.customer, monthlyIncome: '900000.00', birthDate: '1992-05-14' }
  return { ...one, customer, device: { ...one.device, rooted: false, emulator } }
}
type Found = { orderStatus: string; refuseCode: string | null; decisionNo: string; decision: string; hits: string }
const reviewed = async (emulator: boolean): Promise<Found> => {
  const { orderNo } = (await send(kit, made(emulator))).data
  await worker.drain()
  return kit.db.read(tx =>
    tx.one(sql<Found>`
      select o.order_status, o.refuse_code, d.decision_no, d.decision, o.rule_hits::text as hits
      from loan_order o join risk_decision d using (order_no) where o.order_no = ${orderNo}`),
  )
}

it('one person alone sends every order to auditors at once; what the machine found stays written', async () => {
  expect((await held()).value).toEqual({ reviewMode: 'on' })
  expect(await reviewed(true)).toMatchObject({ orderStatus: 'machine_refused', refuseCode: 'MR_DEVICE' })
  expect(await ask(riskPlan.manualAll, { reason: 'A rule misfires' })).toMatchObject({ code: 0 })
  expect(await ask(riskPlan.manualAll, { reason: 'Again' }, checker)).toMatchObject({ code: 40901 })
  const order = await reviewed(true)
  expect(order).toMatchObject({ orderStatus: 'to_be_allocated', refuseCode: null, decision: 'review' })
  expect(order.hits).toContain('MR_DEVICE')
  expect((await kit.db.read(tx => replay(tx, order.decisionNo))).same).toBe(true)
})

it('only a second person lets the machine decide again', async () => {
  const approvalNo = await changeTo('on')
  expect((await ask(common.approve, { approvalNo, version: 0 })).code).not.toBe(0)
  expect(await reviewed(true)).toMatchObject({ orderStatus: 'to_be_allocated' })
  await agreed(approvalNo)
  expect(await reviewed(true)).toMatchObject({ orderStatus: 'machine_refused' })
})

it('no application is taken while two people have stopped intake', async () => {
  const approvalNo = await changeTo('stop_intake')
  expect((await send(kit, made())).code).toBe(0)
  await agreed(approvalNo)
  expect(await send(kit, made())).toMatchObject({ code: 40301, data: { intakeCode: '104' } })
  // A switch by one person does not wait for what is agreed on meanwhile, and what was asked before it no longer fits.
  const waits = await changeTo('on')
  expect(await ask(riskPlan.manualAll, { reason: 'Let people look' })).toMatchObject({ code: 0 })
  await ask(common.approve, { approvalNo: waits, version: 0 }, checker)
  expect((await held()).value).toEqual({ reviewMode: 'manual_all' })
  expect((await send(kit, made())).code).toBe(0)
})
