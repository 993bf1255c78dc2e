import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { riskModels } from '../../../../core/contract/risk/risk-model.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { cardAt } from './model-fixture.ts'
import { writeBaseModel } from './seed.ts'

const { riskModel, common } = contract
const table = riskModels.versionMachine?.table as string

type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, modelVersionNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where model_version_no = ${modelVersionNo} order by created_time desc, version_no desc limit 1`)
const inForce = (fixture: Fixture, modelVersionNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where model_version_no = ${modelVersionNo} and version_status = 'effective'`)
const versionOf = async (fixture: Fixture, modelVersionNo: string) =>
  (
    await fixture.one(
      sql<{ version: number }>`select version from risk_model where model_version_no = ${modelVersionNo}`,
    )
  ).version

let samples = 0
const added = async (fixture: Fixture, form = cardAt() as Record<string, unknown>): Promise<string> => {
  await fixture.db.withTx(writeBaseModel)
  return String((await done(fixture, riskModel.save, form)).key)
}
/** A version that has passed its test: it is said to have, because 200 orders are more than any other suite needs. */
const tested = async (fixture: Fixture, form?: Record<string, unknown>): Promise<string> => {
  const no = await added(fixture, form)
  await fixture.exec(sql`
    insert into risk_model_test (model_test_no, model_version_no, model_test_result, sample_count, known_count, result, tested_by, tested_time)
    values (${`MT-F${++samples}`}, ${no}, 'passed', 200, 0, '{}', 'U1', ${fixture.clock.now()})`)
  return no
}

const submit = async (fixture: Fixture, no: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, no)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'as tested', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, riskModel.versionSubmit, input)).approvalNo)
}

/** A challenger in force of a model of its own, whose champion is there. */
const challenger = async (fixture: Fixture): Promise<string> => {
  const champion = await tested(fixture, cardAt(590, { modelRole: 'champion' }))
  await fixture.agree(await submit(fixture, champion))
  const { modelNo } = await fixture.one(
    sql<{ modelNo: string }>`select model_no from risk_model where model_version_no = ${champion}`,
  )
  const no = await tested(fixture, cardAt(595, { modelNo, modelRole: 'challenger', trafficPercent: 5 }))
  await fixture.agree(await submit(fixture, no))
  return no
}
const stop = async (fixture: Fixture): Promise<string> => {
  const no = await challenger(fixture)
  await done(fixture, riskModel.emergency, {
    modelVersionNo: no,
    version: await versionOf(fixture, no),
    reason: 'scores drop',
  })
  return no
}

export default facts({
  approvals: [{ action: 'riskModel.version', ask: async fixture => submit(fixture, await tested(fixture)) }],
  lists: [
    {
      list: riskModel.page,
      key: 'modelVersionNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('model_version_no')}, ${at('updated_time')}, 'model_no', 'MD-' || n % 4, 'model_version', n, 'model_name', 'Model ' || n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'risk_model', `model_version_no = '${no}'`, changes)
      },
      means: {
        waiting: (_, mine: boolean) => !mine,
        // Nothing was scored here.
        merchantNo: (_, chosen: string[]) => chosen.length === 0,
        productNo: (_, chosen: string[]) => chosen.length === 0,
        modelName: (row, name: string) => String(row.modelName).toLowerCase().startsWith(name.toLowerCase()),
        modelRole: (row, roles: string[]) => roles.length === 0 || roles.includes(String(row.modelRole ?? 'none')),
      },
    },
    {
      list: riskModel.scores,
      key: 'scoreNo',
      of: 'company',
      ownedBy: 'orderNo',
      fill: async (fixture, { waiting, paid }) => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into risk_model_score (order_no, eval_no, model_version_no, model_role, model_score, model_level, band_decision, reasons, missing_facts, duration_ms, scored_time)
          select o, n, ${no}, (array['champion', 'challenger', 'shadow'])[1 + n % 3], case when n % 4 > 0 then 500 + n end, case when n % 4 > 0 then (array['A', 'B'])[1 + n % 2] end, 'review',
            '["customer.age", "device.rooted"]', case when n % 5 = 0 then array['contacts.count'] else '{}'::text[] end, 3, ${fixture.clock.now()}::timestamptz - n % 5 * interval '1 hour'
          from generate_series(201, 225) n, unnest(array[${waiting}, ${paid}]::text[]) o`)
      },
    },
  ],
  records: [
    {
      fields: ['modelVersionNo'],
      table: 'risk_model',
      key: 'model_version_no',
      make: fixture => added(fixture),
    },
    {
      fields: ['versionNo'],
      under: '/risk/model/',
      table,
      key: 'version_no',
      make: async fixture => (await newest(fixture, await added(fixture))).versionNo,
    },
  ],
  ways: [
    way('a role is sent back, taken back and changed until it is in force', async fixture => {
      const no = await tested(fixture)
      await done(
        fixture,
        common.reject,
        { approvalNo: await submit(fixture, no), version: 0, reason: 'later' },
        fixture.second,
      )
      const saved = async () => {
        const { versionNo, version } = await newest(fixture, no)
        await done(fixture, riskModel.versionSave, { modelVersionNo: no, versionNo, version, modelRole: 'shadow' })
      }
      await saved()
      await saved()
      await done(fixture, common.withdraw, { approvalNo: await submit(fixture, no), version: 0 })
      await submit(fixture, no)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, no))
      await done(fixture, riskModel.versionSave, { modelVersionNo: no, modelRole: 'shadow' })
      await fixture.agree(await submit(fixture, no))
    }),
    way('a role is scheduled and cancelled', async fixture => {
      const no = await tested(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      const { versionNo, version } = await newest(fixture, no)
      await done(fixture, riskModel.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a role starts by the clock once its test has passed', async fixture => {
      const no = await tested(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      await fixture.exec(
        sql`update risk_model_test set model_test_result = 'failed', model_test_fault = 'too_few' where model_version_no = ${no}`,
      )
      await fixture.pass(25 * 60)
      await fixture.tick('riskModel.start')
      await fixture.exec(
        sql`update risk_model_test set model_test_result = 'passed', model_test_fault = null where model_version_no = ${no}`,
      )
      await fixture.tick('riskModel.start')
    }),
    way('a challenger is stopped, comes back, is stopped again and kept so', async fixture => {
      const no = await stop(fixture)
      await fixture.pass(25 * 60)
      await fixture.tick('riskModel.fallback')
      await done(fixture, riskModel.emergency, {
        modelVersionNo: no,
        version: await versionOf(fixture, no),
        reason: 'again',
      })
      await done(fixture, riskModel.keep, { ...(await inForce(fixture, no)), reason: 'agreed' }, fixture.second)
    }),
  ],
  beginnings: [
    {
      call: riskModel.emergency,
      input: async fixture => {
        const no = await challenger(fixture)
        return { modelVersionNo: no, version: await versionOf(fixture, no), reason: 'scores drop' }
      },
    },
  ],
  calls: [
    { call: riskModel.save, about: 'a new version of a model of ours: models are whatever the merchant' },
    { call: riskModel.monitor, needs: () => ({ from: '2026-02-20', to: '2026-03-01' }) },
  ],
})
