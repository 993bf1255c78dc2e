import { sql } from 'kysely'
import { payoutOf } from '../../core/rules/loan/fees.ts'
import type { Money } from '../../core/rules/money.ts'
import type { Tx } from '../../server/db/database.ts'
import { json } from '../../server/db/json.ts'
import { type Random, randomFrom } from '../../server/demo/random.ts'
import type { WalletChannel } from '../../server/gateways/gateway.ts'
import { system } from '../../server/rights/actor.ts'
import { create, transition } from '../../server/states/transition.ts'
import { createLoanCode } from '../../server/systems/after-loan/payout/index.ts'
import type { Order } from '../../server/systems/order/order/index.ts'
import { fixtureTerms } from '../../server/testing/kit.ts'
import type { accounts, World } from './world.ts'

const actor = system('customers')
const no = (prefix: string, n: number) => `${prefix}${String(n).padStart(7, '0')}`
const chunk = 50

/** What decides how a customer behaves: drawn once, from the seed and the number of the order. */
export type Customer = {
  n: number
  orderNo: string
  /** How the loan is paid out. */
  to: keyof typeof accounts
  phone: string
  amount: Money
  refused: boolean
  habit: 'punctual' | 'inParts' | 'late' | 'tooMuch' | 'strayCode' | 'never'
  lateDays: number
}

const habits = [
  ...Array.from({ length: 9 }, () => 'punctual' as const),
  ...Array.from({ length: 3 }, () => 'inParts' as const),
  ...Array.from({ length: 3 }, () => 'late' as const),
  'tooMuch',
  'tooMuch',
  'strayCode',
  'never',
] as const

export const customerOf = (seed: number, n: number): Customer => {
  const random = randomFrom(seed * 7_919 + n)
  const way = random.next()
  const to = way < 0.5 ? 'mtn_momo' : way < 0.85 ? 'airtel_money' : 'bank_file'
  return {
    n,
    orderNo: no('LO', n),
    to,
    phone: `${to === 'airtel_money' ? '25675' : '25677'}${no('', n)}`,
    amount: `${random.int(5, 60)}0000.00`,
    refused: random.chance(0.08),
    habit: random.pick(habits),
    lateDays: random.int(1, 9),
  }
}

/** The network that a customer holds a phone of. */
export const networkOf = ({ to }: Customer): WalletChannel => (to === 'airtel_money' ? to : 'mtn_momo')

const payeeOf = ({ to, phone, n }: Customer) =>
  to === 'bank_file'
    ? {
        payoutType: 'bank',
        payoutSubtype: 'bank_transfer',
        bankName: 'Stanbic Bank',
        branch: 'Kampala Road',
        bankCardNo: no('903', n),
      }
    : { payoutType: 'wallet', payoutSubtype: to === 'mtn_momo' ? 'mtn' : 'airtel', walletAccount: phone }

/** One application, with what machine review says of it. */
const applyOne = async (tx: Tx, customer: Customer) => {
  const { n, orderNo, phone, amount, refused } = customer
  const customerNo = no('CU', n)
  await tx.exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    values (${customerNo}, 'Grace Nakato', ${no('CF00000', n)}, ${phone}, 5000000, 1000000, ${tx.now})`)
  const values = {
    orderNo,
    thirdOrderNo: no('T', n),
    merchantNo: 'M1',
    customerNo,
    productNo: 'P1',
    terms: json(fixtureTerms),
    requestedAmount: amount,
    loanAmount: amount,
    actualLoanAmount: payoutOf(fixtureTerms, amount),
    term: fixtureTerms.termDays,
    installmentCount: fixtureTerms.installmentCount,
    loanKind: 'first',
    applyTime: tx.now,
    statusTime: tx.now,
    ...payeeOf(customer),
    cardholderName: 'Grace Nakato',
    payoutVerify: 'passed',
  }
  await create(tx, 'order', values, { event: 'order.create' }, actor)
  const stored = () => tx.one(sql<Order>`select * from loan_order where order_no = ${orderNo}`)
  const event = refused ? 'machine.refuse' : 'machine.autoApprove'
  await transition(tx, 'order', await stored(), { event }, actor)
  if (!refused) await createLoanCode(tx, await stored(), actor)
}

/** Cases of payments at the bank, in parts; everything else goes well. */
const bankCases = [
  ['G25', 'RJCT', 8],
  ['G25', 'PDNG', 5],
  ['G25', 'silentPaid', 2],
  ['G25', 'silent', 2],
  ['G27', 'twice', 4],
  ['G27', 'foreign', 3],
  ['G27', 'amount', 2],
  ['G28', 'returned', 4],
] as const

const drawBankCase = async ({ bank }: World, random: Random, customer: Customer) => {
  let left = random.next() * 100
  const drawn = bankCases.find(([, , parts]) => {
    left -= parts
    return left < 0
  })
  const { bankCardNo } = payeeOf(customer) as { bankCardNo: string }
  if (drawn) await bank.scenario({ match: 'payee', value: bankCardNo, case: drawn[0], variant: drawn[1] })
}

/** The applications of a day. */
export const apply = async (world: World, random: Random, customers: readonly Customer[]): Promise<void> => {
  for (const customer of customers) if (customer.to === 'bank_file') await drawBankCase(world, random, customer)
  for (let first = 0; first < customers.length; first += chunk)
    await world.kit.db.withTx(async tx => {
      for (const customer of customers.slice(first, first + chunk)) await applyOne(tx, customer)
    })
}

type Owing = { orderNo: string; payCode: string; due: Money; rest: Money; days: number; paidBefore: boolean }

const left = sql`(p.principal_due + p.interest_due + p.service_fee_due + p.management_fee_due + p.late_fee_due + p.liquidated_damages_due
  - p.principal_paid - p.interest_paid - p.service_fee_paid - p.management_fee_paid - p.late_fee_paid - p.liquidated_damages_paid
  - p.principal_waived - p.interest_waived - p.service_fee_waived - p.management_fee_waived - p.late_fee_waived - p.liquidated_damages_waived)`

/** Orders that owe something: what has fallen due by today, all of it, and for how many days the oldest is due. */
const owing = (world: World) =>
  world.kit.db.read(tx =>
    tx.rows(sql<Owing>`
      select o.order_no, o.pay_code, coalesce(sum(${left}) filter (where p.due_date <= ${tx.today}), 0)::numeric(18,2) as due, sum(${left})::numeric(18,2) as rest,
        (${tx.today}::date - min(p.due_date))::int as days,
        exists (select 1 from repay_record r where r.order_no = o.order_no and r.record_status = 'posted') as paid_before
      from loan_order o join repay_plan p using (order_no)
      where o.order_status = 'funds_disbursed' and p.bill_status in ('pending', 'partial') group by o.order_no, o.pay_code order by o.order_no`),
  )

const up = (amount: Money) => Math.ceil(Number(amount))

/** What a customer pays on a day; nothing most of the time. */
const payment = (customer: Customer, { due, rest, days, paidBefore }: Owing, random: Random): number => {
  const [nowDue, all] = [up(due), up(rest)]
  if (customer.habit === 'never') return 0
  if (days < 0) return random.chance(0.05) ? all + (customer.habit === 'tooMuch' ? random.int(1, 20) * 500 : 0) : 0
  if (customer.habit === 'late') return days >= customer.lateDays ? nowDue : 0
  if (customer.habit === 'inParts') return random.chance(0.5) ? Math.max(1_000, Math.round(nowDue / 2)) : 0
  if (customer.habit === 'tooMuch' && paidBefore) return all + random.int(1, 20) * 500
  return random.chance(0.7) ? nowDue : 0
}

/** Customers pay with their phones; a stray one types a code that is nobody's. Answers how many paid. */
export const repay = async (world: World, seed: number, random: Random): Promise<number> => {
  let paid = 0
  for (const one of await owing(world)) {
    const customer = customerOf(seed, Number(one.orderNo.slice(2)))
    const amount = payment(customer, one, random)
    if (amount <= 0 || !one.payCode) continue
    const stray = customer.habit === 'strayCode' && random.chance(0.5)
    const payer = stray ? customer.phone.replace(/^2567./, '25639') : customer.phone
    await world.networks[networkOf(customer)].payIn({
      reference: stray ? `7${String(random.int(0, 999_999_999)).padStart(9, '0')}` : one.payCode,
      payer,
      amount,
    })
    paid += 1
  }
  return paid
}
