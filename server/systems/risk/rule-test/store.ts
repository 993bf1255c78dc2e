import { type RawBuilder, type Selectable, sql } from 'kysely'
import { pathOf } from '../../../../core/contract/pages.ts'
import { ruleTestMachine } from '../../../../core/contract/risk/rule-test.ts'
import type { StateOf } from '../../../../core/rules/machines/machine.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { tell } from '../../../messages/message.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import type { Counts } from './count.ts'

/** The queue of tests. */
export const queue = 'risk.ruleTest'

/** A test as the database keeps it. */
export type Run = Omit<Selectable<DB['riskTestRun']>, 'testStatus' | 'content' | 'result'> & {
  testStatus: StateOf<typeof ruleTestMachine>
  content: Record<string, unknown>
  result: Counts | null
}

/** A test, locked. @throws notFound */
export const lockRun = async (tx: Tx, testNo: string, seen: RawBuilder<unknown> = sql`true`): Promise<Run> => {
  const run = await tx.maybe(sql<Run>`select * from risk_test_run where test_no = ${testNo} and ${seen} for update`)
  if (!run) throw notFound()
  return run
}

/** Puts a test into the queue, together with its cause. */
export const start = (tx: Tx, { testNo, version }: Pick<Run, 'testNo' | 'version'>): Promise<boolean> =>
  enqueue(tx, queue, `${testNo}.${version}`, { testNo })

/** The sample is not needed any more. */
const dropSample = (tx: Tx, testNo: string) => tx.exec(sql`delete from risk_test_sample where test_no = ${testNo}`)

const tellMaker = async (tx: Tx, run: Run, template: 'ruleTestDone' | 'ruleTestFailed') => {
  const { ruleSetName } = await tx.one(
    sql<{ ruleSetName: string }>`select rule_set_name from risk_rule_set where rule_set_no = ${run.ruleSetNo}`,
  )
  tell(tx, {
    to: run.createdBy,
    messageType: 'result',
    template,
    params: { ruleSetName, count: run.doneCount },
    objectType: 'risk_test_run',
    objectNo: run.testNo,
    route: `${pathOf('RiskControlSystem', 'RuleSet')}?tab=bench`,
  })
}

/** A test has all its orders. */
export const finish = async (tx: Tx, run: Run, actor: Actor): Promise<void> => {
  await transition(tx, ruleTestMachine, run, { event: 'job.done', set: { finishedTime: tx.now } }, actor)
  await dropSample(tx, run.testNo)
  await tellMaker(tx, run, 'ruleTestDone')
}

/** A test that was given up; it may be asked for again and goes on where it was. */
export const giveUp = async (tx: Tx, run: Run, actor: Actor): Promise<void> => {
  const running =
    run.testStatus === 'queued' ? await transition(tx, ruleTestMachine, run, { event: 'job.lease' }, actor) : run
  await transition(tx, ruleTestMachine, running, { event: 'job.fail', set: { finishedTime: tx.now } }, actor)
  await tellMaker(tx, run, 'ruleTestFailed')
}

/** A person ends a test; what it found so far is kept. */
export const cancel = async (tx: Tx, run: Run, actor: Actor): Promise<void> => {
  await transition(tx, ruleTestMachine, run, { event: 'job.cancel', set: { finishedTime: tx.now } }, actor)
  await dropSample(tx, run.testNo)
}
