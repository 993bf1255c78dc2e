import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { base } from '../../core/contract/endpoint.ts'
import { systemClock } from '../../server/db/clock.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { demoSecret } from '../../server/demo/authenticators.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { fromBase32 } from '../../server/session/totp.ts'
import { startMomo } from '../../server/simulators/testing.ts'
import { create, transition } from '../../server/states/transition.ts'
import { createLoanCode } from '../../server/systems/after-loan/payout/payout.ts'
import {
  openPayouts,
  type Payouts,
  paidOut,
  payee,
  payoutPerms,
  principal,
} from '../../server/systems/after-loan/payout/payout-fixture.ts'
import type { Order } from '../../server/systems/order/order/order-source.ts'
import { mfaSealer } from '../../server/systems/user/account/mfa-store.ts'
import { fixtureTerms, type Person } from '../../server/testing/kit.ts'
import { received } from '../../server/testing/received.ts'
import { officerPerms } from '../../server/testing/repay-desk.ts'
import { freePort } from '../postgres.ts'
import { type Server, secretKey, serverOn } from './server.ts'

/** A clerk with orders of their own, and who checks what the clerk asks for. */
export type Desk = { clerk: Person; checker: Person; repaid: string[]; payouts: Made[]; receipt: Waiting }
/** Money that has come, enough for many write-offs. */
type Waiting = Awaited<ReturnType<typeof waiting>>

/** The last digits of a wallet choose what the network does with a payout: all but those that stay open for ever or lie about amounts. */
const networkCases = ['01', '01', '02', '03', '04', '05', '01', '11', '12', '14', '15', '16']

const clerkPerms = [...payoutPerms, ...officerPerms, 'repay:flow:void']
const checkerPerms = [
  'postloan:rollback:full',
  'postloan:rollback:full:check',
  'repay:flow:void',
  'repay:flow:void:check',
]

type Made = { orderNo: string; loanCode: string }

/** An order as the review leaves it, with every step that led there. */
const approved = ({ db, actor }: Payouts, n: number, wallet: string): Promise<Made> =>
  db.withTx(async tx => {
    const orderNo = `LO${String(n).padStart(6, '0')}`
    const customerNo = `CU${n}`
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values (${customerNo}, 'Grace Nakato', ${`CF${String(n).padStart(12, '0')}`}, ${wallet}, 500000, 300000, ${tx.now})`)
    const values = {
      orderNo,
      thirdOrderNo: `T-${orderNo}`,
      merchantNo: 'M1',
      customerNo,
      productNo: 'P1',
      terms: fixtureTerms,
      requestedAmount: principal,
      loanAmount: principal,
      actualLoanAmount: paidOut,
      term: fixtureTerms.termDays,
      installmentCount: fixtureTerms.installmentCount,
      loanKind: 'first',
      applyTime: tx.now,
      statusTime: tx.now,
      payoutType: 'wallet',
      payoutSubtype: 'mtn',
      walletAccount: wallet,
      cardholderName: 'Grace Nakato',
      payoutVerify: 'passed',
      version: 0,
    }
    await create(tx, 'order', values, { event: 'order.create' }, actor)
    const made = { orderNo, orderStatus: 'machine_reviewing', version: 0 }
    await transition(tx, 'order', made, { event: 'machine.autoApprove' }, actor)
    const order = await tx.one(sql<Order>`select * from loan_order where order_no = ${orderNo}`)
    return { orderNo, loanCode: await createLoanCode(tx, order, actor) }
  })

const waiting = async (db: Database, n: number) => {
  const entryTime = new Date().toISOString()
  const line = {
    paymentCode: '7000000001',
    paymentChannel: 'mtn_momo' as const,
    serialNo: `RC${n}`,
    amount: '9000000.00',
    entryTime,
  }
  return { ...line, flowNo: await received(db, { ...line, merchantNo: 'M1' }) }
}

type Fill = { desks: number; repaid: number; payouts: number; seconds: number }

/** Everything that the workers need, in a new database: people, paid-out orders and payouts that fall due one after the other. */
const fill = async (place: { url?: string; dataDir?: string }, o: Fill): Promise<Desk[]> => {
  const fixture = await openPayouts({ ...place, now: new Date().toISOString() })
  const { db, person } = fixture
  await fixture.fund('90000000000.00')
  const sealer = mfaSealer(Buffer.from(secretKey))
  const desks: Desk[] = []
  let orders = 0
  for (let n = 0; n < o.desks; n++) {
    const clerk = await person({ perms: clerkPerms })
    const checker = await person({ perms: checkerPerms })
    await db.withTx(async tx => {
      await create(tx, 'mfa', { userNo: checker.userNo }, { event: 'user.add' }, fixture.actor)
      const row = { userNo: checker.userNo, mfaStatus: 'unbound', version: 0 }
      const sealedSecret = sealer.seal(fromBase32(demoSecret), checker.userNo)
      const begun = await transition(tx, 'mfa', row, { event: 'bind.start', set: { sealedSecret } }, fixture.actor)
      const bound = { event: 'bind.confirm', as: 'right', set: { boundTime: tx.now } }
      await transition(tx, 'mfa', begun, bound, fixture.actor)
    })
    const repaid: string[] = []
    for (let i = 0; i < o.repaid; i++) {
      fixture.sends.push({ kind: 'success', serialNo: `MPFIXTURE${++orders}` })
      repaid.push((await approved(fixture, orders, payee)).orderNo)
    }
    await fixture.run()
    desks.push({ clerk, checker, repaid, payouts: [], receipt: await waiting(db, n) })
  }
  for (let i = 0; i < o.payouts; i++) {
    const wallet = `2567720${String(i % 1000).padStart(3, '0')}${networkCases[i % networkCases.length]}`
    desks[i % o.desks]?.payouts.push(await approved(fixture, ++orders, wallet))
  }
  const spread = o.seconds / Math.max(1, o.payouts)
  await db.withTx(tx =>
    tx.exec(sql`
      update job set run_at = run_at + make_interval(secs => ${spread}::float8 * r.n)
      from (select id, row_number() over (order by id) as n from job where queue = 'payout.dispatch' and state = 'ready') r where r.id = job.id`),
  )
  await fixture.close()
  return desks
}

export type FixtureOptions = { url?: string; env?: Record<string, string>; serverUrl?: string } & Partial<Fill>

/** A lender with its server, its database and the mobile money network, each a process of its own. */
export const openFixture = async (o: FixtureOptions = {}) => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-faults-'))
  const files = path.join(dataDir, 'server')
  const place = o.url ? { url: o.url } : { dataDir: files }
  const desks = await fill(place, { desks: 1, repaid: 1, payouts: 0, seconds: 0, ...o })
  const port = await freePort()
  const momo = await startMomo({
    dir: path.join(dataDir, 'momo'),
    callbackUrl: `http://127.0.0.1:${port}${base}/callback/pay/mtn_momo`,
    openingBalance: 90_000_000_000,
  })
  const url = o.serverUrl ?? o.url
  const server: Server = serverOn({ dataDir: files, url, port, momo: momo.config, env: o.env })
  const others: Server[] = []
  let skew = 0

  let beside: Promise<Database> | undefined

  /** The database as others see it. The embedded one has one owner only: it is looked at between two lives of the server. */
  const look = async <T>(act: (db: Database) => Promise<T>): Promise<T> => {
    if (o.url) beside ??= openDatabase({ url: o.url, clock: systemClock, poolSize: 2 })
    const db = await (beside ?? openDatabase({ dataDir: files, clock: systemClock }))
    try {
      return await act(db)
    } finally {
      if (!beside) await db.close()
    }
  }

  /** Business time goes on by so many seconds with the next start, and the network's at once. Nobody is signed out by it. */
  const moveClock = async (db: Database, seconds: number) => {
    skew += seconds
    await momo.clock(seconds)
    await db.withTx(async tx => {
      const now = new Date(Date.now() + skew * 1_000)
      await tx.exec(sql`
        insert into business_clock (id, offset_seconds) values (1, ${skew}) on conflict (id) do update set offset_seconds = ${skew}`)
      await tx.exec(sql`update session set created_time = ${now}, last_seen_time = ${now}`)
    })
  }

  return {
    desks,
    momo,
    server,
    place,
    dataDir,
    files,
    isEmbedded: !o.url,
    look,
    now: () => new Date(Date.now() + skew * 1_000),
    /** One more server on the same database. */
    async another(): Promise<Server> {
      const other = serverOn({ dataDir: `${files}-${others.length}`, url, port: await freePort(), momo: momo.config })
      others.push(other)
      return other
    },
    pass: (seconds: number) => look(db => moveClock(db, seconds)),
    /** What is broken now; then business time goes on. */
    sweep: (seconds = 0) =>
      look(async db => {
        const broken = await db.withTx(tx => runInvariants(tx))
        if (seconds) await moveClock(db, seconds)
        return broken
      }),
    async close() {
      await Promise.all([server, ...others].map(one => one.kill()))
      await (await beside)?.close()
      await momo.stop('SIGKILL')
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type Fixture = Awaited<ReturnType<typeof openFixture>>
