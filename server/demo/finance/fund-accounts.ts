import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { merchants } from '../world.ts'
import type { FinanceDesk } from './desk.ts'

const { fundAccount } = contract
const [first] = merchants
const all = merchants.map(one => one.merchantNo)
const bank = { channel: 'bank_file', branch: 'Kampala Road', dailyCap: '0.00' } as const

const accounts = [
  {
    ...bank,
    lenderName: 'Nile Credit Uganda',
    accountName: 'Stanbic payout',
    accountRole: 'payout',
    merchantNos: all,
    accountNumber: '9030001122334',
    bankName: 'Stanbic Bank',
    sendingTimes: '10:00, 15:00',
    minBalance: '10000000.00',
    openingBalance: '250000000.00',
  },
  {
    lenderName: 'Lakeside Capital',
    accountName: 'Lakeside Airtel payout',
    accountRole: 'payout',
    merchantNos: [first.merchantNo],
    channel: 'airtel_money',
    accountNumber: '256750000009',
    minBalance: '8000000.00',
    dailyCap: '20000000.00',
    openingBalance: '3500000.00',
  },
  {
    ...bank,
    lenderName: 'Lakeside Capital',
    accountName: 'Centenary collection',
    accountRole: 'collection',
    merchantNos: all,
    accountNumber: '3100045678',
    bankName: 'Centenary Bank',
    minBalance: '0.00',
    openingBalance: '0.00',
  },
  {
    lenderName: 'Nile Credit Uganda',
    accountName: 'Airtel collection (old)',
    accountRole: 'collection',
    merchantNos: all,
    channel: 'airtel_money',
    accountNumber: '256750000005',
    minBalance: '0.00',
    dailyCap: '0.00',
    openingBalance: '0.00',
  },
] as const

/** Accounts of two lenders beside those that the orders moved on: one below its minimum, one off, one with a cap that waits. */
export const writeFundAccounts = async ({ tx, call, agree }: FinanceDesk): Promise<void> => {
  const keys: string[] = []
  for (const account of accounts) keys.push(String((await call(fundAccount.save, account as never)).key))
  for (const fundAccountNo of keys.slice(0, -1)) {
    const { approvalNo } = await call(fundAccount.state, { fundAccountNo, enabled: true, version: 0 } as never)
    await agree(approvalNo)
  }
  const [payout] = await tx.rows(
    sql<{ version: number }>`select version from fund_account where fund_account_no = ${keys[0]}`,
  )
  const { channel, accountNumber, openingBalance, ...form } = accounts[0]
  const input = { ...form, fundAccountNo: keys[0], version: payout?.version, dailyCap: '100000000.00' }
  await call(fundAccount.save, input as never)
}
