import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { base } from '../core/contract/endpoint.ts'
import { view } from '../core/contract/portal/view.ts'
import { viewModule } from '../server/systems/portal/view/view.ts'
import { type Kit, openKit, type Person } from '../server/testing/kit.ts'
import { keyJournal } from './acknowledged.ts'

const action = 'view.saveAs'
let kit: Kit
let person: Person
let journal: ReturnType<typeof keyJournal>
beforeAll(async () => {
  kit = await openKit({ modules: [viewModule()], handmade: true })
})
/** Somebody new, and nothing in the log yet that counts: each test has an action of its own. */
beforeEach(async () => {
  person = await kit.person({ perms: ['audit:self:page'] })
  journal = keyJournal()
  await kit.db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`update audit_log set action = 'earlier'`)
  })
})
afterAll(() => kit.close())

/** Saves a view under a new name; without one it is refused. */
const save = async (viewName: string = randomUUID().slice(0, 20)) => {
  const call = { caller: person.userNo, key: randomUUID() }
  journal.sends({ ...call, action })
  const answer = await kit.app.request(`${base}${view.saveAs.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token: person.token, 'idempotency-key': call.key },
    body: JSON.stringify({
      widget: 'mkopo-audit-my-audit',
      viewName,
      columns: [],
      sort: 'viewName',
      density: 'normal',
      filters: {},
    }),
  })
  journal.hears({ ...call, action }, await answer.text())
  return call
}
const flaws = () => journal.flaws(kit.db)
const tamper = (statement: ReturnType<typeof sql>) =>
  kit.db.withTx(async tx => {
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(statement)
  })

it('finds what was done and what was refused as it was answered', async () => {
  await save()
  await save('')
  await save('the same name')
  await save('the same name')
  journal.sends({ caller: person.userNo, key: 'sent and never answered', action })
  expect(await flaws()).toEqual([])
})

it('names a key that is gone, and one that would be answered otherwise', async () => {
  const gone = await save()
  const other = await save()
  await tamper(sql`delete from idempotency where idempotency_key = ${gone.key}`)
  await tamper(sql`update idempotency set answer = answer || ' ' where idempotency_key = ${other.key}`)
  expect(await flaws()).toEqual([
    { ...gone, flaw: 'forgotten' },
    { ...other, flaw: 'answered otherwise' },
  ])
})

it('sees an acknowledged command that is not there, and one that was done twice', async () => {
  await save()
  await tamper(sql`update audit_log set action = 'lost' where action = ${action}`)
  expect(await flaws()).toEqual([{ action, flaw: 'lost', sent: 1, acknowledged: 1, done: 0 }])
  await tamper(sql`update audit_log set action = ${action} where action in ('lost', 'earlier')`)
  expect(await flaws()).toMatchObject([{ action, flaw: 'done twice', sent: 1, acknowledged: 1 }])
})
