import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { calls, done, fresh } from '../../../testing/acts.ts'
import { type Fixture, facts, type Input, type MerchantNo } from '../../../testing/facts.ts'
import type { Person } from '../../../testing/kit.ts'
import { begunItems } from '../../../testing/proven.ts'
import { paid, refused } from '../../after-loan/payout/payout-fixture.ts'

const { transfer } = contract

/** Accounts of ours for one merchant: two wallets, one at a bank, one of another lender. */
export const accountsOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1') => {
  const at = merchantNo.slice(1)
  const accounts = [
    ['P', 'mtn_momo', `25677000010${at}`, 'Nile Credit'],
    ['Q', 'mtn_momo', `25677000020${at}`, 'Nile Credit'],
    ['B', 'bank_file', `014000222000${at}`, 'Nile Credit'],
    ['L', 'mtn_momo', `25677000030${at}`, 'Lake Finance'],
  ] as const
  await fixture.exec(
    sql`insert into channel (channel, channel_name) values ('bank_file', 'Bank') on conflict do nothing`,
  )
  for (const [letter, channel, number, lender] of accounts) {
    const no = `F${letter}${merchantNo}`
    const isNew = await fixture.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
      values (${no}, ${`Own ${letter} ${merchantNo}`}, 'collection', ${lender}, ${channel}, ${number}) on conflict do nothing`)
    if (isNew === 0) continue
    await fixture.exec(sql`insert into fund_account_merchant values (${no}, ${merchantNo})`)
    await fixture.putIn(no)
    await fixture.db.withTx(begunItems)
  }
  const [wallet, other, bank, lender] = accounts.map(([letter]) => `F${letter}${merchantNo}`) as [
    string,
    string,
    string,
    string,
  ]
  return { wallet, other, bank, lender }
}

/** What a form asks for: a million from one wallet to the other. */
export const form = async (fixture: Fixture, as: Person, more: Input = {}, merchantNo?: MerchantNo): Promise<Input> => {
  const { wallet, other } = await accountsOf(fixture, merchantNo)
  return {
    fromAccountNo: wallet,
    toAccountNo: other,
    transferAmount: '1000000.00',
    transferPurpose: 'sweep',
    attachNos: [await fixture.uploaded(as)],
    ...more,
  }
}

/** A transfer that somebody has asked for: the second person unless the first is to. */
export const asked = async (fixture: Fixture, more: Input = {}, as = fixture.second, merchantNo?: MerchantNo) =>
  String((await done(fixture, transfer.submit, await form(fixture, as, more, merchantNo), as)).transferNo)

export const ofTransfer = async (fixture: Fixture, transferNo: string, more: Input = {}): Promise<Input> => ({
  transferNo,
  version: await fixture.versionOf('transferApplication', transferNo),
  ...more,
})

export const approved = async (fixture: Fixture, more: Input = {}): Promise<string> => {
  const no = await asked(fixture, more)
  await done(fixture, transfer.approve, await ofTransfer(fixture, no))
  return no
}

type Answer = Fixture['network']['sends'][number]

const paying = async (fixture: Fixture, no: string, answer?: Answer) => {
  if (answer) fixture.network.sends.push(answer)
  await done(fixture, transfer.payout, await ofTransfer(fixture, no))
  await fixture.worker.drain()
  return no
}

/** A transfer whose money left; the network gives its scripted answer, else only that it has it. */
export const sent = async (fixture: Fixture, answer?: Answer) => paying(fixture, await approved(fixture), answer)
export const failed = (fixture: Fixture) => sent(fixture, refused())
/** Sent once more after it failed. */
export const sentAgain = async (fixture: Fixture, answer?: Answer) => paying(fixture, await failed(fixture), answer)

export const rejected = async (fixture: Fixture, as = fixture.boss): Promise<string> => {
  const no = await asked(fixture, {}, as)
  const by = as === fixture.boss ? fixture.second : fixture.boss
  await done(fixture, transfer.reject, await ofTransfer(fixture, no, { reason: 'no paper' }), by)
  return no
}

/** The network says by its signature what became of a send of a transfer. */
export const proves = async (fixture: Fixture, no: string, what: 'paid' | 'refused', n = 1): Promise<void> => {
  const { amount, payee } = await fixture.one(
    sql<{
      amount: string
      payee: string
    }>`select amount::text, payee from gateway_attempt where external_id = ${`${no}-${n}`}`,
  )
  const proved = what === 'paid' ? paid({ payee, amount, serialNo: fresh('TB') }) : refused()
  await calls(fixture, { externalId: `${no}-${n}`, status: fresh('S'), payee, signature: 'good', proved })
}

export default facts({})
