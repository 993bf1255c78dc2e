import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../core/contract/contract.ts'
import { command } from '../../core/contract/endpoint.ts'
import { text } from '../../core/i18n/server.ts'
import { approvalModule, requestApproval } from '../approval/approval.ts'
import { serve } from '../http/serve.ts'
import type { ApprovalAction, Module } from '../module.ts'
import { openSession } from '../session/session.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'

const { common } = contract
const perm = 'test:thing:do'
const ask = command({
  path: '/test/thing',
  perm,
  audit: 'test.thing',
  input: z.strictObject({ thing: z.string(), money: z.boolean() }),
  output: z.object({ approvalNo: z.string() }),
})
const action = (money: boolean): ApprovalAction => ({
  action: money ? 'test.pay' : 'test.note',
  perm,
  money,
  execute: async () => undefined,
})
let alsoMadeBy: string[] = []
const asking: Module = {
  served: [
    serve(ask, async call => {
      const { thing, money } = call.input
      const about = { objectType: 'thing', objectNo: thing, version: 0, payload: { thing }, summary: [], alsoMadeBy }
      return { approvalNo: await requestApproval(call, { ...about, action: action(money).action, perm }) }
    }),
  ],
}

let kit: Kit
let maker: Person
let checker: Person
let things = 0
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [asking, approvalModule([action(true), action(false)])] })
})
beforeEach(async () => {
  alsoMadeBy = []
  maker = await kit.person({ perms: [perm] })
  checker = await kit.person({ perms: [`${perm}:check`] })
})
afterAll(() => kit.close())

const set = (who: Person, column: 'phone' | 'email', value: string) =>
  kit.db.withTx(tx => tx.exec(sql`update app_user set ${sql.ref(column)} = ${value} where user_no = ${who.userNo}`))
const signIn = (who: Person, deviceMark: string) =>
  kit.db.withTx(tx => openSession(tx, who.userNo, { ip: null, browser: null, deviceMark }))
const requested = async (money: boolean) => {
  const thing = `T${++things}`
  return { thing, ...(await kit.call(ask, { thing, money }, { as: maker })).data }
}
const approve = (approvalNo: string, as = checker) => kit.call(common.approve, { approvalNo, version: 0 }, { as })
const seen = async (objectNo: string, as = checker) =>
  (await kit.call(common.approvals, { objectNo }, { as })).data.list[0]!
const logged = (objectNo: string) =>
  kit.db.read(tx =>
    tx.rows(sql<{ actor: string; after: Record<string, unknown> }>`
      select actor, after from audit_log where object_no = ${objectNo} and action = 'approval.approve' order by audit_no`),
  )

const shares: Record<string, () => Promise<unknown>> = {
  phone: async () => {
    await set(maker, 'phone', '+256 772 345678')
    await set(checker, 'phone', '0772345678')
  },
  email: async () => {
    await set(maker, 'email', 'One@Lender.ug')
    await set(checker, 'email', ' one@lender.ug')
  },
  device: async () => {
    await signIn(maker, 'the browser at desk 4')
    await signIn(checker, 'the browser at desk 4')
  },
}

describe.each(Object.keys(shares))('two accounts with the same %s', mark => {
  it('do not agree to money that one of them asked for; the try stays in the log, and rejecting is open', async () => {
    await shares[mark]?.()
    const { approvalNo, thing } = await requested(true)
    expect(await seen(thing)).toMatchObject({ checkable: true, money: true, sharedWithMaker: [mark] })
    expect(await approve(approvalNo)).toMatchObject({
      code: 40301,
      msg: text('en', `errors.samePerson.${mark}` as 'errors.samePerson.phone'),
    })
    expect(await seen(thing)).toMatchObject({ approvalStatus: 'pending' })
    expect(await logged(thing)).toMatchObject([
      { actor: checker.userNo, after: { refused: `errors.samePerson.${mark}`, sharedWithMaker: [mark] } },
    ])
    const third = await kit.person({ perms: [`${perm}:check`] })
    expect((await seen(thing, third)).sharedWithMaker).toEqual([])
    expect((await approve(approvalNo, third)).data).toMatchObject({ approvalStatus: 'executed' })
  })

  it('are flagged where no money is involved', async () => {
    await shares[mark]?.()
    const { approvalNo, thing } = await requested(false)
    expect(await seen(thing)).toMatchObject({ money: false, sharedWithMaker: [mark] })
    expect((await approve(approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect(await logged(thing)).toMatchObject([{ after: { approvalStatus: 'executed', sharedWithMaker: [mark] } }])
  })
})

describe('who else made what is decided about', () => {
  it('decides as little as the maker, also in the database, nor does another account of theirs', async () => {
    const other = await kit.person({ perms: [`${perm}:check`] })
    alsoMadeBy = [other.userNo]
    const { approvalNo, thing } = await requested(true)
    expect((await seen(thing, other)).checkable).toBe(false)
    expect(await approve(approvalNo, other)).toMatchObject({ code: 40301, msg: text('en', 'errors.makerChecker') })
    await expect(
      kit.db.withTx(tx =>
        tx.exec(sql`update approval set checker_no = ${other.userNo} where approval_no = ${approvalNo}`),
      ),
    ).rejects.toThrow(/approval_also_made_by_check/)
    await set(other, 'email', 'two@lender.ug')
    await set(checker, 'email', 'two@lender.ug')
    expect(await approve(approvalNo)).toMatchObject({ code: 40301, msg: text('en', 'errors.samePerson.email') })
  })

  it('is nobody else: other phones, empty ones, old devices and no device tell nothing', async () => {
    await set(maker, 'phone', '')
    await set(checker, 'phone', '')
    await signIn(maker, 'an old browser')
    kit.clock.advance(31 * 86_400_000)
    await signIn(checker, 'an old browser')
    await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}`))
    await kit.db.withTx(tx =>
      tx.exec(sql`update session set created_time = ${tx.now} where token_hash is not null and device is null`),
    )
    const { approvalNo, thing } = await requested(true)
    expect((await seen(thing)).sharedWithMaker).toEqual([])
    expect((await approve(approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
  })
})
