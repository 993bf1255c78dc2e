import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { setAt } from '../rule-set/rule-fixture.ts'

const { ruleSet, ruleTest } = contract

let sets = 0
/** A draft that can be tested. */
const drafted = async (fixture: Fixture): Promise<string> => {
  const ruleSetNo = String((await done(fixture, ruleSet.save, setAt(`Bench ${++sets}`))).key)
  const { versionNo } = await fixture.one(
    sql<{ versionNo: string }>`select version_no from risk_rule_set_version where rule_set_no = ${ruleSetNo}`,
  )
  return versionNo
}
const sample = { sampleFrom: '2026-02-01', sampleTo: '2026-03-31', sampleMost: 50, seed: 1 }
const begun = async (fixture: Fixture): Promise<string> =>
  String((await done(fixture, ruleTest.run, { versionNo: await drafted(fixture), ...sample })).testNo)
const tested = async (fixture: Fixture): Promise<string> => {
  const testNo = await begun(fixture)
  await fixture.worker.drain()
  return testNo
}
const changes = `jsonb_build_object(${prefixed('test_no')}, ${at('created_time')}, 'seed', n)`

export default facts({
  lists: [
    {
      list: ruleTest.page,
      key: 'testNo',
      of: 'company',
      fill: async fixture => {
        await copied(fixture, 'risk_test_run', `test_no = '${await tested(fixture)}'`, changes, 60)
      },
    },
    {
      list: ruleTest.orders,
      key: 'testRowNo',
      of: 'company',
      ownedBy: 'orderNo',
      fill: async (fixture, { waiting, paid }) => {
        const testNo = await tested(fixture)
        await copied(fixture, 'risk_test_run', `test_no = '${testNo}'`, changes)
        await fixture.exec(sql`
          insert into risk_test_row (test_row_no, test_no, order_no, decision_no, old_decision, new_decision, old_code, new_code, new_hits, gone_hits, went_bad)
          select r.test_no || '-' || o, r.test_no, o, 'RD-' || o, 'review', case when r.seed % 3 = 0 then 'refuse' else 'approve' end, null, case when r.seed % 3 = 0 then 'MR_AGE' end,
            array['MR_AGE'], '{}', case when r.seed % 4 = 0 then r.seed % 8 = 0 end
          from risk_test_run r, unnest(array[${waiting}, ${paid}]::text[]) o where r.test_no like ${`${testNo}%`}`)
      },
    },
  ],
  records: [
    { fields: ['testNo'], table: 'risk_test_run', key: 'test_no', make: tested },
    { fields: ['versionNo'], under: '/risk/test/', table: 'risk_rule_set_version', key: 'version_no', make: drafted },
  ],
  ways: [
    way('a test runs to its end', async fixture => {
      await tested(fixture)
    }),
    way('a test is cancelled while it waits', async fixture => {
      await done(fixture, ruleTest.cancel, { testNo: await begun(fixture) })
    }),
    way('a test whose job was given up fails, and goes on', async fixture => {
      const testNo = await begun(fixture)
      await fixture.exec(sql`update job set state = 'dead' where payload ->> 'testNo' = ${testNo}`)
      await fixture.tick('risk.ruleTest.giveUp')
      const { version } = await fixture.one(
        sql<{ version: number }>`select version from risk_test_run where test_no = ${testNo}`,
      )
      await done(fixture, ruleTest.retry, { testNo, version })
      await fixture.worker.drain()
    }),
  ],
  calls: [{ call: ruleTest.run, needs: () => sample }],
})
