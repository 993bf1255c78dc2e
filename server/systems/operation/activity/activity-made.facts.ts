import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts, type MerchantNo } from '../../../testing/facts.ts'
import { paid } from '../../after-loan/payout/payout-fixture.ts'
import type { AwardRow } from './store.ts'

const { activity } = contract
let made = 0
const day = 86_400_000

const from = (fixture: Fixture, days: number) => new Date(fixture.clock.now().getTime() + days * day).toISOString()

/** An activity that gives wallet money for first loans, unless said otherwise. */
export const activityForm = (at: (days: number) => string, change: object = {}) => ({
  activityName: `Karibu ${++made}`,
  activityType: 'first_loan',
  merchantNos: ['M1'],
  appCodes: ['BodaCash'],
  startTime: at(-1),
  endTime: at(30),
  budgetAmount: '100000.00',
  awardsPerCustomer: 3,
  tasks: [{ taskKey: 'first_loan', taskThreshold: 1, awardKind: 'wallet', awardAmount: '2000.00' }],
  ruleText: { zh: '首笔放款奖励', en: 'A reward for the first loan', sw: 'Zawadi ya mkopo wa kwanza' },
  ...change,
})
export const formAt = (fixture: Fixture, change: object = {}) => activityForm(days => from(fixture, days), change)

/** An activity that is not on yet. */
export const drafted = async (fixture: Fixture, change: object = {}): Promise<string> =>
  String((await done(fixture, activity.save, formAt(fixture, change))).key)

/** Asks for an activity to be switched on; the second person has yet to agree where money is given. */
export const asked = async (fixture: Fixture, activityNo: string): Promise<string | null> => {
  const version = await fixture
    .one(sql<{ version: number }>`select version from activity where activity_no = ${activityNo}`)
    .then(row => row.version)
  const { approvalNo } = await done(fixture, activity.state, { activityNo, enabled: true, version })
  return approvalNo === null ? null : String(approvalNo)
}

/** An activity that is on. */
export const running = async (fixture: Fixture, change: object = {}): Promise<string> => {
  const activityNo = await drafted(fixture, change)
  const approvalNo = await asked(fixture, activityNo)
  if (approvalNo) await fixture.agree(approvalNo)
  return activityNo
}

/** No activity runs any more, so that the next one alone rewards. */
export const quiet = (fixture: Fixture) =>
  fixture.exec(
    sql`update activity set end_time = start_time + interval '1 minute' where end_time > ${fixture.clock.now()}`,
  )

/** A merchant and its app. */
const placeOf = async (fixture: Fixture, merchantNo: MerchantNo) => {
  const { app } = await fixture.one(
    sql<{ app: string }>`select app_name as app from merchant where merchant_no = ${merchantNo}`,
  )
  return { merchantNos: [merchantNo], appCodes: [app] }
}

export const awardsOf = (fixture: Fixture, activityNo: string): Promise<AwardRow[]> =>
  fixture.db.read(tx =>
    tx.rows(
      sql<AwardRow>`select * from activity_award where activity_no = ${activityNo} order by award_status, award_no`,
    ),
  )

/** A reward in the wallet of a customer. */
export const given = async (
  fixture: Fixture,
  change: object = {},
  merchantNo: MerchantNo = 'M1',
): Promise<AwardRow> => {
  await quiet(fixture)
  const activityNo = await running(fixture, { ...(await placeOf(fixture, merchantNo)), ...change })
  await fixture.disbursed(merchantNo)
  const [award] = await awardsOf(fixture, activityNo)
  if (!award) throw new Error('no reward was given')
  return award
}

let serials = 0
/** A loan paid out to somebody who applied from the device of another order. */
export const sameDevice = async (fixture: Fixture, orderNo: string, merchantNo: MerchantNo = 'M1') => {
  const one = await fixture.approved(merchantNo)
  await fixture.exec(sql`
    update loan_order set device = (select device from loan_order where order_no = ${orderNo}) where order_no = ${one.orderNo}`)
  const { walletAccount } = await fixture.one(
    sql<{ walletAccount: string }>`select wallet_account from loan_code where loan_code = ${one.loanCode}`,
  )
  fixture.network.sends.push(paid({ serialNo: `AW${++serials}`, payee: walletAccount }) as never)
  await fixture.worker.drain()
  return one
}

/** A reward that is held, as its customer shares a device with another. */
export const held = async (fixture: Fixture, change: object = {}, merchantNo: MerchantNo = 'M1'): Promise<AwardRow> => {
  const first = await given(fixture, change, merchantNo)
  await sameDevice(fixture, first.orderNo, merchantNo)
  const found = (await awardsOf(fixture, first.activityNo)).find(award => award.awardStatus === 'held')
  if (!found) throw new Error('no reward was held')
  return found
}

export default facts({})
