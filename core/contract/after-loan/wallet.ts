import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { walletWithdrawal } from '../../rules/machines/after-loan/wallet-withdrawal.ts'
import { blockedBy } from '../blocked.ts'
import { ConfirmRow } from '../charge/refund-rows.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'
import { Attempt, Journal, payoutFailTypes } from './loan.ts'
import { signedMoney } from './signed-money.ts'

/** What a customer was rewarded for. */
export const rewardTypes = dictionary('REWARD_TYPE', ['invite', 'task', 'activity', 'manual'])
/** What changed a wallet: a reward, money taken out, or money of a cancelled withdrawal that came back. */
export const walletEntryKinds = dictionary('WALLET_ENTRY_KIND', ['reward', 'withdrawal', 'returned', 'taken_back'])

const page = 'wallet:record:page'
const money = field.money

/** One reward that a customer earned. */
export const RewardRow = z.object({
  rewardNo: field.key(),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantName: field.text(),
  rewardType: field.dict(rewardTypes),
  activityType: field.text(),
  rewardAmount: money(),
  rewardTime: field.time(),
  /** The wallet after it. */
  walletBalance: money(),
  /** The order or the task that it was earned by. */
  sourceNo: field.key(64),
})
export type RewardRow = z.output<typeof RewardRow>

/** One withdrawal of rewards to the phone of the customer. */
export const WithdrawalRow = z.object({
  withdrawNo: field.key(),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantName: field.text(),
  withdrawAmount: money(),
  walletAccount: field.masked('walletAccount', 'withdrawal'),
  channel: field.dict(channels),
  withdrawStatus: field.state(walletWithdrawal),
  /** For how long its money is on the way; null while it is not. */
  runningMinutes: field.minutes().nullable(),
  attemptNo: field.int(),
  failType: field.dict(payoutFailTypes).nullable(),
  failReason: field.text().nullable(),
  confirmStatus: field.state(confirmRecord).nullable(),
  serialNo: field.key().nullable(),
  cancelReason: field.text().nullable(),
  createdTime: field.time(),
  finishTime: field.time().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type WithdrawalRow = z.output<typeof WithdrawalRow>

const Entry = z.object({
  entryNo: z.int(),
  entryTime: field.time(),
  entryKind: field.dict(walletEntryKinds),
  reference: field.key(),
  merchantName: field.text(),
  entryAmount: signedMoney(),
  walletBalance: money(),
})
const Event = z.object({
  at: field.time(),
  event: field.event(walletWithdrawal, confirmRecord),
  from: z.string(),
  to: z.string(),
  machine: z.string(),
  actorName: z.string(),
})

const whose = {
  customerNo: field.key().optional(),
  phone: field.phone().optional(),
  merchantNo: z.array(field.merchant()).optional(),
}
const one = { withdrawNo: field.key(), version: z.int() }
const standing = z.object({ withdrawNo: z.string(), withdrawStatus: field.state(walletWithdrawal), version: z.int() })
const on = (event: string, key = 'withdrawNo') => ({ machine: walletWithdrawal, event, key })

/** Rewards of customers, and what became of the money that they took out. */
export const wallet = noun('after-loan/wallet', {
  rewards: list('/wallet/reward/page', {
    perm: page,
    row: RewardRow,
    filters: {
      rewardNo: field.key().optional(),
      ...whose,
      rewardType: z.array(field.dict(rewardTypes)).optional(),
      activityType: field.text(64).optional(),
      rewardAmount: field.moneyRange().optional(),
      rewardTime: field.dateRange().optional(),
    },
    totals: ['rewardAmount'],
    sort: ['rewardTime', 'rewardAmount'],
    defaultSort: '-rewardTime',
    exported: { as: 'walletRewards', perm: 'wallet:withdrawal:export' },
  }),
  withdrawals: list('/wallet/withdrawal/page', {
    perm: page,
    row: WithdrawalRow,
    filters: {
      withdrawNo: field.key(2000).optional(),
      serialNo: field.key(2000).optional(),
      ...whose,
      withdrawStatus: z.array(field.state(walletWithdrawal)).optional(),
      channel: field.dict(channels).optional(),
      withdrawAmount: field.moneyRange().optional(),
      runningMinutes: field.intRange().optional(),
      createdTime: field.dateRange().optional(),
    },
    totals: ['withdrawAmount'],
    sort: ['createdTime', 'withdrawAmount'],
    defaultSort: '-createdTime',
    exported: { as: 'walletWithdrawals', perm: 'wallet:withdrawal:export' },
  }),
  /** What a customer has, and how it came to be. */
  statement: read('/wallet/{customerNo}', {
    perm: page,
    input: { customerNo: field.key() },
    output: z.object({
      customerNo: field.key(),
      customerName: field.customerName(),
      walletBalance: money(),
      /** What is on its way to the customer, or waits for somebody to send it again. */
      withdrawing: money(),
      entries: z.array(Entry),
    }),
  }),
  withdrawal: read('/wallet/withdrawal/{withdrawNo}', {
    perm: page,
    input: { withdrawNo: field.key() },
    output: z.object({
      withdrawal: WithdrawalRow,
      attempts: z.array(Attempt),
      confirms: z.array(ConfirmRow),
      history: z.array(Event),
      journals: z.array(Journal),
    }),
  }),
  retry: command({
    path: '/wallet/withdrawal/retry',
    perm: 'fund:payout:retry',
    audit: 'wallet.retry',
    money: 'moves',
    on: on('wallet.retry', 'withdrawNos'),
    input: z.strictObject({ withdrawNos: z.array(field.key()).min(1).max(500) }),
    output: results,
  }),
  cancel: command({
    path: '/wallet/withdrawal/cancel',
    perm: 'fund:payout:cancel',
    audit: 'wallet.cancel',
    money: 'moves',
    on: on('wallet.cancel'),
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
  query: command({
    path: '/wallet/withdrawal/query',
    perm: page,
    audit: 'wallet.ask',
    money: 'moves',
    input: z.strictObject({ withdrawNo: field.key() }),
    output: z.object({ withdrawStatus: field.state(walletWithdrawal), answer: z.string() }),
  }),
  confirm: command({
    path: '/wallet/withdrawal/confirm',
    perm: 'fund:payout:confirm',
    audit: 'wallet.confirm',
    money: 'moves',
    stepUp: true,
    on: on('manual.confirm'),
    input: z.strictObject({
      ...one,
      result: z.enum(['success', 'failure']).meta({ kind: 'dict', dict: 'CONFIRM_RESULT' }),
      serialNo: field.key(64).optional(),
      statementDate: field.date(),
      /** The statement that shows it. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ confirmStatus: field.state(confirmRecord), withdrawStatus: field.state(walletWithdrawal) }),
  }),
  /** The app of a merchant, which signs as it signs applications: a customer takes rewards out, once under the number that the app gave. */
  withdraw: endpoint({
    method: 'POST',
    path: '/open/wallet/withdraw',
    auth: 'merchant',
    audit: 'wallet.withdraw',
    money: 'moves',
    on: on('wallet.withdraw', 'requestNo'),
    input: z.strictObject({ requestNo: field.key(64), customerNo: field.key(), withdrawAmount: money() }),
    output: standing.omit({ version: true }).extend({ walletBalance: money() }),
  }),
})
