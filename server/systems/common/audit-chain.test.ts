import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stoppedClock } from '../../db/clock.ts'
import { type Database, openDatabase, type Tx } from '../../db/database.ts'
import { auditInvariants, checkAnchors } from '../../invariants/audit.ts'
import { anchorSealer } from '../../session/anchor.ts'
import { anchorAudit, auditChainModule, chainAudit } from './audit-chain.ts'

const secretKey = Buffer.alloc(32, 7)
const sealer = anchorSealer(secretKey)
const [v23] = auditInvariants
let db: Database
beforeAll(async () => {
  db = await openDatabase({ memory: true, clock: stoppedClock('2026-03-02T07:00:00Z') })
  await said('first', 'second', 'third')
})
afterAll(() => db.close())

const said = (...actions: string[]) =>
  db.withTx(async tx => {
    for (const action of actions)
      tx.append('auditLog', {
        action,
        objectType: 'order',
        objectNo: 'LO1',
        actor: 'U1',
        actorName: 'Grace Nakato',
        at: tx.now,
        requestId: action,
        after: { amount: '1.00' },
      })
  })
const chained = () =>
  db.read(async tx =>
    (
      await tx.rows(
        sql<{
          action: string
        }>`select a.action from audit_chain c join audit_log a using (audit_no) order by c.chain_no`,
      )
    ).map(({ action }) => action),
  )

class Undone extends Error {}
/** What the rule and the seals say once something has been smuggled past the triggers. */
const flawsAfter = async (tamper: (tx: Tx) => Promise<unknown>) => {
  let found: unknown[] = []
  await db
    .withTx(async tx => {
      await tx.exec(sql`set local session_replication_role = replica`)
      await tamper(tx)
      found = [...(await tx.rows(v23!.broken)), ...(await checkAnchors(tx, secretKey)).flatMap(({ rows }) => rows)]
      throw new Undone()
    })
    .catch(error => {
      if (!(error instanceof Undone)) throw error
    })
  return found
}
const forge = (action: string) => sql`update audit_log set actor_name = 'Grace Nakatu' where action = ${action}`
/** As somebody would who knows how the chain is made. */
const rechain = async (tx: Tx) => {
  await tx.exec(sql`delete from audit_chain`)
  await tx.exec(sql`update audit_tip set chain_no = 0, hash = '', settled_no = 0`)
  await tx.exec(sql`select chain_audit(10000)`)
}

it('takes rows in once, in the order in which they were committed', async () => {
  expect(await db.withTx(chainAudit)).toBe(3)
  expect(await db.withTx(chainAudit)).toBe(0)
  await said('fourth')
  await db.withTx(tx =>
    tx.exec(
      sql`insert into audit_log (audit_no, action, object_type, object_no, actor, actor_name, at, request_id) values (0, 'begun long ago', 'o', '1', 'x', 'x', now(), 'r')`,
    ),
  )
  expect(await db.withTx(chainAudit)).toBe(1)
  expect(await chained()).toEqual(['first', 'second', 'third', 'fourth'])
  expect(await flawsAfter(async () => {})).toEqual([{ flaw: 'unchained', auditNo: 0, chainNo: null }])
  await db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`delete from audit_log where audit_no = 0`)
  })
})

it('is anchored once a day, and says so when nothing was written yet', async () => {
  await said('fifth')
  expect(await db.withTx(tx => anchorAudit(tx, sealer, '2026-03-02'))).toEqual({ anchored: 1 })
  expect(await db.withTx(tx => anchorAudit(tx, sealer, '2026-03-02'))).toEqual({ anchored: 0 })
  expect(await chained()).toHaveLength(5)
  await said('sixth')
  expect(await db.withTx(tx => anchorAudit(tx, sealer, '2026-03-03'))).toEqual({ anchored: 1 })
  expect(await flawsAfter(async () => {})).toEqual([])
  const empty = await openDatabase({ memory: true, clock: db.clock })
  expect(await empty.withTx(tx => anchorAudit(tx, sealer, '2026-03-02'))).toEqual({ anchored: 0 })
  await empty.close()
})

it('names the row of which one letter was changed', async () => {
  expect(await flawsAfter(tx => tx.exec(forge('second')))).toEqual([{ flaw: 'changed', auditNo: 2, chainNo: 2 }])
})

it.each([
  ['a value within', sql`update audit_log set after = '{"amount": "1.01"}' where action = 'third'`],
  ['a time by a microsecond', sql`update audit_log set at = at + interval '1 microsecond' where action = 'third'`],
  ['who it was, where nobody was named', sql`update audit_log set partner_no = '' where action = 'third'`],
])('sees %s', async (_, statement) => {
  expect(await flawsAfter(tx => tx.exec(statement))).toEqual([{ flaw: 'changed', auditNo: 3, chainNo: 3 }])
})

it('names what was taken out, put in between or left out of the chain', async () => {
  expect(await flawsAfter(tx => tx.exec(sql`delete from audit_log where action = 'first'`))).toEqual([
    { flaw: 'changed', auditNo: 1, chainNo: 1 },
  ])
  const without = await flawsAfter(async tx => {
    await tx.exec(sql`delete from audit_chain where chain_no = 3`)
    await tx.exec(sql`delete from audit_log where audit_no = 3`)
  })
  expect(without).toEqual([{ flaw: 'changed', auditNo: 4, chainNo: 4 }])
  const cut = await flawsAfter(tx => tx.exec(sql`delete from audit_chain where chain_no = 6`))
  expect(cut).toEqual([
    { flaw: 'anchor', auditNo: expect.any(Number), chainNo: 6 },
    { flaw: 'tip', auditNo: null, chainNo: 6 },
  ])
})

it('cannot be rebuilt by changing a row and all hashes after it', async () => {
  const found = await flawsAfter(async tx => {
    await tx.exec(forge('first'))
    await rechain(tx)
  })
  expect(found.map(row => (row as { flaw: string }).flaw)).toEqual(['anchor', 'anchor'])
})

it('cannot be rebuilt with its anchors without the key', async () => {
  const found = await flawsAfter(async tx => {
    await tx.exec(forge('first'))
    await rechain(tx)
    await tx.exec(sql`update audit_anchor n set hash = c.hash from audit_chain c where c.chain_no = n.chain_no`)
  })
  expect(found).toEqual([
    { anchorDate: '2026-03-02', chainNo: 5 },
    { anchorDate: '2026-03-03', chainNo: 6 },
  ])
})

it('runs by itself', async () => {
  const [chain, anchor] = auditChainModule({ secretKey }).scheduled ?? []
  await said('seventh')
  expect(await db.withTx(tx => chain!.run(tx, { date: '2026-03-04' }))).toEqual({ chained: 1 })
  expect(await db.withTx(tx => anchor!.run(tx, { date: '2026-03-04' }))).toEqual({ anchored: 1 })
  expect(await flawsAfter(async () => {})).toEqual([])
})
