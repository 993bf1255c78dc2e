import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf, RowOf } from '../../../../core/contract/endpoint.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, shownRow } from '../../../lists/listed.ts'
import type { Choices } from '../../../module.ts'
import { orderScope } from '../../order/order/index.ts'
import { shareOf } from '../risk-model/figures.ts'
import { rulesIn } from '../rule-set/checks.ts'
import { rulesSeen } from '../rule-set/seen.ts'
import { type Counts, figuresOf, nothing } from './count.ts'
import type { Run } from './store.ts'

const { ruleTest } = contract
type Row = RowOf<typeof ruleTest.page>
type Detail = OutputOf<typeof ruleTest.detail>

/** From this share of a sample on, a test that lacks facts says little. */
const manyUnknown = 0.1

const figures = (counts: Counts, doneCount: number) => {
  const found = figuresOf(counts)
  return {
    knownCount: found.known,
    unknownFactCount: counts.lacking,
    refuseRateBefore: shareOf(found.refusedBefore, doneCount),
    refuseRate: shareOf(found.refusedAfter, doneCount),
    swapIn: found.swapIn,
    swapOut: found.swapOut,
    changedCount: counts.changed,
    badRate: shareOf(found.badPassed, found.knownPassed),
    lossAmount: found.lossPassed,
  }
}

/** Figures of the tests of a page, from what was counted so far. */
const fill = async (tx: Tx, rows: Row[]): Promise<Row[]> => {
  const found = await tx.rows(sql<Pick<Run, 'testNo' | 'result' | 'doneCount'>>`
    select test_no, result, done_count from risk_test_run where test_no = any(${rows.map(row => row.testNo)})`)
  const of = new Map(found.map(one => [one.testNo, figures(one.result ?? nothing(), one.doneCount)]))
  return rows.map(row => ({ ...row, ...of.get(row.testNo) }))
}

/** Tests of the rule sets that the reader sees. */
export const testList = listed({
  list: ruleTest.page,
  source: ({ session }) => ({
    from: sql`risk_test_run x`,
    alias: 'x',
    key: sql`x.test_no`,
    where: rulesSeen(session),
    joins: { s: sql`join risk_rule_set s on s.rule_set_no = x.rule_set_no` },
    columns: {
      ruleSetName: sql`s.rule_set_name`,
      createdBy: sql`coalesce((select u.real_name from app_user u where u.user_no = x.created_by), x.created_by)`,
      ...Object.fromEntries(
        ['knownCount', 'unknownFactCount', 'swapIn', 'swapOut', 'changedCount'].map(name => [name, sql`0`]),
      ),
      ...Object.fromEntries(['refuseRateBefore', 'refuseRate', 'badRate'].map(name => [name, sql`null::text`])),
      lossAmount: sql`0::numeric(18,2)`,
    },
  }),
  late: {
    columns: [
      ...(['knownCount', 'unknownFactCount', 'refuseRateBefore', 'refuseRate', 'swapIn', 'swapOut'] as const),
      ...(['changedCount', 'badRate', 'lossAmount'] as const),
    ],
    needs: ['testNo'],
    only: sql`true`,
    fill,
  },
})

/** Orders that a test decided otherwise, of those that the reader sees. */
export const changedList = listed({
  list: ruleTest.orders,
  source: ({ session }) => ({
    from: sql`risk_test_row x join loan_order o using (order_no)`,
    alias: 'x',
    key: sql`x.test_row_no`,
    where: sql`${rulesSeen(session)} and ${orderScope(session, ruleTest.orders.perm as string)}`,
    joins: {
      p: sql`join product p on p.product_no = o.product_no`,
      m: sql`join merchant m on m.merchant_no = o.merchant_no`,
    },
    columns: {
      merchantNo: sql`o.merchant_no`,
      merchantName: sql`m.merchant_name`,
      productNo: sql`o.product_no`,
      productName: sql`p.product_name`,
      loanKind: sql`o.loan_kind`,
      newHits: sql`nullif(array_to_string(x.new_hits, ', '), '')`,
      goneHits: sql`nullif(array_to_string(x.gone_hits, ', '), '')`,
    },
  }),
})

const matrixOf = ({ matrix }: Counts): Detail['matrix'] =>
  Object.entries(matrix).map(([at, { count, known, bad, loss }]) => {
    const [oldDecision, newDecision] = at.split('>') as [Detail['matrix'][number]['oldDecision'], 'refuse']
    return { oldDecision, newDecision, count, knownCount: known, badRate: shareOf(bad, known), lossAmount: loss }
  })

/** The rules of the version, and those that hit before and are not in it. */
const rulesOf = ({ content }: Run, counts: Counts): Detail['testedRules'] => {
  const rules = rulesIn(content)
  const nos = [...new Set([...rules.map(rule => rule.ruleNo), ...Object.keys(counts.rules)])]
  return nos.map(ruleNo => {
    const rule = rules.find(one => one.ruleNo === ruleNo)
    const { before = 0, after = 0, unknown = 0 } = counts.rules[ruleNo] ?? {}
    const names = { ruleNameZh: rule?.ruleNameZh, ruleNameEn: rule?.ruleNameEn, ruleNameSw: rule?.ruleNameSw }
    const named = Object.fromEntries(Object.entries(names).map(([name, words]) => [name, words ?? ruleNo]))
    return { ruleNo, ...(named as typeof names & object), hitsBefore: before, hitsAfter: after, unknownAfter: unknown }
  }) as Detail['testedRules']
}

const productNames = async (tx: Tx, nos: readonly string[]) => {
  const rows = await tx.rows(sql<{ no: string; name: string }>`
    select product_no as no, product_name as name from product where product_no = any(${[...nos]}::text[])`)
  return new Map(rows.map(({ no, name }) => [no, name]))
}

const groupsOf = async (tx: Tx, { groups }: Counts): Promise<Detail['groups']> => {
  const parts = Object.entries(groups).map(([at, group]) => {
    const space = at.indexOf(' ')
    return { testGroup: at.slice(0, space), value: at.slice(space + 1), group }
  })
  const names = await productNames(
    tx,
    parts.filter(part => part.testGroup === 'product').map(part => part.value),
  )
  const order = ['product', 'loanKind', 'channel']
  return parts
    .sort((a, b) => order.indexOf(a.testGroup) - order.indexOf(b.testGroup) || b.group.count - a.group.count)
    .map(({ testGroup, value, group: { count, before, after, swapIn, swapOut } }) => ({
      testGroup: testGroup as 'product',
      groupName: testGroup === 'product' ? (names.get(value) ?? value) : value || '–',
      ...{ count, refusedBefore: before, refusedAfter: after, swapIn, swapOut },
    }))
}

const detail = serve(ruleTest.detail, async ({ tx, session, input: { testNo } }) => {
  const row = await shownRow<Row>(testList, { tx, session }, testNo)
  if (!row) throw notFound()
  const [filled] = await fill(tx, [row])
  const run = await tx.one(sql<Run>`select * from risk_test_run where test_no = ${testNo}`)
  const counts = run.result ?? nothing()
  return {
    run: filled as Row,
    passRate: shareOf(figuresOf(counts).passed, run.doneCount),
    manyUnknown: counts.lacking > run.doneCount * manyUnknown,
    merchantNos: run.merchantNos,
    productNos: run.productNos,
    loanKinds: run.loanKinds as Detail['loanKinds'],
    sampleMost: run.sampleMost,
    matrix: matrixOf(counts),
    testedRules: rulesOf(run, counts),
    groups: await groupsOf(tx, counts),
  }
})

/** Versions that can be tested: those that are worked on, and the one in force. */
export const versionChoices: Choices = {
  key: 'RULE_SET_VERSION',
  list: ({ tx, session }) =>
    tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select v.version_no as value, x.rule_set_name || ' · ' || v.version_no || case when v.version_status = 'effective' then '' else ' *' end as label,
        v.version_status in ('draft', 'pending', 'rejected', 'scheduled', 'effective') as enabled
      from risk_rule_set_version v join risk_rule_set x using (rule_set_no) where x.deleted_time is null and ${rulesSeen(session)}
      order by x.sort, x.rule_set_name, v.created_time desc, v.version_no limit 1000`),
}

export const testReads = [detail]
