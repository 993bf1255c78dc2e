import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { contract } from '../core/contract/contract.ts'
import { silentLog } from '../server/log.ts'
import { jobsOf } from '../server/run.ts'
import { observed, ruleAt, setAt } from '../server/systems/risk/rule-set/rule-fixture.ts'
import { ruleSetModule } from '../server/systems/risk/rule-set/rule-set.ts'
import { writeBaseRules } from '../server/systems/risk/rule-set/seed.ts'
import { pastOrders } from '../server/systems/risk/rule-test/past-fixture.ts'
import { ruleTestModule } from '../server/systems/risk/rule-test/rule-test.ts'
import { openKit } from '../server/testing/kit.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { seconds, watched } from './measured.ts'

/** A version of a rule set over many past orders: how long the test takes and how much memory. */
const { values: given } = parseArgs({
  options: { orders: { type: 'string', default: '100000' }, embedded: { type: 'boolean', default: false } },
})
const orders = Number(given.orders)
const limit = { seconds: 60, rss: 512 }
/** Decided one by one; the others are copies of them. */
const patterns = 1_000

const url = given.embedded ? undefined : await newPostgresDatabase()
const modules = [ruleSetModule(), ruleTestModule()]
const kit = await openKit({ ...(url ? { url } : {}), modules, now: '2026-03-02T07:00:00Z', handmade: true })
const { worker } = jobsOf({ db: kit.db, log: silentLog, modules })

const copies = Math.ceil(orders / patterns) - 1
const copy = (table: string, changes: string, where = 'true') =>
  kit.db.withTx(tx =>
    tx.exec(sql`
      insert into ${sql.table(table)} select (jsonb_populate_record(x, jsonb_build_object(${sql.raw(changes)}))).* from ${sql.table(table)} x, generate_series(1, ${copies}::int) n where ${sql.raw(where)}`),
  )
const orderNo = `'order_no', x.order_no || '-' || n`
await kit.db.withTx(writeBaseRules)
await kit.db.withTx(tx => pastOrders(tx, patterns))
await copy('loan_order', `${orderNo}, 'third_order_no', x.third_order_no || '-' || n`)
await copy('risk_fact_snapshot', orderNo)
await copy('risk_decision', `${orderNo}, 'decision_no', x.decision_no || '-' || n`)
await copy('risk_decision_hit', `'decision_no', x.decision_no || '-' || n`)
await copy('risk_outcome', orderNo)
if (url) await kit.db.withTx(tx => tx.exec(sql`analyze`))

const as = await kit.person({ perms: ['risk:ruleSet:page', 'risk:ruleSet:save', 'risk:ruleSet:test'] })
const rules = [
  ...ruleAt({ ruleNo: 'ROOT', expression: 'device.rooted', ruleAction: 'refuse', refuseCode: 'MR_DEVICE' }),
  ...Array.from({ length: 19 }, (_, at) =>
    ruleAt({ ruleNo: `R${at}`, expression: `history.maxOverdueDays > ${at} && customer.age < ${20 + at}` }),
  ).flat(),
].map(rule => ({ ...rule, ruleMode: 'enforce' as const }))
const saved = await kit.call(contract.ruleSet.save, setAt('Bench', observed({ rules })) as never, { as })
const versions = await kit.call(contract.ruleSet.versions, { ruleSetNo: String(saved.data.key) } as never, { as })
const versionNo = String(versions.data.list[0]?.versionNo)
const sample = { sampleFrom: '2026-02-20', sampleTo: '2026-03-10', sampleMost: orders, seed: 1 }
const asked = await kit.call(contract.ruleTest.run, { versionNo, ...sample }, { as })
if (asked.code !== 0) throw new Error(`${asked.code} ${asked.msg}`)

let took = 0
const rss = await watched(async () => {
  took = await seconds(() => worker.drain())
})
const { data } = await kit.call(contract.ruleTest.detail, { testNo: asked.data.testNo }, { as })
const { testStatus, doneCount, changedCount } = data.run
if (testStatus !== 'done' || doneCount !== orders) throw new Error(JSON.stringify(data.run))
const isOver = took > limit.seconds || rss > limit.rss
console.log(
  `${doneCount} past orders by ${rules.length} rules, ${changedCount} changed, ${url ? 'PostgreSQL' : 'embedded'}: ${took.toFixed(1)} s (limit ${limit.seconds}), +${rss.toFixed(0)} MB RSS (limit ${limit.rss}): ${isOver ? 'OVER' : 'within'}`,
)
await kit.close()
process.exitCode = isOver ? 1 : 0
