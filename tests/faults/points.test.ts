import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import type { Envelope } from '../../core/contract/endpoint.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Desk, type Fixture, openFixture } from './fixture.ts'
import { reconcile } from './reconcile.ts'
import { comeToRest, type Staff, staffOf } from './rounds.ts'

const { repay, loan } = contract

describe.skipIf(!hasPostgres)('the server dies at a chosen point', () => {
  let cluster: Cluster
  let fixture: Fixture
  let staff: Staff
  let desk: Desk
  let n = 0
  beforeAll(async () => {
    cluster = await openCluster()
    fixture = await openFixture({
      url: await cluster.newDatabase(),
      desks: 1,
      repaid: 2,
      payouts: 9,
      seconds: 9_000_000,
    })
    staff = staffOf(fixture, 1)
    desk = fixture.desks[0] as Desk
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
  })

  const key = () => `faults-point-${String(++n).padStart(6, '0')}`
  const receipt = () => ({
    paymentChannel: 'mtn_momo' as const,
    serialNo: `SNP${n}`,
    amount: '5000.00',
    entryTime: new Date(Date.now() - 60_000).toISOString(),
    fundAccountNo: 'FA1',
    paymentCode: '7000000001',
  })
  const rows = <T>(query: RawBuilder<T>) => fixture.look(db => db.read(tx => tx.rows(query)))
  const receipts = async () =>
    (await rows(sql<{ n: number }>`select count(*)::int as n from repay_flow where serial_no = ${`SNP${n}`}`))[0]?.n

  /** Sends a receipt to a server that dies at the point; then, in its next life, the same call twice. */
  const saveAt = async (fault: string) => {
    await fixture.server.start(fault)
    const own = key()
    const as = desk.clerk
    const { call, envelope } = await staff.journal.begin(repay.flowSave, receipt(), { as, key: own })
    expect(envelope, 'the server answered').toBeUndefined()
    await fixture.server.died()
    const before = await receipts()
    await fixture.server.start()
    const first = await staff.journal.again(call)
    const answer = call.answer
    await staff.journal.again(call)
    expect(call.answer).toBe(answer)
    expect(first).toMatchObject({ code: 0 })
    expect(await receipts()).toBe(1)
    await fixture.server.kill()
    return before
  }

  it('X1: before the commit of a command, and nothing has happened; the same call then does it once', async () => {
    expect(await saveAt('before-commit@/rePayManage/flow/save#1=kill')).toBe(0)
  })

  it('X2: after the commit, or just before the answer; the same call gets the answer that was lost', async () => {
    expect(await saveAt('after-commit@/rePayManage/flow/save#1=kill')).toBe(1)
    expect(await saveAt('before-answer@/rePayManage/flow/save#1=kill')).toBe(1)
  })

  it('X2: with the commit on its way, whatever came of it', async () => {
    expect([0, 1]).toContain(await saveAt('in-commit@/rePayManage/flow/save#1=kill'))
  })

  const attemptOf = async (loanCode: string) =>
    (
      await rows(sql<{ attemptStatus: string; gatewayRef: string }>`
        select attempt_status, gateway_ref from gateway_attempt where external_id like ${`${loanCode}-%`} order by 1`)
    )[0]
  const movedFor = async (loanCode: string) =>
    (await fixture.momo.truth()).movements.filter(one => one.kind === 'payout' && one.externalId.startsWith(loanCode))

  /** Has one payout sent by a server that dies at the point; answers its code and how its attempt stood then. */
  const payAt = async (fault: string) => {
    const payout = desk.payouts.shift() as Desk['payouts'][number]
    sent.push(payout)
    await fixture.look(db =>
      db.withTx(tx =>
        tx.exec(
          sql`update job set run_at = now() - interval '1 minute' where payload ->> 'loanCode' = ${payout.loanCode}`,
        ),
      ),
    )
    await fixture.server.start(fault)
    await fixture.server.died()
    return { ...payout, attempt: await attemptOf(payout.loanCode), moved: (await movedFor(payout.loanCode)).length }
  }
  const sent: Desk['payouts'] = []

  /** In the next life everything comes to its end. */
  const end = async (loanCode: string, gatewayRef: string | undefined) => {
    const all = desk.payouts.splice(0)
    await fixture.look(db =>
      db.withTx(tx =>
        tx.exec(
          sql`update job set run_at = now() + interval '9 days' where queue = 'payout.dispatch' and state = 'ready'`,
        ),
      ),
    )
    await fixture.pass(90)
    for (let round = 0; round < 8; round++) {
      await fixture.server.start()
      await expect
        .poll(async () => (await attemptOf(loanCode))?.attemptStatus, { timeout: 6_000 })
        .toBe('succeeded')
        .catch(() => undefined)
      await fixture.server.kill()
      if ((await attemptOf(loanCode))?.attemptStatus === 'succeeded') break
      await fixture.pass(round < 3 ? 1_900 : 86_400)
    }
    desk.payouts.push(...all)
    expect(await attemptOf(loanCode)).toEqual({
      attemptStatus: 'succeeded',
      gatewayRef: gatewayRef ?? expect.anything(),
    })
    expect(await movedFor(loanCode)).toHaveLength(1)
  }

  it('X3: between the commit and the sending; it is sent once in the next life', async () => {
    const { loanCode, attempt, moved } = await payAt('job@payout.send#1=kill')
    expect(attempt).toMatchObject({ attemptStatus: 'prepared' })
    expect(moved).toBe(0)
    await end(loanCode, attempt?.gatewayRef)
  })

  it('X3: when it has noted that it sends, and has not; the network never got it, and gets it once', async () => {
    const { loanCode, attempt, moved } = await payAt('before-send@payout.send#1=kill')
    expect(attempt).toMatchObject({ attemptStatus: 'sent' })
    expect(moved).toBe(0)
    await end(loanCode, attempt?.gatewayRef)
  })

  it('X4: after the sending, before its answer is stored; it is asked about under the same reference', async () => {
    const { loanCode, attempt } = await payAt('after-send@payout.send#1=kill')
    expect(attempt).toMatchObject({ attemptStatus: 'sent' })
    await end(loanCode, attempt?.gatewayRef)
  })

  it('between two rows of a batch; the same call does the others, and answers of all', async () => {
    const codes = desk.payouts.splice(0, 3).map(({ loanCode }) => loanCode)
    await fixture.server.start('mid-batch@/payManage/loan/retry#1=kill')
    const { call, envelope } = await staff.journal.begin(
      loan.retry,
      { loanCodes: codes, accountChecked: true },
      { as: desk.clerk, key: key() },
    )
    expect(envelope).toBeUndefined()
    await fixture.server.died()
    await fixture.server.start()
    const answered = (await staff.journal.again(call)) as Envelope<{ rows: { id: string }[] }>
    expect(answered.data.rows.map(row => row.id)).toEqual(codes)
    await fixture.server.kill()
    desk.payouts.push(...codes.map(loanCode => ({ loanCode, orderNo: '' })))
  })

  it('and in the end the answers, the books and the network agree', async () => {
    desk.payouts.push(...sent)
    await fixture.look(db =>
      db.withTx(tx => tx.exec(sql`update job set run_at = now() where queue = 'payout.dispatch' and state = 'ready'`)),
    )
    await comeToRest(fixture)
    expect((await reconcile(fixture, staff.journal)).wrong).toEqual([])
    expect(await fixture.sweep()).toEqual([])
  })
})
