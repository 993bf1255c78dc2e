import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base } from '../../core/contract/endpoint.ts'
import { randomFrom } from '../../server/demo/random.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { seed } from './options.ts'
import { reconcile } from './reconcile.ts'
import { comeToRest, type Staff, staffOf } from './rounds.ts'
import type { Server } from './server.ts'

describe.skipIf(!hasPostgres)(`what the network says reaches two servers, often and in any order: seed ${seed}`, () => {
  const random = randomFrom(seed)
  let cluster: Cluster
  let fixture: Fixture
  let other: Server
  let staff: Staff
  beforeAll(async () => {
    cluster = await openCluster()
    fixture = await openFixture({
      url: await cluster.newDatabase(),
      desks: 1,
      repaid: 0,
      payouts: 9,
      seconds: 9_000_000,
    })
    staff = staffOf(fixture, seed)
    other = await fixture.another()
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
  })

  const codes = () => (fixture.desks[0]?.payouts ?? []).map(({ loanCode }) => loanCode)
  const due = (loanCodes: readonly string[]) =>
    fixture.look(db =>
      db.withTx(tx =>
        tx.exec(sql`
          update job set run_at = now() - interval '1 minute' where queue = 'payout.dispatch' and payload ->> 'loanCode' = any(${[...loanCodes]})`),
      ),
    )
  type Standing = { externalId: string; attemptStatus: string; payee: string; successes: number; booked: number }
  const standing = (loanCodes: readonly string[]) =>
    fixture.look(db =>
      db.read(tx =>
        tx.rows(sql<Standing>`
          select a.external_id, a.attempt_status, a.payee,
            (select count(*)::int from state_transition t where t.machine = 'M21' and t.object_no = a.external_id and t.to_state = 'succeeded' and t.from_state <> 'succeeded') as successes,
            (select count(distinct j.journal_no)::int from journal j where j.cause = 'loan_code:' || a.parent_no and j.posting_code = 'P1b') as booked
          from gateway_attempt a where a.parent_no = any(${[...loanCodes]}) order by 1`),
      ),
    )
  const movements = async () => (await fixture.momo.truth()).movements.filter(({ kind }) => kind === 'payout')

  type Message = {
    externalId: string
    payee: string
    status: 'SUCCESSFUL' | 'FAILED'
    serialNo?: string
    amount?: string
  }
  const tell = async ({ url }: Server, message: Message) => {
    const response = await fetch(`${url}${base}/callback/pay/mtn_momo`, {
      method: random.chance(0.5) ? 'PUT' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...(message.serialNo ? { financialTransactionId: message.serialNo } : {}),
        externalId: message.externalId,
        amount: message.amount ?? '190000',
        currency: 'UGX',
        payee: { partyIdType: 'MSISDN', partyId: message.payee },
        status: message.status,
        ...(message.status === 'FAILED' ? { reason: 'INTERNAL_PROCESSING_ERROR' } : {}),
      }),
    })
    return (await response.json()) as { code: number }
  }
  /** Each of the words one to five times, shuffled, at both servers at once. */
  const tellAll = (words: readonly Message[]) => {
    const all = words.flatMap(word => Array.from({ length: random.int(1, 5) }, () => word))
    const shuffled = all.map(word => ({ word, at: random.next() })).sort((a, b) => a.at - b.at)
    return Promise.all(shuffled.map(({ word }) => tell(random.chance(0.5) ? fixture.server : other, word)))
  }
  const settledOnce = async (loanCodes: readonly string[]) => {
    await expect
      .poll(async () => (await standing(loanCodes)).map(one => one.attemptStatus), { timeout: 60_000, interval: 200 })
      .toEqual(loanCodes.map(() => 'succeeded'))
    expect((await standing(loanCodes)).map(({ successes, booked }) => [successes, booked])).toEqual(
      loanCodes.map(() => [1, 1]),
    )
    const moved = (await movements()).map(one => one.externalId)
    expect(loanCodes.map(code => moved.filter(externalId => externalId === `${code}-1`).length)).toEqual(
      loanCodes.map(() => 1),
    )
  }

  it('X15: before our own note of the sending is committed, and it is believed no sooner than the network is asked', async () => {
    const [code = ''] = codes()
    await due([code])
    await Promise.all([
      fixture.server.start('before-commit@payout.send#1=pause'),
      other.start('job@payout.send#1=pause'),
    ])
    await expect
      .poll(async () => (await standing([code])).map(one => one.attemptStatus), { timeout: 60_000 })
      .toEqual(['prepared'])
    const [{ externalId, payee } = { externalId: '', payee: '' }] = await standing([code])
    await tellAll([{ externalId, payee, status: 'SUCCESSFUL', serialNo: 'FORGED1' }])
    expect((await standing([code]))[0]?.successes).toBe(0)
    await settledOnce([code])
  })

  it('X16: while the answer to our own sending is still on its way', async () => {
    const [, code = ''] = codes()
    await Promise.all([
      fixture.server.start('after-send@payout.send#1=pause'),
      other.start('after-send@payout.send#1=pause'),
    ])
    await due([code])
    await expect.poll(async () => (await standing([code]))[0]?.attemptStatus, { timeout: 60_000 }).toBe('sent')
    const [{ externalId, payee } = { externalId: '', payee: '' }] = await standing([code])
    await tellAll([
      { externalId, payee, status: 'SUCCESSFUL' },
      { externalId, payee, status: 'FAILED' },
    ])
    await settledOnce([code])
  })

  it('X14, X15: one to five times, shuffled, success and failure mixed, at both servers', async () => {
    // Some of them the network itself tells of twice to five times; the fourth and the sixth it does not pay.
    const all = codes().slice(2)
    const refused = codes().filter((_, n) => [3, 5].includes(n))
    const paid = all.filter(code => !refused.includes(code))
    await Promise.all([fixture.server.start(), other.start()])
    await due(all)
    await expect
      .poll(async () => (await standing(all)).filter(one => one.attemptStatus !== 'prepared').length, {
        timeout: 60_000,
      })
      .toBe(all.length)
    const attempts = await standing(all)
    const words = attempts.flatMap(({ externalId, payee }): Message[] => [
      { externalId, payee, status: 'SUCCESSFUL' },
      { externalId, payee, status: 'SUCCESSFUL', amount: '990000' },
      { externalId, payee, status: 'FAILED' },
      { externalId: `${externalId}9`, payee, status: 'SUCCESSFUL' },
    ])
    const answers = await tellAll(words)
    expect(answers.every(({ code }) => code === 0)).toBe(true)
    await settledOnce(paid)
    await tellAll(words)
    await settledOnce(paid)
    expect((await standing(refused)).map(one => one.attemptStatus)).toEqual(['failed', 'failed'])
  })

  it('and in the end the books and the network agree', async () => {
    await other.stop()
    await fixture.server.stop()
    await comeToRest(fixture)
    expect((await reconcile(fixture, staff.journal)).wrong).toEqual([])
    expect(await fixture.sweep()).toEqual([])
  })
})
