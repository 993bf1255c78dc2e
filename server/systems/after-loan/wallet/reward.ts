import { sql } from 'kysely'
import type { rewardTypes } from '../../../../core/contract/after-loan/wallet.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { lt, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { changeWallet, lockedWallet, takeOut } from './wallet-store.ts'

/** What somebody earned, and by which order or task; one source is rewarded once per kind and customer. */
export type Reward = {
  customerNo: string
  merchantNo: string
  rewardType: ValueOf<typeof rewardTypes>
  activityType: string
  sourceNo: string
  rewardAmount: Money
}

/** Puts a reward into a wallet (P12r); the same one again changes nothing. Answers its number. */
export const giveReward = async (tx: Tx, reward: Reward, actor: Actor): Promise<string> => {
  const { customerNo, merchantNo, rewardType, activityType, sourceNo, rewardAmount } = reward
  const balance = await lockedWallet(tx, customerNo)
  const given = await tx.maybe(sql<{ rewardNo: string }>`
    select reward_no from wallet_reward where reward_type = ${rewardType} and source_no = ${sourceNo} and customer_no = ${customerNo}`)
  if (given) return given.rewardNo
  const rewardNo = newNo('RW', tx.now)
  const change = { code: 'P12r', customerNo, merchantNo, reference: rewardNo, amount: rewardAmount } as const
  const walletBalance = await changeWallet(tx, balance, change, actor)
  await tx.exec(sql`
    insert into wallet_reward (reward_no, customer_no, merchant_no, reward_type, activity_type, source_no, reward_amount, wallet_balance, reward_time)
    values (${rewardNo}, ${customerNo}, ${merchantNo}, ${rewardType}, ${activityType}, ${sourceNo}, ${rewardAmount}, ${walletBalance}, ${tx.now})`)
  return rewardNo
}

/** Takes a reward out of its wallet again (P-REV), if the money is still in it. Answers whether it was. */
export const takeBackReward = async (tx: Tx, rewardNo: string, actor: Actor): Promise<boolean> => {
  const reward = await tx.one(sql<{ customerNo: string; merchantNo: string; rewardAmount: Money }>`
    select customer_no, merchant_no, reward_amount from wallet_reward where reward_no = ${rewardNo}`)
  const { customerNo, merchantNo, rewardAmount } = reward
  const balance = await lockedWallet(tx, customerNo)
  if (lt(balance, rewardAmount)) return false
  await takeOut(tx, balance, { customerNo, merchantNo, reference: rewardNo, amount: rewardAmount }, actor)
  return true
}
