import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import type { Inputs } from '../../../../core/rules/risk/judge.ts'
import type { Rule } from '../../../../core/rules/risk/rule.ts'
import { json } from '../../../db/json.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { holdersOf } from '../../../testing/order-lists.ts'
import { observed, ruleAt, setAt } from './rule-fixture.ts'
import { writeBaseRules } from './seed.ts'

const { ruleSet, common } = contract
const inputs: Inputs = {
  requestedAmount: '200000.00',
  monthlyIncome: '900000.00',
  remainingLimit: '900000.00',
  settledLoans: 0,
  limits: { minAmount: '50000.00', maxAmount: '500000.00', amountStep: '10000.00' },
  manualReview: true,
  autoApproveMax: null,
  scoring: { modelScore: 700, modelLevel: 'B', isRefused: false, bandDecision: 'review', hits: [] },
  bands: [],
  lists: [],
  cell: null,
  verifyResult: 'passed',
  overCap: false,
}
const table = ruleSets.versionMachine?.table as string

const rulesOf = (row: Readonly<Record<string, unknown>>) => (row.rules as Rule[] | null) ?? []

type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, ruleSetNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where rule_set_no = ${ruleSetNo} order by created_time desc, version_no desc limit 1`)
const inForce = (fixture: Fixture, ruleSetNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where rule_set_no = ${ruleSetNo} and version_status = 'effective'`)
const versionOf = async (fixture: Fixture, ruleSetNo: string) =>
  (await fixture.one(sql<{ version: number }>`select version from risk_rule_set where rule_set_no = ${ruleSetNo}`))
    .version

let sets = 0
const added = async (fixture: Fixture, change: Record<string, unknown> = {}): Promise<string> =>
  String((await done(fixture, ruleSet.save, setAt(`Set ${++sets}`, change))).key)

const submit = async (fixture: Fixture, no: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, no)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'as tried', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, ruleSet.versionSubmit, input)).approvalNo)
}

/** The base admission rules, which refuse. */
const refusing = async (fixture: Fixture): Promise<string> => {
  await fixture.db.withTx(writeBaseRules)
  return 'RS-ADMISSION'
}
const made = async (fixture: Fixture): Promise<string> => {
  const no = await refusing(fixture)
  const version = await versionOf(fixture, no)
  await done(fixture, ruleSet.emergency, { ruleSetNo: no, version, ruleNo: 'MR_AGE', reason: 'it misfires' })
  return no
}
/** Decisions of an order, one an hour apart from the next. */
const decided = (fixture: Fixture, orderNo: string, count = 1) =>
  fixture.exec(sql`
    with facts as (insert into risk_fact_snapshot (order_no, eval_no, facts, created_time)
      select ${orderNo}, 100 + n, '{}', ${fixture.clock.now()} from generate_series(1, ${count}) n returning eval_no)
    insert into risk_decision (decision_no, order_no, eval_no, decision, model_no, model_version, model_score, model_level, rule_versions, rule_sets, inputs, result_hash, duration_ms, decided_time)
    select 'RD' || ${orderNo} || '-' || eval_no, ${orderNo}, eval_no, 'review', 'MD-BASE', 1, 600 + eval_no, 'B', '{}', '[]', ${json(inputs)}, '', eval_no % 9,
      ${fixture.clock.now()}::timestamptz - eval_no % 5 * interval '1 hour' from facts`)

export default facts({
  approvals: [{ action: 'ruleSet.version', ask: async fixture => submit(fixture, await added(fixture)) }],
  lists: [
    {
      list: ruleSet.page,
      key: 'ruleSetNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('rule_set_no')}, ${at('updated_time')}, 'rule_set_name', 'Set of ' || n, 'stage', (array['admission', 'credit'])[1 + n % 2], 'sort', n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'risk_rule_set', `rule_set_no = '${no}'`, changes)
      },
      means: {
        waiting: (_, mine: boolean) => !mine,
        ruleAction: (row, of: string[]) => of.length === 0 || rulesOf(row).some(rule => of.includes(rule.ruleAction)),
        ruleMode: (row, of: string[]) => of.length === 0 || rulesOf(row).some(rule => of.includes(rule.ruleMode)),
        refuseCode: (row, code: string) => rulesOf(row).some(rule => rule.refuseCode === code),
        expression: (row, text: string) =>
          rulesOf(row).some(rule => rule.expression.toLowerCase().includes(text.toLowerCase())),
        // Sets that name none are about all.
        merchantNo: () => true,
        productNo: () => true,
        ruleSetName: (row, name: string) => String(row.ruleSetName).toLowerCase().startsWith(name.toLowerCase()),
      },
    },
    {
      list: ruleSet.decisions,
      key: 'decisionNo',
      ownedBy: 'orderNo',
      fill: async (fixture, { waiting, paid }) => {
        for (const orderNo of [waiting, paid]) await decided(fixture, orderNo, 25)
      },
      // None of them met a rule.
      means: { ruleNo: () => false },
    },
  ],
  records: [
    { fields: ['ruleSetNo'], table: 'risk_rule_set', key: 'rule_set_no', make: fixture => added(fixture) },
    {
      fields: ['versionNo'],
      under: '/risk/ruleSet/',
      table,
      key: 'version_no',
      make: async fixture => (await newest(fixture, await added(fixture))).versionNo,
    },
    {
      fields: ['decisionNo'],
      table: 'risk_decision',
      key: 'decision_no',
      make: async (fixture, _, { orderNo }) => {
        await decided(fixture, orderNo)
        return `RD${orderNo}-101`
      },
      owners: sql`select d.decision_no as no, o.merchant_no, ${holdersOf} as holders from risk_decision d join loan_order o using (order_no)`,
    },
  ],
  ways: [
    way('a version is sent back, taken back and changed until it is in force', async fixture => {
      const no = await added(fixture)
      const asked = await submit(fixture, no)
      await done(fixture, common.reject, { approvalNo: asked, version: 0, reason: 'later' }, fixture.second)
      const saved = async () =>
        done(fixture, ruleSet.versionSave, { ruleSetNo: no, ...(await newest(fixture, no)), ...observed() })
      await saved()
      await saved()
      await done(fixture, common.withdraw, { approvalNo: await submit(fixture, no), version: 0 })
      await submit(fixture, no)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, no))
      await done(fixture, ruleSet.versionSave, { ruleSetNo: no, ...observed() })
      await fixture.agree(await submit(fixture, no))
    }),
    way('a version is scheduled and cancelled', async fixture => {
      const no = await added(fixture)
      await fixture.agree(await submit(fixture, no, 1))
      const input = { ...(await newest(fixture, no)), reason: 'not needed' }
      await done(fixture, ruleSet.versionCancel, input, fixture.second)
    }),
    way('a version starts by the clock once its list is in use', async fixture => {
      const list = await done(fixture, contract.nameList.save, {
        ...{ nameListName: 'Named by rules', listKind: 'grey', listEffect: 'review', dimension: 'phone' },
        defaultMonths: 12,
      })
      const no = await added(fixture, { rules: ruleAt({ expression: `inList("${list.key}")` }) })
      const turn = async (enabled: boolean) => {
        const row = await fixture.one(
          sql<{
            enabled: string
            version: number
          }>`select enabled, version from name_list where name_list_no = ${list.key}`,
        )
        if ((row.enabled === 'enabled') !== enabled)
          await done(fixture, contract.nameList.state, { nameListNo: list.key, version: row.version, enabled })
      }
      await turn(true)
      await fixture.agree(await submit(fixture, no, 1))
      await turn(false)
      await fixture.pass(25 * 60)
      await fixture.tick('ruleSet.start')
      await turn(true)
      await fixture.tick('ruleSet.start')
    }),
    way('a rule goes to auditors at once, refuses again, and is kept milder', async fixture => {
      const no = await made(fixture)
      await fixture.pass(25 * 60)
      await fixture.tick('ruleSet.fallback')
      const version = await versionOf(fixture, no)
      await done(fixture, ruleSet.emergency, { ruleSetNo: no, version, ruleNo: 'MR_AGE', reason: 'again' })
      await done(fixture, ruleSet.keep, { ...(await inForce(fixture, no)), reason: 'agreed' }, fixture.second)
    }),
  ],
  calls: [
    { call: ruleSet.save, about: 'a new set of ours: rules are whatever the merchant' },
    { call: ruleSet.check, about: 'reads nothing but the text that was typed' },
    { call: ruleSet.factList, about: 'sums over snapshots of all merchants: it shows no record' },
    { call: ruleSet.decisionDetail, needs: ({ made }) => ({ decisionNo: made.decisionNo }) },
    {
      call: ruleSet.tryOn,
      needs: ({ made }) => ({ ruleSetNo: made.ruleSetNo, rules: ruleAt() }),
    },
  ],
  beginnings: [
    {
      call: ruleSet.emergency,
      input: async fixture => {
        const no = await refusing(fixture)
        return { ruleSetNo: no, version: await versionOf(fixture, no), ruleNo: 'MR_AGE', reason: 'it misfires' }
      },
    },
  ],
})
