import { sql } from 'kysely'
import type { ReviewMode } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { riskPlans } from '../../../../core/contract/risk/plan.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { baseModelNo } from '../risk-model/index.ts'
import { writeBaseModel } from '../risk-model/seed.ts'
import { writeBaseRules } from '../rule-set/seed.ts'
import { writeBasePlans } from './seed.ts'

const { riskPlan, common, businessConfig } = contract
const table = riskPlans.versionMachine?.table as string
const named = { modelNo: baseModelNo, plannedSets: [{ ruleSetNo: 'RS-ADMISSION' }] }

type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, planNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where plan_no = ${planNo} order by created_time desc, version_no desc limit 1`)

let products = 0
/** A product of its own for each plan, so that no two are for the same. */
const product = async (fixture: Fixture): Promise<string> => {
  await fixture.db.withTx(writeBaseModel)
  await fixture.db.withTx(writeBaseRules)
  // Once one product has a plan, orders of one without wait for it.
  await fixture.db.withTx(async tx => {
    if (!(await tx.maybe(sql`select 1 from risk_plan where product_no = 'P1'`))) await writeBasePlans(tx)
  })
  const productNo = `PN-${++products}`
  await fixture.exec(sql`insert into product (product_no, product_name, merchant_no, terms)
    select ${productNo}, product_name || ' ' || ${productNo}, merchant_no, terms from product where product_no = 'P1'`)
  return productNo
}
const added = async (fixture: Fixture): Promise<string> => {
  const form = { productNo: await product(fixture), loanKind: 'first', ...named }
  return String((await done(fixture, riskPlan.save, form)).key)
}
const submit = async (fixture: Fixture, planNo: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, planNo)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'as tried', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, riskPlan.versionSubmit, input)).approvalNo)
}

const modeChanged = async (fixture: Fixture): Promise<string> => {
  const configKey = 'MACHINE_REVIEW_MODE'
  const { version, value } = await done(fixture, businessConfig.get, { configKey })
  const reviewMode = (value as ReviewMode).reviewMode === 'on' ? 'manual_all' : 'on'
  const input = { configKey, version, value: { reviewMode } } as never
  return String((await done(fixture, businessConfig.update, input)).approvalNo)
}

export default facts({
  approvals: [
    { action: 'riskPlan.version', ask: async fixture => submit(fixture, await added(fixture)) },
    { action: 'businessConfig.MACHINE_REVIEW_MODE', ask: modeChanged },
  ],
  lists: [
    {
      list: riskPlan.page,
      key: 'planNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`insert into product (product_no, product_name, merchant_no, terms)
          select 'PN-' || n || '-many', product_name || ' ' || n, merchant_no, terms from product, generate_series(1, 60) n where product_no = 'P1'`)
        const changes = `jsonb_build_object(${prefixed('plan_no')}, ${at('updated_time')}, 'product_no', 'PN-' || n || '-many', 'loan_kind', (array['first', 'repeat'])[1 + n % 2], 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'risk_plan', `plan_no = '${no}'`, changes)
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    { fields: ['planNo'], table: 'risk_plan', key: 'plan_no', make: fixture => added(fixture) },
    {
      fields: ['versionNo'],
      under: '/risk/plan/version',
      table,
      key: 'version_no',
      make: async fixture => (await newest(fixture, await added(fixture))).versionNo,
    },
  ],
  ways: [
    way('a plan is sent back, taken back and changed until it is in force', async fixture => {
      const no = await added(fixture)
      const reject = async () => ({ approvalNo: await submit(fixture, no), version: 0, reason: 'later' })
      await done(fixture, common.reject, await reject(), fixture.second)
      const saved = async () => {
        const { versionNo, version } = await newest(fixture, no)
        await done(fixture, riskPlan.versionSave, { planNo: no, versionNo, version, ...named })
      }
      await saved()
      await saved()
      await done(fixture, common.withdraw, { approvalNo: await submit(fixture, no), version: 0 })
      await submit(fixture, no)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, no))
      await done(fixture, riskPlan.versionSave, { planNo: no, ...named, plannedSets: [] })
      await fixture.agree(await submit(fixture, no))
    }),
    way('a plan is scheduled and cancelled', async fixture => {
      const no = await added(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      const { versionNo, version } = await newest(fixture, no)
      await done(fixture, riskPlan.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a plan starts by the clock once what it names is in force', async fixture => {
      const no = await added(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      const moved = (to: string, from: string) =>
        fixture.exec(sql`update risk_cutoff set model_no = ${to} where model_no = ${from}`)
      await moved('MD-NONE', baseModelNo)
      await fixture.pass(25 * 60)
      await fixture.tick('riskPlan.start')
      await moved(baseModelNo, 'MD-NONE')
      await fixture.tick('riskPlan.start')
    }),
  ],
  calls: [
    { call: riskPlan.manualAll, about: 'one setting of the company: no record is touched' },
    { call: riskPlan.save, about: 'a new plan of a product of ours: plans are those of the company' },
    { call: riskPlan.versionSave, needs: () => ({ modelNo: baseModelNo, plannedSets: [] }) },
  ],
})
