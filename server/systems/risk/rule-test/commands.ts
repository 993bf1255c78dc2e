import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { ruleTestMachine } from '../../../../core/contract/risk/rule-test.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import { rulesSeen } from '../rule-set/seen.ts'
import { cancel, lockRun, start } from './store.ts'

const { ruleTest } = contract
const objectType = 'risk_test_run'
/** Tests that may wait or run at the same time. */
const maxRunning = 3

type Version = { ruleSetNo: string; stage: string; sort: number; content: unknown }

const run = serve(ruleTest.run, async ({ tx, session, actor, input, audit }) => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('rule tests'))`)
  const { versionNo, merchantNos = [], productNos = [], loanKinds = [], ...sample } = input
  const version = await tx.maybe(sql<Version>`
    select x.rule_set_no, x.stage, x.sort, v.content from risk_rule_set_version v join risk_rule_set x using (rule_set_no)
    where v.version_no = ${versionNo} and x.deleted_time is null and ${rulesSeen(session)}`)
  if (!version) throw notFound()
  const { running } = await tx.one(sql<{ running: number }>`
    select count(*)::int as running from risk_test_run where test_status in ('queued', 'running')`)
  if (running >= maxRunning) throw new Fault('quota', 'errors.testsRunning', { max: maxRunning })
  const testNo = newNo('RT', tx.now)
  const row = {
    ...{ testNo, versionNo, ...version, ...sample, merchantNos, productNos, loanKinds },
    ...{ content: JSON.stringify(version.content), createdBy: session.userNo, createdTime: tx.now },
  }
  await create(tx, ruleTestMachine, row, { event: 'job.plan' }, actor)
  await start(tx, { testNo, version: 0 })
  audit({ objectType, objectNo: testNo, after: { ...input } })
  return { testNo }
})

const cancelCall = serve(ruleTest.cancel, async ({ tx, session, actor, input, audit }) => {
  const test = await lockRun(tx, input.testNo, rulesSeen(session))
  requireEvent(ruleTestMachine, test.testStatus, 'job.cancel')
  await cancel(tx, test, actor)
  audit({ objectType, objectNo: input.testNo, after: { testStatus: 'cancelled', doneCount: test.doneCount } })
  return { testStatus: 'cancelled' as const }
})

/** What failed goes on where it was. */
const retry = serve(ruleTest.retry, async ({ tx, session, actor, input, audit }) => {
  const test = await lockRun(tx, input.testNo, rulesSeen(session))
  requireEvent(ruleTestMachine, test.testStatus, 'job.retry')
  checkVersion(test, input.version)
  const { version } = await transition(
    tx,
    ruleTestMachine,
    test,
    { event: 'job.retry', set: { finishedTime: null } },
    actor,
  )
  await start(tx, { testNo: input.testNo, version })
  audit({ objectType, objectNo: input.testNo, after: { testStatus: 'queued' } })
  return { testStatus: 'queued' as const }
})

export const testCommands = [run, cancelCall, retry]
