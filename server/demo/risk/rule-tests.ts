import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { fewestOrders } from '../../../core/contract/risk/rule-test.ts'
import type { Rule } from '../../../core/rules/risk/rule.ts'
import { addDays } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import type { StepHandler } from '../../module.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { baseSets } from '../../systems/risk/rule-set/base-rules.ts'
import { ruleSetModule } from '../../systems/risk/rule-set/rule-set.ts'
import { ruleTestModule } from '../../systems/risk/rule-test/rule-test.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { ruleSet, ruleTest } = contract
type Values = Record<string, unknown>

const late: Rule = {
  ruleNo: 'LATE.15',
  ruleNameZh: '历史逾期超过15天',
  ruleNameEn: 'Over 15 days late before',
  ruleNameSw: 'Aliwahi kuchelewa zaidi ya siku 15',
  expression: 'history.maxOverdueDays > 15',
  ruleAction: 'review',
  onMissing: 'skip',
  ruleMode: 'enforce',
}
const rooted: Rule = {
  ruleNo: 'ROOTED',
  ruleNameZh: '设备已Root',
  ruleNameEn: 'Device rooted',
  ruleNameSw: 'Kifaa kimevunjwa ulinzi',
  expression: 'device.rooted && history.settledCount == 0',
  ruleAction: 'refuse',
  refuseCode: 'MR_DEVICE',
  onMissing: 'skip',
  ruleMode: 'enforce',
}

/** A set with a further rule, drafted and tested on the orders of 90 days. */
const draftTested = async (
  tx: Tx,
  call: (endpoint: unknown, input: Values) => Promise<Values>,
  no: string,
  rule: Rule,
) => {
  const set = baseSets.find(one => one.ruleSetNo === no)
  if (!set) return null
  const { executeMode, whitelistSkips, rules } = set
  await call(ruleSet.versionSave, { ruleSetNo: no, executeMode, whitelistSkips, rules: [...rules, rule] })
  const draft = await tx.one(sql<{ versionNo: string; version: number }>`
    select version_no, version from risk_rule_set_version where rule_set_no = ${no} and version_status = 'draft'`)
  const sample = { sampleFrom: addDays(tx.today, -89), sampleTo: tx.today, sampleMost: 50_000, seed: 20_261 }
  const { testNo } = await call(ruleTest.run, { versionNo: draft.versionNo, ...sample })
  const [handler] = ruleTestModule().queues as StepHandler[]
  const job = { jobKey: '', payload: { testNo } }
  while (await handler?.step(tx, job)) await tx.flush()
  await tx.flush()
  return draft
}

/** A draft with a finished test, and a version that waits for the risk head. */
export const writeRuleTests = async (tx: Tx): Promise<void> => {
  const own = [ruleSetModule(), ruleTestModule()]
  const hand = handFor([...own, approvalModule(own.flatMap(one => one.approvals ?? []))])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  if (!boss) return
  const call = async (endpoint: unknown, input: Values) => {
    const answer = (await hand.call(at(tx, tx.now), boss, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  await draftTested(tx, call, 'RS-HISTORY', late)
  const waits = await draftTested(tx, call, 'RS-FRAUD', rooted)
  const { n } = await tx.one(sql<{ n: number }>`select count(distinct order_no)::int as n from risk_decision`)
  // A small demo has too few orders to release a rule on.
  if (waits && n >= fewestOrders)
    await call(ruleSet.versionSubmit, { ...waits, reason: 'First loans on rooted devices went bad twice as often' })
}
