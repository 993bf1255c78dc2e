import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { merchants } from '../world.ts'
import type { FinanceDesk } from './desk.ts'

const { loanRoute } = contract
const [first] = merchants
const at = (fundAccountNo: string, weight = 100) => ({ fundAccountNo, weight })

/** Routes of wallets and banks, one for the large first loans of one merchant that waits for a second person, and one that is off. */
export const writeRoutes = async ({ tx, call, agree }: FinanceDesk): Promise<void> => {
  const bank = await tx.one(sql<{ no: string }>`
    select fund_account_no as no from fund_account where channel = 'bank_file' and account_role = 'payout' and enabled = 'enabled' limit 1`)
  const routes = [
    { routeName: 'MTN wallets', payoutType: 'wallet', network: 'mtn', targets: [at('FA1')], fallback: false },
    { routeName: 'Airtel wallets', payoutType: 'wallet', network: 'airtel', targets: [at('FA3')], fallback: false },
    { routeName: 'Banks', payoutType: 'bank', targets: [at(bank.no)], fallback: false },
    {
      routeName: 'Large first loans',
      merchantNos: [first.merchantNo],
      payoutType: 'wallet',
      loanKind: 'first',
      amountMin: '2000000.00',
      targets: [at('FA1')],
      fallback: true,
    },
    {
      routeName: 'Returning customers',
      payoutType: 'wallet',
      loanKind: 'repeat',
      targets: [at('FA1')],
      fallback: true,
    },
  ] as const
  for (const [index, route] of routes.entries()) {
    const { key } = await call(loanRoute.save, { ...route, priority: (index + 1) * 10 } as never)
    if (index === 4) continue
    const asked = await call(loanRoute.state, { routeNo: key, enabled: true, version: 0 } as never)
    if (index < 3) await agree(asked.approvalNo)
  }
}
