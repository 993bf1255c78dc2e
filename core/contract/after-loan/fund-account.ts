import { z } from 'zod'
import { bankCardNoFormat, phoneFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'
import { signedMoney } from './signed-money.ts'

/** What an account of ours is for. */
export const accountRoles = dictionary('ACCOUNT_ROLE', ['payout', 'collection', 'both'])
/** The two halves of the accounts, each with a screen of its own; an account for both is in both. */
const accountUses = dictionary('ACCOUNT_USE', ['payout', 'collection'])

type Values = Readonly<Record<string, unknown>>

const timesFormat = /^([01]\d|2[0-3]):[0-5]\d(, ?([01]\d|2[0-3]):[0-5]\d){0,5}$/
/** The times of day in a text like `09:00, 15:30`, each once and in their order. */
export const timesIn = (text: string): string[] => [...new Set(text.split(/, ?/))].sort()

const flaw = ({ channel, accountRole, accountNumber, bankName, branch, sendingTimes }: Values): Flaw | null => {
  const wrong = (path: string, message: string): Flaw => ({ path, message })
  if (channel === 'airtime' && accountRole !== undefined && accountRole !== 'payout')
    return wrong('accountRole', 'validation.wrongValue')
  if (typeof accountNumber === 'string' && channel === 'bank_file' && !bankCardNoFormat.test(accountNumber))
    return wrong('accountNumber', 'validation.bankCardNo')
  if (typeof accountNumber === 'string' && channel !== 'bank_file' && !phoneFormat.test(accountNumber))
    return wrong('accountNumber', 'validation.phoneFormat')
  if (channel === 'bank_file' && !bankName) return wrong('bankName', 'validation.infoComplete')
  if (channel === 'bank_file' && !branch) return wrong('branch', 'validation.infoComplete')
  return typeof sendingTimes === 'string' && !timesFormat.test(sendingTimes)
    ? wrong('sendingTimes', 'validation.clockTimes')
    : null
}

const form = {
  lenderName: field.text(),
  accountName: field.text(),
  accountRole: field.dict(accountRoles),
  merchantNos: z.array(field.merchant()).min(1).max(1_000),
  bankName: field.text().optional(),
  branch: field.text().optional(),
  /** The EAT times at which the payout file of a bank account is made; without any it is made by hand. */
  sendingTimes: field.text(60).optional(),
  minBalance: field.money(),
  /** Most that leaves the account on one day; 0 for no limit. */
  dailyCap: field.money(),
}

const ofBank = ({ channel }: Values) => channel === 'bank_file'

/** Wallets and bank accounts of ours, from which loans are paid out and to which customers repay. */
export const fundAccounts = config({
  name: 'fundAccount',
  path: '/payManage/account',
  area: 'fund:account',
  codes: { delete: 'fund:account:save' },
  table: 'fund_account',
  key: 'fundAccountNo',
  row: {
    ...form,
    bankName: field.text().nullable(),
    branch: field.text().nullable(),
    sendingTimes: field.text(60).nullable(),
    channel: field.dict(channels),
    accountNumber: field.masked('bankCardNo', 'fundAccount'),
    merchantNames: z.array(field.text()),
    ledgerBalance: signedMoney(),
    /** Payouts sent from it whose outcome is not known. */
    inFlight: field.money(),
    /** What the channel said last that it holds, and when. */
    channelBalance: field.money().nullable(),
    channelBalanceTime: field.time().nullable(),
    /** Left or is leaving today. */
    usedToday: field.money(),
    /** Of receipts on it that are not written off. */
    unappliedTotal: field.money(),
    lastReceiptTime: field.time().nullable(),
    /** Payouts that wait for it, and those under way. */
    waitingCodes: field.int(),
    runningCodes: field.int(),
  },
  form,
  create: {
    channel: field.dict(channels),
    /** 256 and nine digits of a wallet, 6 to 20 digits of a bank. */
    accountNumber: field.key(20),
    /** Booked when a second person agrees to the account. */
    openingBalance: field.money().optional(),
  },
  applies: { bankName: ofBank, branch: ofBank, sendingTimes: ofBank },
  flaw,
  filters: {
    accountUse: field.dict(accountUses).optional(),
    lenderName: field.text().optional(),
    merchantNo: z.array(field.merchant()).optional(),
    channel: z.array(field.dict(channels)).optional(),
    bankName: field.text().optional(),
    accountNumber: field.key(20).optional(),
    belowMinimum: field.flag().optional(),
  },
  sort: ['accountName', 'ledgerBalance'],
  checked: true,
  money: 'moves',
  used: true,
})

const perm = fundAccounts.codes.page
const one = { fundAccountNo: field.key() }

const Movement = z.object({
  lineNo: z.int(),
  journalNo: field.int(),
  postedTime: field.time(),
  postingCode: field.openDict('POSTING'),
  amount: signedMoney(),
  objectNo: field.key().nullable(),
})

const BalanceDay = z.object({
  date: field.date(),
  /** At the end of the day. */
  ledgerBalance: signedMoney(),
})
export type BalanceDay = z.output<typeof BalanceDay>

/** Calls of own accounts: those of the config, what moved on them, and what the channel says of them. */
export const fundAccount = noun('after-loan/fund-account', {
  ...fundAccounts.calls,
  /** The last bookings of an account. */
  movements: read('/payManage/account/movement', {
    perm,
    input: one,
    output: z.object({ list: z.array(Movement).max(20) }),
  }),
  /** Balances of the last 30 days. */
  balanceLine: read('/payManage/account/balanceLine', {
    perm,
    input: one,
    output: z.object({ list: z.array(BalanceDay) }),
  }),
  /** Asks the channel what it holds for us and whose account it is. */
  check: command({
    path: '/payManage/account/check',
    perm: 'fund:account:save',
    audit: 'fundAccount.check',
    input: z.strictObject(one),
    output: z.object({
      channelBalance: field.money(),
      channelBalanceTime: field.time(),
      holderName: field.text().nullable(),
    }),
  }),
})
