import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import type { Application } from '../../core/contract/order/intake.ts'
import { couponTypes } from '../../core/contract/order/order.ts'
import { add, eq, type Money, mul } from '../../core/rules/money.ts'
import { addDays, daysBetween, eatDate, startOfEatDay } from '../../core/rules/time.ts'
import type { Clock } from '../db/clock.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { noCollection, noPayout } from '../money/no-gateway.ts'
import { hashPassword } from '../session/password.ts'
import { authenticate, openSession, type Session } from '../session/session.ts'
import { richApplicant } from '../simulators/phone/rich-applicant.ts'
import { rollDay } from '../systems/after-loan/repayment/day-roll.ts'
import type { Auditor } from '../systems/audit/person/audit-person.ts'
import { chainAudit } from '../systems/common/audit-chain.ts'
import { recordDay } from '../systems/report/snapshot/day-snapshot.ts'
import { modules } from '../systems/systems.ts'
import { demoPassword } from './accounts.ts'
import { writeCharge } from './configs/charge.ts'
import { writeMaster } from './configs/master.ts'
import { writeWords } from './configs/words.ts'
import { at, handFor } from './hand.ts'
import { writeLending } from './lending/lending.ts'
import * as life from './life.ts'
import { bindCoupon } from './offers/coupons.ts'
import { writeOffice } from './office.ts'
import { otherHalf, type Part, type Start, startOf, takeNumbers, takePart } from './part.ts'
import { randomFrom } from './random.ts'
import { writeReveals } from './reveals.ts'
import { auditors, loginOf, people, userNoOf, writeStaff } from './staff.ts'
import { products, writeWorld } from './world.ts'

/** How far back the demo goes. */
export const days = 60
const kinds = couponTypes.values
const minute = 60_000
/** How many of all orders came on each of the last two days: what waits for somebody is among them. */
const lastShare = 0.04

type Options = { db: Database; clock: Clock; log: Log; orders: number; progress?: Progress }
/** Hears how much is made, from 0 to 1. */
export type Progress = (made: number) => void
/** What will happen to an order on a later day. */
type Plan = { orderNo: string; kind: 'bill' | 'early' | 'part' | 'stray' | 'match' | 'extend' }
type Life = life.World & { plans: Map<string, Plan[]>; settled: number[]; person: number; unpaid: Unpaid[] }
/** Where the payouts of the last two days stand, the first ones for certain. */
type Unpaid = 'created' | 'sent' | 'unknown'

const later = (world: Life, date: string, plan: Plan) =>
  void world.plans.set(date, [...(world.plans.get(date) ?? []), plan])

/** On time, a little late, very late, in parts, never: how the bills of an order will be paid. */
const planRepayment = async (tx: Tx, world: Life, orderNo: string) => {
  const { random } = world
  const bills = await tx.rows(
    sql<{ dueDate: string }>`select due_date from repay_plan where order_no = ${orderNo} order by installment_no`,
  )
  const habit = random.next()
  if (habit < 0.06) return
  const [first] = bills
  if (first && habit > 0.86 && habit < 0.9)
    return later(world, addDays(first.dueDate, random.int(0, 4)), { orderNo, kind: 'extend' })
  for (const [index, { dueDate }] of bills.entries()) {
    const slip =
      habit < 0.22 ? random.int(1, 6) : habit < 0.3 ? random.int(7, 35) : random.chance(0.35) ? -random.int(1, 3) : 0
    const kind =
      habit > 0.96
        ? 'early'
        : habit > 0.92 && index === 0
          ? 'part'
          : habit > 0.9 && bills.length === 1
            ? 'stray'
            : 'bill'
    if (habit < 0.1 && index > 0) return
    later(world, addDays(dueDate, slip), { orderNo, kind })
    if (kind === 'part') later(world, addDays(dueDate, slip + random.int(2, 9)), { orderNo, kind: 'bill' })
    if (kind === 'early') return
  }
}

const repay = async (tx: Tx, world: Life, { orderNo, kind }: Plan) => {
  if (kind === 'match') return life.matchByHand(tx, world, orderNo)
  const owed = await life.owed(tx, orderNo)
  if (!owed) return
  if (kind === 'extend') {
    const quoted = await life.quoteExtension(tx, world, orderNo)
    if (!quoted) return
    // Some think it over, and the quote ends with its day.
    if (world.random.chance(0.8)) await life.payIn(tx, world, orderNo, quoted.amount)
    return later(world, addDays(quoted.newDueDate, world.random.int(-1, 2)), { orderNo, kind: 'bill' })
  }
  if (kind === 'stray') {
    await life.payIn(tx, world, orderNo, owed.all, { stray: true })
    if (world.random.chance(0.75)) later(world, addDays(tx.today, 1), { orderNo, kind: 'match' })
    return
  }
  const half = mul(owed.due, '0.5', { unit: '1', mode: 'half_up' })
  const amount: Money =
    kind === 'part' ? half : kind === 'early' ? add(owed.all, world.random.chance(0.3) ? '5000.00' : '0.00') : owed.due
  await life.payIn(tx, world, orderNo, eq(amount, '0.00') ? owed.due : amount)
}

const standing: readonly Unpaid[] = ['sent', 'unknown', 'created']

const failures = ['payee_invalid', 'payee_limit', 'our_balance', 'other', 'payee_barred', 'name_mismatch'] as const

const correctable: readonly string[] = ['payee_invalid', 'payee_limit', 'payee_barred', 'name_mismatch']

/** An approved order is paid out, or is not. */
const pay = async (tx: Tx, world: Life, orderNo: string, now: number, open: boolean) => {
  const { random } = world
  const [sent, answered] = [at(tx, new Date(now)), at(tx, new Date(now + random.int(1, 9) * minute))]
  const luck = random.next()
  const unpaid = open ? (world.unpaid.shift() ?? (luck < 0.1 ? random.pick(standing) : undefined)) : undefined
  if (unpaid === 'created') return
  if (unpaid) return void (await life.payOut(sent, answered, world, orderNo, unpaid))
  if (luck < 0.93) {
    await life.payOut(sent, answered, world, orderNo, 'success')
    return planRepayment(tx, world, orderNo)
  }
  const failure = random.pick(failures)
  const loanCode = await life.payOut(sent, answered, world, orderNo, failure)
  const after = at(tx, new Date(now + 90 * minute))
  if (random.chance(0.5)) {
    await life.replay(after, world, loanCode)
    await life.payOut(
      at(tx, new Date(now + 92 * minute)),
      at(tx, new Date(now + 95 * minute)),
      world,
      orderNo,
      'success',
    )
    return planRepayment(tx, world, orderNo)
  }
  if (open) return
  if (correctable.includes(failure) && random.chance(0.3)) await life.allowAgain(after, world, orderNo)
  else if (random.chance(0.8)) await life.cancelCode(after, world, loanCode)
}

type Applied = { proven: boolean; orderNo: string; merchantNo: string; customerName: string; now: number }

const applicationOf = ({ random, settled }: Life, seed: number, now: number): Application => {
  const { productNo, terms } = random.pick(products)
  const person = settled.length > 20 && random.chance(0.28) ? random.pick(settled) : seed
  const [minAmount, maxAmount] = [Math.max(Number(terms.minAmount), 50_000), Math.min(Number(terms.maxAmount), 600_000)]
  const given = richApplicant(seed, {
    person,
    at: new Date(now).toISOString(),
    productNos: [productNo],
    clean: !random.chance(0.02),
    minAmount,
    maxAmount,
  })
  const step = Number(terms.amountStep)
  const poor = random.chance(0.48) ? { monthlyIncome: `${random.int(4, 9) * 10_000}.00` } : {}
  return {
    ...given,
    loanAmount: `${Math.ceil(Number(given.loanAmount) / step) * step}.00`,
    customer: { ...given.customer, ...poor },
  }
}

/** The applications of a day and their progress until it ends; on the last two days many stay open. */
const day = async (tx: Tx, world: Life, start: number, count: number, last: boolean) => {
  const { random } = world
  const reaches = last ? Math.min(Date.now() - 10 * minute, start + 20 * 60 * minute) : start + 18 * 60 * minute
  const from = Math.min(start + 7 * 60 * minute, reaches - 60 * minute)
  const moment = () => from + Math.floor(random.next() * Math.max(reaches - from - 120 * minute, 30 * minute))
  const orders: Applied[] = []
  for (const now of Array.from({ length: count }, moment).sort((a, b) => a - b)) {
    const application = applicationOf(world, ++world.person, now)
    const orderNo = await life.apply(at(tx, new Date(now)), world, application)
    const merchantNo = products.find(product => product.productNo === application.productNo)?.merchantNo ?? ''
    orders.push({
      proven: random.chance(0.97),
      orderNo,
      merchantNo,
      customerName: application.customer.customerName,
      now,
    })
    world.settled.push(world.person)
  }
  await tx.flush()
  const floor = await life.floorOf(tx)
  for (const order of orders) {
    const { orderNo, now } = order
    if (last && random.chance(0.03)) continue
    await life.review(at(tx, new Date(now + minute)), world, orderNo, order.proven ? order.customerName : null)
    const { orderStatus, loanKind } = await life.look(tx, orderNo)
    const able = loanKind === 'repeat' ? floor.filter(one => one.acceptRepeat) : floor
    if (orderStatus === 'to_be_allocated') await review(tx, world, order, able, last)
    if (orderStatus === 'pending_disbursement') await pay(tx, world, orderNo, now + 3 * minute, last)
  }
}

/** The review floor takes an order through its steps. */
const review = async (
  tx: Tx,
  world: Life,
  { orderNo, merchantNo, now, proven }: Applied,
  floor: readonly Auditor[],
  last: boolean,
) => {
  const { random } = world
  const moment = (minutes: number) => at(tx, new Date(now + minutes * minute))
  if (last && random.chance(0.55)) return
  if (random.chance(0.03)) return void (await life.withdraw(moment(4), world, orderNo))
  const able = floor.filter(one => auditors.includes(loginOf(one.userNo)) && one.merchants.includes(merchantNo))
  const first = last && random.chance(0.45) ? able.find(one => one.userNo === userNoOf('auditor1')) : random.pick(able)
  const reviewers = [first ?? random.pick(able)]
  while (reviewers.length < Math.min(4, able.length))
    reviewers.push(random.pick(able.filter(one => !reviewers.includes(one))))
  for (const [step, auditor] of reviewers.entries()) {
    const begun = 5 + step * 40
    await life.allot(moment(begun), world, orderNo, auditor)
    const name = loginOf(auditor.userNo)
    const turn = Math.floor(now / minute)
    if (step === 0 && turn % 4 === 0)
      await bindCoupon(moment(begun), orderNo, kinds[Math.floor(turn / 4) % kinds.length] ?? kinds[0])
    if (last && random.chance(0.6)) {
      return random.chance(0.3)
        ? life.startReview(moment(begun + 3), world, orderNo, name, random.chance(0.75))
        : undefined
    }
    const luck = random.next()
    const result =
      luck < 0.74 && proven ? 'pass' : luck < 0.96 || step === reviewers.length - 1 ? 'refuse' : 'sent_back'
    const status = await life.decide(
      moment(begun + 4),
      moment(begun + 5 + random.int(2, 20)),
      world,
      orderNo,
      name,
      result,
    )
    if (status === 'pending_disbursement') return pay(tx, world, orderNo, now + (begun + 27) * minute, last)
    if (status !== 'to_be_allocated') return
  }
}

/** The people of the demo with their rights, as sessions that end with the seeding. */
const signIn = async (tx: Tx): Promise<Map<string, Session>> => {
  const sessions = new Map<string, Session>()
  for (const { loginId, state, ai } of people) {
    if (state || ai) continue
    const token = await openSession(tx, userNoOf(loginId), { ip: null, browser: 'demo' })
    sessions.set(loginId, await authenticate(tx, token, 'en'))
  }
  await tx.exec(sql`delete from session`)
  return sessions
}

/** What the day's jobs would have done is done; an application that still waits for its review keeps its job. */
const endOfDay = async (tx: Tx, date: string) => {
  await tx.exec(sql`
    update job set state = 'done', finished_time = ${tx.now}
    where state = 'ready' and not (queue = 'machine.review' and payload ->> 'orderNo' in (select order_no from loan_order where order_status = 'machine_reviewing'))`)
  await tx.exec(sql`
    insert into job_run (job, slot, job_status, planned_time, started_time, finished_time) values ('day.roll', ${date}, 'done', ${tx.now}, ${tx.now}, ${tx.now})`)
}

type PartOptions = Pick<Options, 'db' | 'clock' | 'orders' | 'progress'> & { part?: Part }

/** A lender's last two months, or a half of them, made by the real commands on a clock that is moved. */
export const makePart = async ({ db, clock, orders, part, progress }: PartOptions): Promise<Start> => {
  const today = eatDate(clock.now())
  const first = addDays(today, -days)
  const opening = new Date(startOfEatDay(addDays(first, -1)))
  const all = modules({
    clock,
    demo: true,
    payout: { mtn_momo: noPayout },
    collect: { mtn_momo: noCollection },
    exportDir: '',
    uploads: { dir: '', secret: Buffer.alloc(32) },
    importDir: '',
    secretKey: Buffer.alloc(32),
  })
  if (part) await takeNumbers(db, part)
  const passwordHash = await hashPassword(demoPassword)
  const sessions = await db.withTx(
    async tx => {
      await writeWorld(tx)
      await writeStaff(tx, passwordHash)
      await tx.flush()
      return signIn(tx)
    },
    { now: opening },
  )
  const start = await startOf(db)
  const index = part?.index ?? 0
  let serial = 9_100_000_000 + index * 100_000_000
  const random = randomFrom(20261120 + index)
  const who = (loginId: string): Session => {
    const session = sessions.get(loginId)
    if (!session) throw new Error(`nobody is called ${loginId}`)
    return session
  }
  const world: Life = {
    hand: handFor(all),
    random,
    who,
    serial: () => String(serial++),
    plans: new Map(),
    settled: [],
    person: index * 50_000,
    unpaid: [...standing],
  }
  for (let at = 0; at <= days; at++) {
    await wholeDay(db, world, addDays(first, at), { orders, part, at })
    progress?.((at + 1) / (days + 1))
  }
  return start
}

const wholeDay = async (
  db: Database,
  world: Life,
  date: string,
  o: { orders: number; part: Part | undefined; at: number },
) => {
  const start = Date.parse(startOfEatDay(date))
  const last = o.at >= days - 1
  const share = last ? lastShare : (0.6 + (0.8 * o.at) / days) / (days + 1)
  await db.withTx(
    async tx => {
      await rollDay(tx, date)
      for (const plan of world.plans.get(date) ?? [])
        await repay(at(tx, new Date(start + world.random.int(30, 6 * 60) * minute)), world, plan)
      await day(tx, world, start, Math.max(last ? 6 : 1, Math.round(o.orders * share)), last)
      if (o.at === days)
        await life.typeFlow(at(tx, new Date(Math.min(start + 8 * 60 * minute, Date.now() - minute))), world)
      await tx.flush()
      await endOfDay(tx, date)
    },
    { now: new Date(start + 5 * minute) },
  )
  world.plans.delete(date)
}

/** The demo, made by two processes. */
export const makeHalves = async ({ db, clock, orders, progress }: Omit<Options, 'log'>): Promise<void> => {
  const half = Math.floor(orders / 2)
  const [, parcels] = await Promise.all([
    makePart({ db, clock, orders: orders - half, part: { index: 0 }, progress }),
    otherHalf(clock.now(), half),
  ])
  await takePart(db, parcels)
}

/** What the mornings would have kept of the days before. */
const recordDays = async (tx: Tx): Promise<void> => {
  for (const date of daysBetween(addDays(tx.today, -days), addDays(tx.today, -1))) {
    await recordDay(tx, date)
    await tx.exec(sql`
      insert into job_run (job, slot, job_status, planned_time, started_time, finished_time)
      values ('day.snapshot', ${addDays(date, 1)}, 'done', ${tx.now}, ${tx.now}, ${tx.now})`)
  }
}

/** So few are sooner made by one process. */
const worthTwo = 400

/** Older messages have been read, in milliseconds: nobody comes back to thousands. */
const readAfter = 12 * 60 * minute

/** Fills an empty database with the demo; many orders are made by two processes. */
export const seed = async ({ log, ...given }: Options): Promise<void> => {
  const { db, clock, orders } = given
  const started = performance.now()
  if (orders >= worthTwo && availableParallelism() > 1) await makeHalves(given)
  else await makePart(given)
  await db.withTx(async tx => {
    await tx.exec(
      sql`update staff_message set read_time = created_time + interval '20 minutes' where read_time is null and created_time < ${new Date(clock.now().getTime() - readAfter)}`,
    )
    await writeOffice(tx)
    await writeMaster(tx)
    await writeReveals(tx)
    await writeLending(tx)
    await writeWords(tx)
    await writeCharge(tx)
    await tx.flush()
    await tx.exec(sql`delete from user_event`)
    while ((await chainAudit(tx)) > 0);
    await tx.exec(sql`analyze`)
    await recordDays(tx)
  })
  const { made } = await db.read(tx => tx.one(sql<{ made: number }>`select count(*)::int as made from loan_order`))
  log.info(
    { event: 'demo.seeded', orders: made, seconds: Math.round((performance.now() - started) / 1000) },
    'demo data made',
  )
}
