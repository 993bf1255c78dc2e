import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { calls, done, fresh } from '../../../testing/acts.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'
import { begunItems } from '../../../testing/proven.ts'
import { paid, refused } from '../../after-loan/payout/payout-fixture.ts'

const { phoneBill } = contract
export const airtime = '10000.00'
let phones = 0

/** The vendor's account of ours, with money on it. */
export const accountThere = async (fixture: Fixture): Promise<void> => {
  await fixture.exec(sql`
    insert into channel (channel, channel_name, pause_after_unknown) values ('airtime', 'Airtime', 50) on conflict do nothing`)
  const made = await fixture.exec(sql`
    insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
    values ('FAT', 'Airtime float', 'payout', 'Nile Credit', 'airtime', '256770000099') on conflict do nothing`)
  if (made === 0) return
  await fixture.exec(sql`insert into fund_account_merchant values ('FAT', 'M1'), ('FAT', 'M2')`)
  await fixture.putIn('FAT')
  await fixture.db.withTx(begunItems)
}

/** Somebody of the staff who gets airtime. */
export const collectorOf = async (fixture: Fixture): Promise<string> => {
  await accountThere(fixture)
  const { userNo } = await fixture.reviewer({ perms: [] })
  const phone = `25677${String(5_000_000 + ++phones)}`
  await fixture.exec(
    sql`update app_user set phone = ${phone}, job_no = ${`NP${1000 + phones}`} where user_no = ${userNo}`,
  )
  await fixture.exec(
    sql`update role set post = 'collector' where role_no in (select role_no from user_role where user_no = ${userNo})`,
  )
  return userNo
}

export const asked = async (fixture: Fixture, more: Input = {}): Promise<Input> => ({
  userNos: [await collectorOf(fixture)],
  amount: airtime,
  purposeMonth: fixture.clock.now().toISOString().slice(0, 7),
  ...more,
})

/** Airtime that the second person asked for. */
export const applied = async (fixture: Fixture, more: Input = {}, as = fixture.second): Promise<string> => {
  const { phoneBillNos } = await done(fixture, phoneBill.submit, await asked(fixture, more), as)
  return (phoneBillNos as [string])[0]
}

type Answer = Fixture['network']['sends'][number]

/** What waits to be sent goes first, so that the scripted answer is for what follows. */
const scripted = async (fixture: Fixture, answer?: Answer): Promise<void> => {
  await fixture.worker.drain()
  if (answer) fixture.network.sends.push(answer)
}

/** Airtime that was agreed to and sent; the vendor gives its scripted answer, else only that it has it. */
export const sent = async (fixture: Fixture, answer?: Answer): Promise<string> => {
  const no = await applied(fixture)
  await scripted(fixture, answer)
  await done(fixture, phoneBill.approve, { phoneBillNos: [no] })
  await fixture.worker.drain()
  return no
}
export const failed = (fixture: Fixture) => sent(fixture, refused())

/** Sent once more after it failed. */
export const sentAgain = async (fixture: Fixture, answer?: Answer): Promise<string> => {
  const no = await failed(fixture)
  await scripted(fixture, answer)
  await done(fixture, phoneBill.retry, { phoneBillNos: [no] })
  await fixture.worker.drain()
  return no
}

export const ofBill = async (fixture: Fixture, phoneBillNo: string, more: Input = {}): Promise<Input> => ({
  phoneBillNo,
  version: await fixture.versionOf('phoneRecharge', phoneBillNo),
  ...more,
})

/** The vendor proves what became of a send. */
export const proves = async (fixture: Fixture, no: string, what: 'paid' | 'refused', n = 1): Promise<void> => {
  const { payee } = await fixture.one(
    sql<{ payee: string }>`select payee from gateway_attempt where external_id = ${`${no}-${n}`}`,
  )
  const proved = what === 'paid' ? paid({ payee, amount: airtime, serialNo: fresh('AT') }) : refused()
  const said = { externalId: `${no}-${n}`, status: fresh('S'), payee, signature: 'good', proved }
  await calls(fixture, { channel: 'airtime', ...said })
}

export default facts({})
