import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { Application } from '../../core/contract/order/intake.ts'
import { add, type Money, mul, round, toWhole } from '../../core/rules/money.ts'
import type { Tx } from '../db/database.ts'
import { signatureOf } from '../http/defence/signature.ts'
import { Fault } from '../http/fault.ts'
import { newRequestId } from '../http/request.ts'
import { system } from '../rights/actor.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { actorOf, type Session } from '../session/session.ts'
import { bookReceipt, enterFlow } from '../systems/after-loan/flow/flow-store.ts'
import { lockAttempt } from '../systems/after-loan/payout/desk/loan-source.ts'
import { dispatch } from '../systems/after-loan/payout/payout.ts'
import { applyOutcome, type Outcome } from '../systems/after-loan/payout/payout-outcome.ts'
import { standingOf } from '../systems/after-loan/repayment/trial.ts'
import { autoWriteOff } from '../systems/after-loan/write-off/auto-write-off.ts'
import { allotOrder } from '../systems/audit/allotment/allot-order.ts'
import { type Auditor, lockAuditors } from '../systems/audit/person/audit-person.ts'
import { lockOrder } from '../systems/order/order/order-source.ts'
import type { Hand } from './hand.ts'
import type { Random } from './random.ts'
import { merchants, products } from './world.ts'

const { audit, intake, loan, repay } = contract

export type World = { hand: Hand; random: Random; who: (loginId: string) => Session; serial: () => string }

const secretOf = (productNo: string) => {
  const merchantNo = products.find(product => product.productNo === productNo)?.merchantNo
  const merchant = merchants.find(one => one.merchantNo === merchantNo)
  if (!merchant) throw new Error(`${productNo} has no merchant`)
  return merchant
}

/** A merchant's system sends an application. */
export const apply = async (tx: Tx, { hand }: World, application: Application): Promise<string> => {
  const { merchantNo, secret } = secretOf(application.productNo)
  const timestamp = String(tx.now.getTime())
  const body = JSON.stringify(application)
  const headers = {
    'x-merchant': merchantNo,
    'x-timestamp': timestamp,
    'x-signature': signatureOf(secret, timestamp, body),
  }
  return (await hand.call(tx, null, intake.apply, application, headers, body)).orderNo
}

type Standing = {
  orderStatus: string
  loanKind: string
  version: number
  requestedAmount: Money
  loanAmount: Money
  suggestedAmount: Money | null
  customerName: string
  merchantNo: string
  auditStep: number
}
export const look = (tx: Tx, orderNo: string): Promise<Standing> =>
  tx.one(
    sql<Standing>`select o.order_status, o.loan_kind, o.version, o.requested_amount, o.loan_amount, o.suggested_amount, o.merchant_no, o.audit_step, c.customer_name from loan_order o join customer c using (customer_no) where o.order_no = ${orderNo}`,
  )

/** Reviews of which the first try found a service silent: the seventh and every fortieth after it, twelve at most. */
const silentEvery = 40
const silentMost = 12
let reviews = 0

/** Machine review; the network names the holder of the account. */
export const review = async (tx: Tx, { hand }: World, orderNo: string, holderName: string | null): Promise<void> => {
  const verified = { verifyResult: holderName ? 'passed' : 'failed', holderName, matchScore: holderName ? 1 : 0 }
  const turn = ++reviews + silentEvery - 7
  if (turn % silentEvery === 0 && turn / silentEvery <= silentMost)
    await hand.network(tx, 'machine.review', orderNo, { orderNo }, { off: 'timeout' })
  await hand.network(tx, 'machine.review', orderNo, { orderNo }, { verified, answers: new Map() })
}

export const floorOf = (tx: Tx): Promise<Auditor[]> => lockAuditors(tx, sql`true`)

export const allot = async (tx: Tx, { who }: World, orderNo: string, auditor: Auditor): Promise<void> => {
  const lead = who('audit.lead')
  const actor = actorOf(lead, { requestId: newRequestId(), ip: null })
  const order = await lockOrder(tx, lead, orderNo)
  const handed = await allotOrder(tx, order, [auditor], actor)
  const line = {
    objectType: 'order',
    objectNo: orderNo,
    orderNo,
    before: { orderStatus: order.orderStatus },
    after: { orderStatus: handed.order.orderStatus, auditorNo: auditor.userNo },
  }
  writeAudit(tx, { action: 'order.allot', path: audit.allot.path, actor }, [line])
}

const remarks = [
  'Voice calm, employer confirmed',
  'Trading at Owino market',
  'Wife knows of the loan',
  'Boda rider since 2019',
  'Second loan, paid on time',
] as const

type Question = OutputOf<typeof audit.open>['questions'][number]

/** Auditors tick the first option most of the time; what may be left open often is. */
const answers = (random: Random, questions: readonly Question[]) =>
  questions
    .filter(({ required }) => required || random.chance(0.4))
    .map(({ questionNo, questionType, options }) => {
      if (questionType === 'text') return { questionNo, optionNos: [], text: random.pick(remarks) }
      const chosen = random.chance(0.75) ? options[0] : random.pick(options)
      return { questionNo, optionNos: chosen ? [chosen.optionNo] : [] }
    })

/** What an auditor decides; a follow-up call comes first. */
export const decide = async (
  tx: Tx,
  later: Tx,
  { hand, random, who }: World,
  orderNo: string,
  auditor: string,
  result: 'pass' | 'refuse' | 'sent_back',
): Promise<string> => {
  const session = who(auditor)
  const task = await hand.call(tx, session, audit.open, { orderNo })
  const { leaseToken, orderVersion: version, limits } = task
  if (random.chance(0.3))
    await hand.call(tx, session, audit.followSave, {
      orderNo,
      leaseToken,
      followResult: random.pick(['confirmed', 'confirmed', 'no_answer', 'call_back'] as const),
    })
  const shared = { orderNo, leaseToken, version }
  const done = await (result === 'pass'
    ? hand.call(later, session, audit.submit, {
        ...shared,
        auditResult: 'pass',
        approvalAmount:
          Number(limits.max) < Number(limits.suggested ?? limits.requested)
            ? limits.max
            : (limits.suggested ?? limits.requested),
        approvalTime: later.now.toISOString(),
        faceConsistency: 'consistent',
        remark: random.pick(remarks),
        answers: answers(random, task.questions),
      })
    : result === 'refuse'
      ? hand.call(later, session, audit.submit, {
          ...shared,
          auditResult: 'refuse',
          refuseCode: random.pick(['R101', 'R102', 'R201', 'R301', 'R302', 'R401']),
          remark: 'Could not be confirmed',
          faceConsistency: 'consistent',
          answers: answers(random, task.questions),
        })
      : hand.call(later, session, audit.submit, {
          ...shared,
          auditResult: 'sent_back',
          sendBackReason: random.pick(['materials', 'unreachable'] as const),
          remark: 'Please look again',
        }))
  return done.orderStatus
}

/** Opens a task and leaves it, perhaps with a draft. */
export const startReview = async (
  tx: Tx,
  { hand, who }: World,
  orderNo: string,
  auditor: string,
  draft: boolean,
): Promise<void> => {
  const { leaseToken } = await hand.call(tx, who(auditor), audit.open, { orderNo })
  if (draft)
    await hand.call(tx, who(auditor), audit.draft, {
      orderNo,
      leaseToken,
      draft: { remark: 'Called twice, asks to be called after lunch', faceConsistency: 'consistent' },
    })
}

const newestCode = (tx: Tx, orderNo: string) =>
  tx.one(
    sql<{
      loanCode: string
      attemptNo: number
      loanCodeStatus: string
      version: number
    }>`select loan_code, attempt_no, loan_code_status, version from loan_code where order_no = ${orderNo} order by loan_code_seq desc limit 1`,
  )

export type Payout =
  | 'success'
  | 'sent'
  | 'unknown'
  | 'payee_invalid'
  | 'payee_limit'
  | 'our_balance'
  | 'other'
  | 'payee_barred'
  | 'name_mismatch'

/** The accounts hold enough again, and their networks say so. */
const topUp = (tx: Tx) => tx.exec(sql`update fund_account set short_amount = null where short_amount is not null`)

/** Sends a created code and tells what the network made of it. */
export const payOut = async (tx: Tx, later: Tx, world: World, orderNo: string, how: Payout): Promise<string> => {
  const { loanCode, attemptNo } = await newestCode(tx, orderNo)
  await dispatch(tx, ['mtn_momo'], loanCode)
  const externalId = `${loanCode}-${attemptNo + 1}`
  await world.hand.network(tx, 'payout.send', externalId, { externalId }, { kind: 'accepted' })
  if (how === 'sent') return loanCode
  const outcome: Outcome =
    how === 'success'
      ? { kind: 'success', serialNo: world.serial() }
      : how === 'unknown'
        ? { kind: 'unknown', answerCode: 'TIMEOUT' }
        : { kind: 'failure', failType: how, answerCode: how.toUpperCase(), answerMessage: how.replaceAll('_', ' ') }
  await applyOutcome(later, await lockAttempt(later, externalId), outcome, system(`attempt ${externalId}`))
  if (how === 'our_balance') await topUp(later)
  return loanCode
}

export const replay = (tx: Tx, { hand, who }: World, loanCode: string) =>
  hand.call(tx, who('finance1'), loan.retry, { loanCodes: [loanCode], accountChecked: true })
export const cancelCode = (tx: Tx, { hand, who }: World, loanCode: string) =>
  hand.call(tx, who('finance1'), loan.cancel, { loanCodes: [loanCode], reason: 'customer_withdrew' })
export const allowAgain = async (tx: Tx, { hand, who }: World, orderNo: string) =>
  hand.call(tx, who('finance1'), loan.allowReWithdraw, { orderNo, version: (await look(tx, orderNo)).version })
export const withdraw = async (tx: Tx, { hand, who }: World, orderNo: string) =>
  hand.call(tx, who('audit.lead'), audit.cancel, {
    orderNo,
    version: (await look(tx, orderNo)).version,
    reason: 'customer_withdrew',
  })

/** A customer's money arrives over the network and is written off where nothing is in doubt. */
export const payIn = async (
  tx: Tx,
  world: World,
  orderNo: string,
  amount: Money,
  o: { stray?: boolean } = {},
): Promise<void> => {
  const actor = system(`payin ${orderNo}`)
  const order = await tx.one(sql<{
    payCode: string
    merchantNo: string
    customerNo: string
    phone: string
    customerName: string
  }>`
    select o.pay_code, o.merchant_no, o.customer_no, c.phone, c.customer_name from loan_order o join order_customer c using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
  const flow = await enterFlow(
    tx,
    'channel.callback',
    {
      channel: 'mtn_momo',
      serialNo: world.serial(),
      amount,
      entryTime: tx.now.toISOString(),
      source: 'callback',
      paymentCode: o.stray ? '7000000000' : order.payCode,
      fundAccountNo: 'FA2',
      payerName: order.customerName,
      payerAccount: order.phone,
      isrecord: true,
      merchantNo: order.merchantNo,
      customerNo: o.stray ? null : order.customerNo,
      waitReason: o.stray ? 'no_match' : null,
    },
    actor,
  )
  await bookReceipt(tx, flow, actor)
  if (o.stray) return
  const wait = await autoWriteOff(tx, await standingOf(tx, orderNo, { lock: true, from: () => tx.today }), flow, actor)
  if (wait) await tx.exec(sql`update repay_flow set wait_reason = ${wait} where flow_no = ${flow.flowNo}`)
}

/** A customer asks for more time: the quote of today, and until when; nothing where the terms do not allow it any more. */
export const quoteExtension = async (tx: Tx, { hand, who }: World, orderNo: string) => {
  const { version } = await tx.one(sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`)
  try {
    return await hand.call(tx, who('finance1'), repay.extensionQuote, { orderNo, version })
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

const upToShilling = (amount: Money): Money =>
  toWhole(amount) < amount ? add(toWhole(amount), '1.00') : round(amount, { unit: '1', mode: 'half_up' })

export type Owed = { due: Money; all: Money }
/** What the oldest open bill and all open bills of an order ask for, in whole shillings; nothing when there is none. */
export const owed = async (tx: Tx, orderNo: string): Promise<Owed | null> => {
  const left = sql`principal_due + interest_due + service_fee_due + management_fee_due + late_fee_due + liquidated_damages_due - principal_paid - interest_paid - service_fee_paid - management_fee_paid - late_fee_paid - liquidated_damages_paid - principal_waived - interest_waived - service_fee_waived - management_fee_waived - late_fee_waived - liquidated_damages_waived`
  const bills = await tx.rows(
    sql<{
      amount: Money
    }>`select ${left} as amount from repay_plan where order_no = ${orderNo} and bill_status in ('pending', 'partial') order by installment_no`,
  )
  const [first] = bills
  return first
    ? {
        due: upToShilling(first.amount),
        all: upToShilling(bills.reduce((total, bill) => add(total, bill.amount), '0.00')),
      }
    : null
}

/** A finance officer types a receipt from a bank statement, and leaves it for a colleague to check. */
export const typeFlow = (tx: Tx, { hand, who, random, serial }: World) =>
  hand.call(tx, who('finance1'), repay.flowSave, {
    paymentChannel: 'mtn_momo',
    serialNo: serial(),
    amount: `${random.int(40, 200)}000.00`,
    entryTime: tx.now.toISOString(),
    fundAccountNo: 'FA2',
    payerName: random.pick(['Okello Peter', 'Nakato Sarah', 'Mugisha John'] as const),
  })

/** A finance officer matches a stray receipt to an order by hand. */
export const matchByHand = async (tx: Tx, { hand, who, random }: World, orderNo: string): Promise<void> => {
  const session = who('finance1')
  const [flow] = await tx.rows(sql<{
    flowNo: string
    serialNo: string
    amount: Money
    entryTime: string
    paymentCode: string
  }>`
    select f.flow_no, f.serial_no, f.amount, f.entry_time, f.payment_code from repay_flow f join loan_order o on o.order_no = ${orderNo}
    join merchant_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no
    where f.payer_account = c.phone and f.flow_status = 'available' limit 1`)
  if (!flow) return
  const isPart = random.chance(0.3)
  const given = {
    orderNo,
    repayType: isPart ? ('partial' as const) : ('settle' as const),
    flows: [
      {
        flowNo: flow.flowNo,
        serialNo: flow.serialNo,
        amount: flow.amount,
        entryTime: flow.entryTime,
        paymentCode: flow.paymentCode,
        paymentChannel: 'mtn_momo' as const,
        writeOffAmount: isPart ? mul(flow.amount, '0.5', { unit: '1', mode: 'half_up' }) : flow.amount,
      },
    ],
  }
  const trial = await hand.call(tx, session, repay.trial, given)
  if (trial.refusal) return
  const { version } = await look(tx, orderNo)
  await hand.call(tx, session, repay.commit, {
    ...given,
    version,
    trialKey: trial.trialKey,
    confirmGreater: true,
    confirmLess: true,
    remark: 'Matched by the payer',
  })
}
