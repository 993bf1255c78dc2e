import { sql } from 'kysely'
import type { Database, Tx } from '../server/db/database.ts'
import { listPage } from '../server/list.ts'
import type { Listed } from '../server/listed.ts'
import { limitFor } from '../server/scope.ts'
import { rightsOfPerson, type Session } from '../server/session.ts'

type Row = Record<string, unknown>
export type Foreign = { list: string; userNo: string; number: string; merchantNo: string }
export type Reach = { asked: number; rows: number; foreign: Foreign[] }

/** Lists of what belongs to a person or to the house, whatever the merchant. */
const unowned = /\/(view|message|export|import|leave|announcement)/i

/** By what number a row of a list is known, nearest first. */
const numbers = [
  'batchNo',
  'loanCode',
  'flowNo',
  'approvalNo',
  'auditTaskNo',
  'repaymentNo',
  'orderNo',
  'auditNo',
] as const
const numberOf = (row: Row): string | undefined => {
  const name = numbers.find(one => typeof row[one] === 'string')
  return name && String(row[name])
}

/** The merchant, and the people who hold it, of each number: read from the tables without any rule. */
const ownersOf = (tx: Tx, wanted: readonly string[]) =>
  tx.rows(sql<{ no: string; merchantNo: string; holders: string[] }>`
    with of_order as (
      select o.order_no, o.merchant_no, array(select auditor_no from audit_task t where t.order_no = o.order_no) as holders from loan_order o)
    select * from (
      select order_no as no, merchant_no, holders from of_order
      union all select loan_code, merchant_no, holders from loan_code join of_order using (order_no)
      union all select batch_no, merchant_no, holders from gateway_attempt join loan_code on loan_code = parent_no join of_order using (order_no) where batch_no is not null
      union all select audit_task_no, merchant_no, holders from audit_task join of_order using (order_no)
      union all select repayment_no, merchant_no, holders from repay_record join of_order using (order_no)
      union all select audit_no::text, merchant_no, holders from audit_log join of_order using (order_no)
      union all select flow_no, merchant_no, array[created_by] from repay_flow where merchant_no is not null
      union all select approval_no, merchant_no, array[maker_no] from approval where merchant_no is not null) known
    where no = any(${wanted as string[]})`)

type World = {
  orgOf: Map<string, string>
  parentOf: Map<string, string | null>
  deptOf: Map<string, string>
  deptParent: Map<string, string | null>
  orgOfDept: Map<string, string>
  merchantsOf: Map<string, Set<string>>
}

const worldOf = async (tx: Tx): Promise<World> => {
  const pairs = async <V>(query: ReturnType<typeof sql<{ a: string; b: V }>>) =>
    new Map((await tx.rows(query)).map(({ a, b }) => [a, b]))
  const served = await tx.rows(sql<{ userNo: string; merchantNo: string }>`
    select user_no, merchant_no from user_merchant union select user_no, principal_merchant_no from app_user`)
  const merchantsOf = new Map<string, Set<string>>()
  for (const { userNo, merchantNo } of served)
    merchantsOf.set(userNo, (merchantsOf.get(userNo) ?? new Set()).add(merchantNo))
  return {
    orgOf: await pairs(sql<{ a: string; b: string }>`select merchant_no as a, org_no as b from merchant`),
    parentOf: await pairs(sql<{ a: string; b: string | null }>`select org_no as a, parent_org_no as b from org`),
    deptOf: await pairs(sql<{ a: string; b: string }>`select user_no as a, dept_no as b from app_user`),
    deptParent: await pairs(sql<{ a: string; b: string | null }>`select dept_no as a, parent_dept_no as b from dept`),
    orgOfDept: await pairs(sql<{ a: string; b: string }>`select dept_no as a, org_no as b from dept`),
    merchantsOf,
  }
}

const isBelow = (parents: Map<string, string | null>, no: string | undefined, top: string | undefined): boolean => {
  for (let at = no; at; at = parents.get(at) ?? undefined) if (at === top) return true
  return false
}

/** Whether a person may see what a merchant has and some people hold: the data rule in plain words, apart from its SQL. */
const maySee = (world: World, session: Session, perm: string | undefined, merchantNo: string, holders: string[]) => {
  const { userNo, deptNo } = session
  const mine = world.merchantsOf.get(userNo)?.has(merchantNo) ?? false
  const held = (test: (dept: string | undefined) => boolean) => mine && holders.some(one => test(world.deptOf.get(one)))
  const rules = {
    all: () => true,
    org_below: () => isBelow(world.parentOf, world.orgOf.get(merchantNo), world.orgOfDept.get(deptNo)),
    own_merchants: () => mine,
    dept_below: () => held(dept => isBelow(world.deptParent, dept, deptNo)),
    dept: () => held(dept => dept === deptNo),
    own: () => mine && holders.includes(userNo),
  }
  return rules[limitFor(session, perm)]()
}

/**
 * Reads a page of every list as each of a sample of people, and answers the rows that the data rule keeps from them (V24).
 * `asked` counts pages and `rows` the rows that could be judged, so that a test can tell a clean house from an empty one.
 */
export const foreignRows = (db: Database, lists: readonly Listed[], { users = 200 } = {}): Promise<Reach> =>
  db.read(async tx => {
    const reach: Reach = { asked: 0, rows: 0, foreign: [] }
    const world = await worldOf(tx)
    const sample = await tx.rows(sql<{ userNo: string }>`
      select user_no from app_user where user_status = 'normal' and employee_status = 'on_job' order by md5(user_no) limit ${users}`)
    for (const { userNo } of sample) {
      const session = await rightsOfPerson(tx, userNo, 'en')
      for (const listed of lists) {
        const { list } = listed
        if ((list.perm && !session.perms.has(list.perm)) || unowned.test(list.path)) continue
        const asked = list.input.safeParse({ pageSize: 100 })
        if (!asked.success) continue
        const input = asked.data as never
        const page = await listPage<Row, never>(tx, list, input, listed.source({ tx, session }) as never)
        reach.asked++
        const wanted = page.list.flatMap(row => numberOf(row) ?? [])
        for (const { no, merchantNo, holders } of await ownersOf(tx, [...new Set(wanted)])) {
          reach.rows++
          if (!maySee(world, session, list.perm, merchantNo, holders))
            reach.foreign.push({ list: list.path, userNo, number: no, merchantNo })
        }
      }
    }
    return reach
  })
