import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { intake } from '../../../../core/contract/order/intake.ts'
import { hasPostgres, newPostgresDatabase } from '../../../../tests/postgres.ts'
import type { NetworkHandler, QueueHandler } from '../../../module.ts'
import { account } from '../../../money/ledger.ts'
import type { Person } from '../../../testing/kit.ts'
import { checkBooks } from './payout-books.ts'
import { openPayouts, type Payouts, paid, paidOut, refused } from './payout-fixture.ts'
import { askNow } from './payout-send.ts'

const times = <T>(n: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)))

describe.skipIf(!hasPostgres)('many at once on PostgreSQL', () => {
  let p: Payouts
  let officer: Person
  beforeAll(async () => {
    p = await openPayouts({ url: (await newPostgresDatabase()) ?? undefined })
    officer = await p.person({ perms: ['fund:payout:cancel', 'fund:payout:retry', 'fund:payout:page'] })
  })
  beforeEach(() => p.reset())
  afterEach(() => checkBooks(p))
  afterAll(() => p.close())

  const dispatch = (loanCode: string) =>
    p.db.withTx(tx =>
      (p.handlers.get('payout.dispatch') as QueueHandler).handle(tx, { jobKey: 'x', payload: { loanCode } }),
    )
  const network = async (queue: 'payout.send' | 'attempt.ask', externalId: string) => {
    const { before, send, after } = p.handlers.get(queue) as unknown as NetworkHandler
    const prepared = await p.db.withTx(tx => before(tx, { jobKey: 'x', payload: { externalId, claim: null } }))
    if (prepared === null) return
    const answer = await send(prepared)
    await p.db.withTx(tx => after(tx, prepared, answer))
  }

  it('fifty dispatches and sends of one order reach the network once', async () => {
    const { loanCode } = await p.approved()
    await times(50, () => dispatch(loanCode))
    await times(20, () => network('payout.send', `${loanCode}-1`))
    expect(p.sent).toHaveLength(1)
    expect(await p.postings(loanCode)).toEqual(['P1a'])
  })

  it('the account never pays more than it holds', async () => {
    const made = await times(10, () => p.approved())
    await Promise.all(made.map(({ loanCode }) => dispatch(loanCode)))
    expect(await p.balance(account.bank('FA1'))).toBe('50000.00')
    expect(await p.one(sql`select count(*)::int as n from loan_code where loan_code_status = 'remitting'`)).toEqual({
      n: 5,
    })
  })

  it('twenty answers about one payment book it once', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    p.queries.push(...Array.from({ length: 20 }, () => paid()))
    await times(20, () => network('attempt.ask', `${loanCode}-1`))
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('a success and a failure that race end in one of them, and the other is explained', async () => {
    const { loanCode, orderNo } = await p.approved()
    await p.run()
    p.queries.push(paid(), refused(), paid(), refused())
    await times(4, () => network('attempt.ask', `${loanCode}-1`))
    expect((await p.code(loanCode)).loanCodeStatus).toBe('success')
    expect(await p.balance(account.principal(orderNo))).toBe('200000.00')
  })

  it('the same callback ten times at once is one event', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    const answers = await times(10, () =>
      p.call(intake.callback, { channel: 'mtn_momo', externalId: `${loanCode}-1`, status: 'S', payee: '1' }),
    )
    expect(answers.every(answer => answer.code === 0)).toBe(true)
    expect(await p.one(sql`select count(*)::int as n from inbound_event`)).toEqual({ n: 1 })
  })

  it('retry, cancel and a late success at the same moment leave one consistent end', async () => {
    await p.fund('9000000.00')
    for (let round = 0; round < 8; round++) {
      const { loanCode } = await p.approved()
      p.sends.push(refused())
      await p.run()
      p.queries.push(paid({ serialNo: `LATE${round}` }))
      await p.db.withTx(tx => askNow(tx, `${loanCode}-1`, 'late'))
      await Promise.all([
        p.call(loan.retry, { loanCodes: [loanCode] }, { as: officer }),
        p.call(loan.cancel, { loanCodes: [loanCode], reason: 'test' }, { as: officer }),
        network('attempt.ask', `${loanCode}-1`),
        p.call(loan.retry, { loanCodes: [loanCode] }, { as: officer }),
      ])
      await p.run()
      await checkBooks(p)
      const exception = await p.balance(account.exception(`${loanCode}-1`))
      const { loanCodeStatus } = await p.code(loanCode)
      expect(exception === paidOut ? ['created', 'cancelled', 'remitting'] : ['success']).toContain(loanCodeStatus)
    }
  })
})
