import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { cutoffs } from '../../../../core/contract/risk/cutoff.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { baseModelNo } from '../risk-model/base-card.ts'
import { bandsAt } from '../risk-model/model-fixture.ts'
import { writeBaseModel } from '../risk-model/seed.ts'

const { cutoff, common } = contract
const table = cutoffs.versionMachine?.table as string
type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, cutoffNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where cutoff_no = ${cutoffNo} order by created_time desc, version_no desc limit 1`)

let made = 0
const added = async (fixture: Fixture): Promise<string> => {
  await fixture.db.withTx(writeBaseModel)
  const form = { cutoffName: `Cut-off ${++made}`, modelNo: baseModelNo, ...bandsAt() }
  return String((await done(fixture, cutoff.save, form)).key)
}
const submit = async (fixture: Fixture, cutoffNo: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, cutoffNo)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'fewer losses', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, cutoff.versionSubmit, input)).approvalNo)
}

export default facts({
  approvals: [{ action: 'cutoff.version', ask: async fixture => submit(fixture, await added(fixture)) }],
  lists: [
    {
      list: cutoff.page,
      key: 'cutoffNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('cutoff_no')}, ${at('updated_time')}, 'cutoff_name', 'Cut ' || n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'risk_cutoff', `cutoff_no = '${no}'`, changes)
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    { fields: ['cutoffNo'], table: 'risk_cutoff', key: 'cutoff_no', make: fixture => added(fixture) },
    {
      fields: ['versionNo'],
      under: '/risk/cutoff/version',
      table,
      key: 'version_no',
      make: async fixture => (await newest(fixture, await added(fixture))).versionNo,
    },
  ],
  ways: [
    way('a cut-off is sent back, taken back and changed until it is in force', async fixture => {
      const no = await added(fixture)
      await done(
        fixture,
        common.reject,
        { approvalNo: await submit(fixture, no), version: 0, reason: 'later' },
        fixture.second,
      )
      const saved = async (border: number) => {
        const { versionNo, version } = await newest(fixture, no)
        await done(fixture, cutoff.versionSave, { cutoffNo: no, versionNo, version, ...bandsAt(border) })
      }
      await saved(530)
      await saved(540)
      await done(fixture, common.withdraw, { approvalNo: await submit(fixture, no), version: 0 })
      await submit(fixture, no)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, no))
      await done(fixture, cutoff.versionSave, { cutoffNo: no, ...bandsAt(550) })
      await fixture.agree(await submit(fixture, no))
    }),
    way('a cut-off is scheduled and cancelled', async fixture => {
      const no = await added(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      const { versionNo, version } = await newest(fixture, no)
      await done(fixture, cutoff.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a cut-off starts by the clock once it fits the scores of its model', async fixture => {
      const no = await added(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      await fixture.exec(sql`update risk_cutoff set model_no = 'MD-NONE' where cutoff_no = ${no}`)
      await fixture.pass(25 * 60)
      await fixture.tick('cutoff.start')
      await fixture.exec(sql`update risk_cutoff set model_no = ${baseModelNo} where cutoff_no = ${no}`)
      await fixture.tick('cutoff.start')
    }),
  ],
  calls: [
    { call: cutoff.save, about: 'a new cut-off of a model of ours: models are whatever the merchant' },
    {
      call: cutoff.simulate,
      needs: () => ({ ...bandsAt(), from: '2026-02-20', to: '2026-03-01' }),
    },
  ],
})
