import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../../core/contract/endpoint.ts'
import { serve, serveEach, serveWork } from '../../../../http/serve.ts'
import type { Module } from '../../../../module.ts'
import { hotp, stepAt } from '../../../../session/totp.ts'
import { openPartner } from '../../../../testing/embedding.ts'
import { type Kit, openKit, type Person } from '../../../../testing/kit.ts'
import { mfaModule } from '../mfa.ts'
import { mfaSealer } from '../mfa-store.ts'
import { selfModule } from '../self.ts'
import { embedModule } from './embed.ts'

const { bankBatch, loan, repay, user } = contract
const secretKey = Buffer.from('a key of this installation, kept well')
const secret = Buffer.from('12345678901234567890')
const perms = ['repay:flow:list', 'repay:flow:commit', 'fund:payout:page', 'fund:payout:retry', 'fund:payout:send']
const commands = ['flow.commit', 'payout.retry', 'payout.bankAnswer']

let done: string[] = []
const moving: Module = {
  served: [
    serve(repay.flowCommit, async ({ input, proven }) => {
      await proven('repay:flow:commit')
      done.push(input.flowNo)
      return { flowNo: input.flowNo, flowStatus: 'available' as const }
    }),
    serveEach(loan.retry, {
      ids: ({ loanCodes }) => loanCodes,
      row: async id => void done.push(id),
    }),
    serveWork(bankBatch.answer, {
      before: async () => done.push('looked'),
      work: async () => undefined,
      after: async () => ({ outcome: 'taken' as const, taken: done.push('taken'), ignored: 0, approvalNo: null }),
    }),
  ],
}

let kit: Kit
let partner: Awaited<ReturnType<typeof openPartner>>
let grace: Person
let page: { as: Person; headers: { origin: string } }

beforeAll(async () => {
  kit = await openKit({
    handmade: true,
    modules: [mfaModule({ secretKey }), embedModule(), selfModule({ demo: false }), moving],
    now: '2026-03-02T07:00:10Z',
  })
  const answering = bankBatch.answer.perm ?? ''
  partner = await openPartner(kit, {
    widgets: ['mkopo-after-loan-repayment-management', 'mkopo-after-loan-loan-management'],
    perms: [...perms, answering],
    moneyCommands: commands,
  })
})
afterAll(() => kit.close())

beforeEach(async () => {
  kit.clock.advance(3_600_000)
  done = []
  grace = await kit.person({ perms: [...perms, bankBatch.answer.perm ?? ''] })
  await kit.db.withTx(tx =>
    tx.exec(
      sql`insert into user_mfa (user_no, mfa_status, sealed_secret) values (${grace.userNo}, 'bound', ${mfaSealer(secretKey).seal(secret, grace.userNo)})`,
    ),
  )
  page = await partner.page(grace)
})

/** The code of the person, shown on the partner's page. */
const show = async (code = hotp(secret, stepAt(kit.clock.now()))) => kit.call(user.stepUp, { code }, page)
const proof = async () => {
  kit.clock.advance(30_000)
  return (await show()).data.stepUp
}
const send = <E extends Endpoint>(endpoint: E, input: InputOf<E>, given?: string, key?: string) =>
  kit.call(endpoint, input, {
    as: page.as,
    headers: { ...page.headers, ...(given ? { 'x-step-up': given } : {}) },
    unproven: true,
    ...(key ? { key } : {}),
  })
const commit = (given?: string, key?: string) => send(repay.flowCommit, { flowNo: 'F1', version: 0 }, given, key)

describe('a command on money on the page of a partner', () => {
  it('asks for the code of the person, and one code is good for one call', async () => {
    expect(await commit()).toMatchObject({ code: 40302, data: { perm: 'repay:flow:commit', bound: true } })
    const given = await proof()
    expect((await commit(given)).code).toBe(0)
    expect((await commit(given)).code).toBe(40302)
    expect(done).toEqual(['F1'])
  })

  it('sent again after it was done is answered the same without a code', async () => {
    const key = 'the-same-key-each-time'
    const first = await commit(await proof(), key)
    expect(first.code).toBe(0)
    expect(await commit(undefined, key)).toEqual(first)
    expect(done).toHaveLength(1)
  })

  it('asks before anything is looked at or done, once for many rows and for what works between two transactions', async () => {
    const many = { loanCodes: ['L1', 'L2'] }
    const answer = { fileName: 'a.xml', content: 'x' }
    expect((await send(loan.retry, many)).code).toBe(40302)
    expect((await send(bankBatch.answer, answer)).code).toBe(40302)
    expect(done).toEqual([])
    expect((await send(loan.retry, many, await proof())).data).toMatchObject({ ok: 2, fail: 0 })
    expect((await send(bankBatch.answer, answer, await proof())).code).toBe(0)
    expect(done).toEqual(['L1', 'L2', 'looked', 'taken'])
  })

  it('takes no proof that the same person gave on another page', async () => {
    const given = await proof()
    page = await partner.page(grace)
    expect((await commit(given)).code).toBe(40302)
  })

  it('is known to the page by name, and refused as soon as the grant no longer names it', async () => {
    const self = await kit.call(user.self, {}, page)
    expect(self.data.embedded?.moneyCommands).toEqual(commands)
    const given = await proof()
    const name = (names: readonly string[]) =>
      kit.db.withTx(tx => tx.exec(sql`update partner_grant set money_commands = ${[...names]}`))
    await name([])
    expect((await commit(given)).code).toBe(40301)
    await name(commands)
    expect(done).toEqual([])
  })

  it('ends with the tokens of the person after five wrong codes', async () => {
    const wrong = hotp(secret, stepAt(kit.clock.now()) + 90)
    for (let n = 0; n < 4; n++) expect((await show(wrong)).code).toBe(40001)
    expect((await show(wrong)).code).toBe(-10)
    expect((await commit()).code).toBe(-10)
  })
})

it('a grant names only commands that exist', async () => {
  await expect(
    openPartner(kit, { partnerNo: 'PG2', clientId: 'other', moneyCommands: ['order.cancel'] }),
  ).rejects.toThrow(/order\.cancel is no command on money/)
})
