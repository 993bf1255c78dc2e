import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { calls, done, fresh } from '../../../testing/acts.ts'
import { type Fixture, facts, type Input, type MerchantNo } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { paid, refused } from '../../after-loan/payout/payout-fixture.ts'

const { refund } = contract

/** A customer who paid too much. */
export type Overpaid = { orderNo: string; customerNo: string; wallet: string; holder: string; free: string }

/** A customer of whom more is held than was owed. */
export const overpaid = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<Overpaid> => {
  const { orderNo } = await fixture.repaid(merchantNo, '250000.00', 'settle')
  return fixture.one(sql<Overpaid>`
    select o.order_no, o.customer_no, o.wallet_account as wallet, o.cardholder_name as holder, (v.credited - v.refunded - v.reapplied - v.reserved)::numeric(18,2)::text as free
    from loan_order o join overpayment v using (customer_no) where o.order_no = ${orderNo}`)
}

/** What a form asks for of a customer's overflow, to their own wallet. */
export const form = async (fixture: Fixture, of: Overpaid, as: Person, more: Input = {}): Promise<Input> => ({
  customerNo: of.customerNo,
  refundSource: 'overpaid',
  refundAmount: '1000.00',
  channel: 'mtn_momo',
  payeeName: of.holder,
  payeeAccount: of.wallet,
  refundReason: 'customer_asked',
  attachNos: [await fixture.uploaded(as)],
  ...more,
})

export type Asked = Overpaid & { refundNo: string }

/** A refund that somebody has asked for: the second person unless the first is to. */
export const asked = async (
  fixture: Fixture,
  more: Input = {},
  as = fixture.second,
  merchantNo?: MerchantNo,
): Promise<Asked> => {
  const of = await overpaid(fixture, merchantNo)
  fixture.network.holders.set(of.wallet, of.holder)
  const { refundNo } = await done(fixture, refund.submit, await form(fixture, of, as, more), as)
  return { ...of, refundNo: String(refundNo) }
}

export const ofRefund = async (fixture: Fixture, refundNo: string, more: Input = {}): Promise<Input> => ({
  refundNo,
  version: await fixture.versionOf('refund', refundNo),
  ...more,
})

export const verified = async (fixture: Fixture, more: Input = {}, as?: Person): Promise<Asked> => {
  const made = await asked(fixture, more, as)
  await done(fixture, refund.verify, await ofRefund(fixture, made.refundNo))
  return made
}

export const approved = async (fixture: Fixture, more: Input = {}): Promise<Asked> => {
  const made = await verified(fixture, more)
  await done(fixture, refund.approve, { refundNos: [made.refundNo] })
  return made
}

type Answer = (typeof fixtureSends)[number]
const fixtureSends = [] as Fixture['network']['sends']

/** A refund whose money left; the network gives its scripted answer, else only that it has it. */
export const sent = async (fixture: Fixture, answer?: Answer, more: Input = {}): Promise<Asked> => {
  const made = await approved(fixture, more)
  if (answer) fixture.network.sends.push(answer)
  await done(fixture, refund.payout, { refundNos: [made.refundNo], fundAccountNo: 'FA1' })
  await fixture.worker.drain()
  return made
}

export const failed = (fixture: Fixture, more: Input = {}) => sent(fixture, refused(), more)

/** Sent once more after it failed. */
export const sentAgain = async (fixture: Fixture, answer?: Answer): Promise<Asked> => {
  const made = await failed(fixture)
  if (answer) fixture.network.sends.push(answer)
  await done(fixture, refund.again, await ofRefund(fixture, made.refundNo, { fundAccountNo: 'FA1' }))
  await fixture.worker.drain()
  return made
}

/** The network says by its signature what became of a send of a refund. */
export const proves = async (fixture: Fixture, { refundNo, wallet }: Asked, what: 'paid' | 'refused', n = 1) => {
  const { amount } = await fixture.one(
    sql<{ amount: string }>`select amount::text from gateway_attempt where external_id = ${`${refundNo}-${n}`}`,
  )
  const proved = what === 'paid' ? paid({ payee: wallet, amount, serialNo: fresh('RB') }) : refused()
  await calls(fixture, {
    externalId: `${refundNo}-${n}`,
    status: fresh('S'),
    payee: wallet,
    signature: 'good',
    proved,
  })
}

export const rejected = async (fixture: Fixture, as = fixture.boss): Promise<Asked> => {
  const made = await verified(fixture, {}, as)
  const by = as === fixture.boss ? fixture.second : fixture.boss
  await done(fixture, refund.reject, await ofRefund(fixture, made.refundNo, { rejectReason: 'amount_wrong' }), by)
  return made
}

/** An account at a bank that our bank account pays by hand. */
export const atBank = async (fixture: Fixture): Promise<Asked> => {
  await fixture.waitingForFile()
  const bank = { channel: 'bank_file', payeeAccount: `9030007${fresh('').padStart(6, '0')}`, payeeBank: 'Stanbic Bank' }
  const made = await asked(fixture, bank)
  const seen = { reason: 'bank letter seen', seen: ['id_picture', 'customer_call'] }
  await done(fixture, refund.ignore, await ofRefund(fixture, made.refundNo, seen))
  const third = await fixture.reviewer()
  await done(fixture, refund.approve, { refundNos: [made.refundNo] }, third)
  return made
}

/** A receipt of nobody known, as its channel reported it. */
export const ofNobody = async (fixture: Fixture): Promise<string> => {
  const flowNo = await fixture.receivedFlow()
  await fixture.exec(
    sql`update repay_flow set payer_account = '256772999111', customer_no = null where flow_no = ${flowNo}`,
  )
  return flowNo
}

export default facts({})
