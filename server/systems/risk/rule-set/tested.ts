import { sql } from 'kysely'
import { fewestOrders, testDays } from '../../../../core/contract/risk/rule-test.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { Counts } from '../rule-test/count.ts'

type Values = Record<string, unknown>
type At = { item: Values; content: Values }
type Test = { testNo: string; sampleCount: number; result: Counts | null }

/** Days back in which orders count as past ones that a version can be tested on. */
const pastDays = 90

/** The newest finished test of exactly what a version holds; of enough orders, and not older than `days`, where that is asked for. */
export const testOf = (
  tx: Tx,
  { item, content }: At,
  { orders = 0, days }: { orders?: number; days?: number } = {},
): Promise<Test | undefined> =>
  tx.maybe(sql<Test>`
    select test_no, sample_count, result from risk_test_run
    where rule_set_no = ${item.ruleSetNo} and test_status = 'done' and content = ${json(content)}::jsonb and sample_count >= ${orders}
      and ${days === undefined ? sql`true` : sql`finished_time > ${tx.now}::timestamptz - ${days} * interval '1 day'`}
    order by finished_time desc, sample_count desc, test_no desc limit 1`)

/** A test that a version may be submitted with. */
export const freshTest = (tx: Tx, at: At): Promise<Test | undefined> =>
  testOf(tx, at, { orders: fewestOrders, days: testDays })

/** Whether there are enough past orders to test anything on: a business that has just begun has none. */
export const hasPast = async (tx: Tx): Promise<boolean> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from (
      select distinct order_no from risk_decision where decision <> 'incomplete' and decided_time > ${tx.now}::timestamptz - ${pastDays} * interval '1 day' limit ${fewestOrders}) past`)
  return n >= fewestOrders
}
