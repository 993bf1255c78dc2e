import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { base } from '../../../../core/contract/endpoint.ts'
import { intake } from '../../../../core/contract/order/intake.ts'
import type { CollectGateway, PayoutGateway } from '../../../gateways/gateway.ts'
import { openKit } from '../../../testing/kit.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { paid, paidOut, payee } from '../payout/payout-fixture.ts'
import { callbackModule } from './callback.ts'

const p = await payoutsForTests()

const tell = (body: object) => p.call(intake.callback, { channel: 'mtn_momo', ...body })
const events = () =>
  p.db.read(tx =>
    tx.rows(
      sql<{
        outcome: string | null
        body: string
        deliveries: number
      }>`select outcome, body, deliveries from inbound_event order by event_no`,
    ),
  )
const suspicions = async () =>
  (
    await p.db.read(tx =>
      tx.rows(sql<{ securityKind: string }>`
        select security_kind from security_log where object_no in (select event_no::text from inbound_event) order by security_no`),
    )
  ).map(({ securityKind }) => securityKind)
const jobs = (queue: string) =>
  p.db.read(tx =>
    tx.rows(
      sql<{
        jobKey: string
        payload: object
      }>`select job_key, payload from job where queue = ${queue} and state = 'ready'`,
    ),
  )
const sentOut = async () => {
  const made = await p.approved()
  await p.run()
  const { gatewayRef } = await p.attempt(made.loanCode)
  return { ...made, gatewayRef }
}

describe('a callback', () => {
  it('is stored, answered, and only makes us ask', async () => {
    const { loanCode, gatewayRef } = await sentOut()
    expect(await tell({ gatewayRef, status: 'SUCCESSFUL', payee })).toEqual({
      code: 0,
      msg: 'Operation success',
      data: {},
    })
    expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
    await p.run()
    expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
    expect(p.asked).toEqual([gatewayRef])
    expect(await events()).toMatchObject([{ outcome: 'asked' }])
  })

  it('G12: before the answer to our own send ends as any other', async () => {
    const made = await p.approved()
    await p.run('payout.dispatch')
    const handler = p.handlers.get('payout.send') as unknown as {
      before: (tx: never, job: object) => Promise<unknown>
      after: (tx: never, prepared: unknown, answer: unknown) => Promise<void>
    }
    const prepared = await p.db.withTx(tx =>
      handler.before(tx as never, { jobKey: 'x', payload: { externalId: `${made.loanCode}-1` } }),
    )
    p.queries.push(paid())
    await tell({ externalId: `${made.loanCode}-1`, status: 'SUCCESSFUL', payee })
    await p.run('attempt.ask')
    expect((await p.code(made.loanCode)).loanCodeStatus).toBe('success')
    await p.db.withTx(tx => handler.after(tx as never, prepared, { kind: 'accepted' }))
    await p.run()
    expect(await p.postings(made.loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('before we sent anything asks nobody', async () => {
    const made = await p.approved()
    await p.run('payout.dispatch')
    await tell({ externalId: `${made.loanCode}-1`, status: 'SUCCESSFUL', payee })
    await p.run('attempt.ask')
    expect(p.asked).toHaveLength(0)
  })

  it('G11: five times, also at once, is one payment', async () => {
    const { loanCode, gatewayRef } = await sentOut()
    p.queries.push(paid())
    const body = { gatewayRef, status: 'SUCCESSFUL', payee }
    await Promise.all([1, 2, 3, 4, 5].map(() => tell(body)))
    await p.run()
    await tell(body)
    await p.run()
    expect(await events()).toMatchObject([{ deliveries: 6 }])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('that repeats a booked success in other words is a logged no-op', async () => {
    const { loanCode, gatewayRef } = await sentOut()
    for (const status of ['SUCCESSFUL', 'SUCCESSFUL again', 'SUCCESSFUL once more']) {
      p.queries.push(paid())
      await tell({ gatewayRef, status, payee })
      await p.run()
    }
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
    expect(
      await p.one(
        sql`select count(*)::int as n from state_transition where machine = 'M20' and event = 'gateway.success' and from_state = 'success'`,
      ),
    ).toEqual({ n: 2 })
  })

  it('G10: that claims a failure of what was paid is ignored and put before people', async () => {
    const { loanCode, gatewayRef } = await sentOut()
    p.queries.push(paid(), paid())
    await tell({ gatewayRef, status: 'SUCCESSFUL', payee })
    await p.run()
    await tell({ gatewayRef, status: 'FAILED', payee })
    await p.run()
    expect((await p.code(loanCode)).loanCodeStatus).toBe('success')
    expect(await p.items()).toMatchObject([{ reconKind: 'late_contradiction', reference: `${loanCode}-1` }])
  })

  it('that claims a failure of what is still open fails nothing', async () => {
    const { loanCode, gatewayRef } = await sentOut()
    await tell({ gatewayRef, status: 'FAILED', payee })
    await p.run()
    expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
    expect(await p.items()).toEqual([])
  })

  it('G13: with an unknown reference changes nothing, is kept and noted as suspicious', async () => {
    await sentOut()
    await tell({ gatewayRef: crypto.randomUUID(), status: 'SUCCESSFUL', payee })
    expect(await events()).toMatchObject([{ outcome: 'unknown_reference' }])
    await p.run()
    expect(p.asked).toHaveLength(0)
    expect(await suspicions()).toEqual(['callback.unknown'])
  })

  it.each([
    ['amount', { amount: '5000.00' }, 'callback.differs'],
    ['payee', { payee: '256770000000' }, 'callback.differs'],
    ['signature', { signature: 'wrong' }, 'callback.signature'],
  ])('G13: with another %s is noted as suspicious and only makes us ask', async (_, wrong, kind) => {
    const { loanCode, gatewayRef } = await sentOut()
    await tell({ gatewayRef, status: 'SUCCESSFUL', payee, ...wrong })
    await p.run()
    expect(p.asked).toEqual([gatewayRef])
    expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
    expect(await suspicions()).toEqual([kind])
  })

  it('that tells what we sent is not suspicious', async () => {
    const { gatewayRef } = await sentOut()
    await tell({ gatewayRef, status: 'SUCCESSFUL', payee, amount: paidOut })
    expect(await suspicions()).toEqual([])
  })

  describe('with a good signature', () => {
    const success = { signature: 'good', proved: { kind: 'success', serialNo: 'MP7' } }
    const failure = {
      signature: 'good',
      proved: { kind: 'failure', failType: 'payee_invalid', answerCode: 'X', answerMessage: 'No such payee' },
    }
    const transitions = async (externalId: string) =>
      (
        await p.db.read(tx =>
          tx.rows(
            sql<{
              event: string
            }>`select event from state_transition where object_no = ${externalId} order by transition_no`,
          ),
        )
      ).map(({ event }) => event)

    it('is believed without a question, and only handled after it was answered', async () => {
      const { loanCode, gatewayRef } = await sentOut()
      await tell({ gatewayRef, status: 'TS', payee, ...success })
      expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
      await p.run()
      expect(p.asked).toEqual([])
      expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'success', serialNo: 'MP7' })
      expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
      expect(await transitions(`${loanCode}-1`)).toEqual(['attempt.prepare', 'attempt.send', 'callback.success'])
      expect(await events()).toMatchObject([{ outcome: 'proved' }])
    })

    it('ends a payout of which nothing was known as failed', async () => {
      const { loanCode, gatewayRef } = await sentOut()
      await p.pass(60)
      await tell({ gatewayRef, status: 'TF', payee, ...failure })
      await p.run()
      expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'failed', failType: 'payee_invalid' })
      expect((await transitions(`${loanCode}-1`)).at(-1)).toBe('callback.fail')
    })

    it('pays a failed payout late, and contradicts a paid one in vain', async () => {
      const late = await p.failed()
      await tell({ externalId: `${late.loanCode}-1`, status: 'TS', payee, ...success })
      await p.run()
      expect(await p.stateOf(late)).toEqual(['success', 'funds_disbursed'])
      expect(await p.postings(late.loanCode)).toEqual(['P1a', 'P1c', 'P1a', 'P1b'])
      await tell({ externalId: `${late.loanCode}-1`, status: 'TF', payee, ...failure })
      await p.run()
      expect(await p.stateOf(late)).toEqual(['success', 'funds_disbursed'])
      expect(await p.items()).toMatchObject([{ reconKind: 'late_contradiction', reference: `${late.loanCode}-1` }])
    })

    it('counts for nothing before we sent anything', async () => {
      const made = await p.approved()
      await p.run('payout.dispatch')
      await tell({ externalId: `${made.loanCode}-1`, status: 'TS', payee, ...success })
      await p.run('attempt.callback')
      expect((await p.code(made.loanCode)).loanCodeStatus).toBe('remitting')
      expect(await p.postings(made.loanCode)).toEqual(['P1a'])
    })
  })

  it('about a payment to us goes to whom it concerns', async () => {
    await tell({ gatewayRef: 'r-1', status: 'SUCCESSFUL', payer: payee })
    const [job] = await jobs('payin.query')
    expect(job).toMatchObject({ payload: { eventNo: Number(job?.jobKey) } })
    expect(await events()).toMatchObject([{ outcome: null }])
  })

  it('that nobody can read is kept too', async () => {
    await tell({ hello: 'world' })
    expect(await events()).toMatchObject([{ body: '{"hello":"world"}' }])
  })

  it('is kept with its phone numbers masked', async () => {
    const { gatewayRef } = await sentOut()
    await tell({ gatewayRef, status: 'SUCCESSFUL', payee })
    const [event] = await events()
    expect(event?.body).toContain('25********31')
    expect(event?.body).toContain(gatewayRef)
  })

  it('of more than 64 KB is turned away unread', async () => {
    const send = (size: number) =>
      p.app.request(`${base}/callback/pay/mtn_momo`, {
        method: 'POST',
        body: JSON.stringify({ hello: 'x'.repeat(size) }),
      })
    expect((await send(64 * 1024)).status).toBe(413)
    expect(await events()).toEqual([])
    expect((await send(60 * 1024)).status).toBe(200)
  })

  it('may be put as well as posted, and its channel must exist', async () => {
    const { gatewayRef } = await sentOut()
    const body = JSON.stringify({ gatewayRef, status: 'SUCCESSFUL', payee })
    const answer = await p.app.request(`${base}/callback/pay/mtn_momo`, { method: 'PUT', body })
    expect(await answer.json()).toMatchObject({ code: 0 })
    expect(await events()).toHaveLength(1)
    expect(await p.call(intake.callback, { channel: 'nobody' as 'mtn_momo' })).toMatchObject({ code: 40001 })
  })
})

/** Reads nothing out of a callback. */
const silent = { parseCallback: () => null } as unknown as PayoutGateway & CollectGateway

it('too many from one address are to be sent again later, and others still come through', async () => {
  const kit = await openKit({
    modules: [callbackModule({ payout: { mtn_momo: silent }, collect: { mtn_momo: silent } }, 2)],
  })
  const send = (n: number, address: string) =>
    kit.app.request(
      `${base}/callback/pay/mtn_momo`,
      { method: 'POST', body: JSON.stringify({ n }) },
      { incoming: { socket: { remoteAddress: address } } },
    )
  const statuses = []
  for (const n of [1, 2, 3]) statuses.push((await send(n, '192.0.2.1')).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await send(4, '192.0.2.2')).status).toBe(200)
  expect(await kit.db.read(tx => tx.one(sql`select count(*)::int as n from inbound_event`))).toEqual({ n: 3 })
  await kit.close()
})
