import { sql } from 'kysely'
import type { Endpoint } from '../core/contract/endpoint.ts'
import type { Database, Tx } from '../server/db/database.ts'
import { listPage } from '../server/lists/list.ts'
import type { Listed } from '../server/lists/listed.ts'
import { limitFor } from '../server/rights/scope.ts'
import { rightsOfPerson, type Session } from '../server/session/session.ts'
import { all, ofList } from '../server/testing/all-facts.ts'

type Row = Record<string, unknown>
export type Foreign = { list: string; userNo: string; number: string; merchantNo: string }
export type Reach = { asked: number; rows: number; foreign: Foreign[] }

/** By what number a row of a list is known, where its noun says whose it is. */
const numberOf = (list: Endpoint, row: Row): string | undefined => {
  const { key, ownedBy = key, of } = ofList(list)
  const number = row[ownedBy] ?? row[key]
  return of === 'company' || typeof number !== 'string' ? undefined : number
}

/** Without holders it is nobody's work: who serves the merchant sees it. */
type Owner = { no: string; merchantNo: string; holders: string[] | null }
/** The merchant, and the people who hold it, of each number: read from the tables without any rule. */
const ownersOf = (tx: Tx, wanted: readonly string[]) => {
  const known = all.records.flatMap(({ owners, unheld }) =>
    owners
      ? [sql`select no, merchant_no, ${unheld ? sql`null::text[]` : sql`holders`} as holders from (${owners}) known`]
      : [],
  )
  return tx.rows(
    sql<Owner>`select * from (${sql.join(known, sql` union all `)}) owned where no = any(${wanted as string[]})`,
  )
}

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
const maySee = (
  world: World,
  session: Session,
  perm: string | undefined,
  merchantNo: string,
  holders: string[] | null,
) => {
  const { userNo, deptNo } = session
  const mine = world.merchantsOf.get(userNo)?.has(merchantNo) ?? false
  const held = (test: (dept: string | undefined) => boolean) =>
    mine && (holders?.some(one => test(world.deptOf.get(one))) ?? true)
  const rules = {
    all: () => true,
    org_below: () => isBelow(world.parentOf, world.orgOf.get(merchantNo), world.orgOfDept.get(deptNo)),
    own_merchants: () => mine,
    dept_below: () => held(dept => isBelow(world.deptParent, dept, deptNo)),
    dept: () => held(dept => dept === deptNo),
    own: () => mine && (holders?.includes(userNo) ?? true),
  }
  return rules[limitFor(session, perm)]()
}

/**
 * Reads a page of every list as each of a sample of people, and answers the rows that the data rule keeps from them (V24).
 * `asked` counts pages and `rows` the rows that could be judged, so that a test can tell a clean result from an empty one.
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
        if (list.perm && !session.perms.has(list.perm)) continue
        const asked = list.input.safeParse({ pageSize: 100 })
        if (!asked.success) continue
        const input = asked.data as never
        const page = await listPage<Row, never>(tx, list, input, listed.source({ tx, session }) as never)
        reach.asked++
        const wanted = page.list.flatMap(row => numberOf(list, row) ?? [])
        for (const { no, merchantNo, holders } of await ownersOf(tx, [...new Set(wanted)])) {
          reach.rows++
          if (!maySee(world, session, list.perm, merchantNo, holders))
            reach.foreign.push({ list: list.path, userNo, number: no, merchantNo })
        }
      }
    }
    return reach
  })
