import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { partners } from '../../../../tests/contract/server-kit.ts'
import { system } from '../../../rights/actor.ts'
import { calls, fresh } from '../../../testing/acts.ts'
import { type Fixture, facts, type Input, type MerchantNo } from '../../../testing/facts.ts'
import { signedBy } from '../../../testing/partner.ts'
import { paid, refused } from '../payout/payout-fixture.ts'
import { giveReward } from './reward.ts'

const { wallet } = contract
const actor = system('wallet facts')

export type Customer = { customerNo: string; merchantNo: MerchantNo }

/** A customer whose loan was paid, so that their wallet is known. */
export const customerOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<Customer> => {
  const { orderNo } = await fixture.repaid(merchantNo)
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
  )
  return { customerNo, merchantNo }
}

/** Puts rewards into the wallet of a customer. */
export const rewarded = (fixture: Fixture, customer: Customer, rewardAmount: `${number}.00` = '20000.00') =>
  fixture.db.withTx(tx =>
    giveReward(
      tx,
      { ...customer, rewardType: 'invite', activityType: 'Invite a friend', sourceNo: fresh('TK'), rewardAmount },
      actor,
    ),
  )

/** What the app of a merchant asks for, signed by that merchant. */
export const asks = (
  fixture: Fixture,
  { customerNo, merchantNo }: Customer,
  withdrawAmount = '5000.00',
  more: Input = {},
) => {
  const input = { requestNo: fresh('RQ'), customerNo, withdrawAmount, ...more }
  const { secret } = partners[merchantNo]
  const headers = signedBy(JSON.stringify(input), { merchantNo, secret })
  return fixture.ask(wallet.withdraw, input, { as: fixture.boss, headers })
}

type Answer = Fixture['network']['sends'][number]

/** A withdrawal whose money left; the network gives its scripted answer, else only that it has it. */
export const sent = async (fixture: Fixture, answer?: Answer, customer?: Customer): Promise<string> => {
  const of = customer ?? (await customerOf(fixture))
  await rewarded(fixture, of)
  if (answer) fixture.network.sends.push(answer)
  const { withdrawNo } = fixture.must(await asks(fixture, of)) as { withdrawNo: string }
  await fixture.worker.drain()
  return withdrawNo
}
export const failed = (fixture: Fixture, customer?: Customer) => sent(fixture, refused(), customer)

export const ofWithdrawal = async (fixture: Fixture, withdrawNo: string, more: Input = {}): Promise<Input> => ({
  withdrawNo,
  version: await fixture.versionOf('walletWithdrawal', withdrawNo),
  ...more,
})

/** Sent once more after it failed. */
export const sentAgain = async (fixture: Fixture, answer?: Answer): Promise<string> => {
  const no = await failed(fixture)
  if (answer) fixture.network.sends.push(answer)
  fixture.must(await fixture.ask(wallet.retry, { withdrawNos: [no] }, { as: fixture.boss }))
  await fixture.worker.drain()
  return no
}

/** The network says by its signature what became of a send of a withdrawal. */
export const proves = async (fixture: Fixture, no: string, what: 'paid' | 'refused', n = 1): Promise<void> => {
  const { amount, payee } = await fixture.one(
    sql<{
      amount: string
      payee: string
    }>`select amount::text, payee from gateway_attempt where external_id = ${`${no}-${n}`}`,
  )
  const proved = what === 'paid' ? paid({ payee, amount, serialNo: fresh('WB') }) : refused()
  await calls(fixture, { externalId: `${no}-${n}`, status: fresh('S'), payee, signature: 'good', proved })
}

export default facts({})
