import { sql } from 'kysely'
import { type BalanceDay, fundAccounts, timesIn } from '../../../../core/contract/after-loan/fund-account.ts'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { gt, neg } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Item } from '../../../configs/config-hooks.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { GatewayUnavailable, type PayoutGateway } from '../../../gateways/gateway.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import type { Reader } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import { accountScope, accountSource } from './fund-account-source.ts'

const { fundAccount } = contract
const { page } = fundAccounts.codes
const shownDays = 30

type Account = Item & { fundAccountNo: string; lenderName: string; openingBalance: string; openingPosted: boolean }

/** What a new account holds comes into the books once, when a second person agrees to it. */
const bookOpening = async (tx: Tx, item: Account, actor: Actor) => {
  if (item.openingPosted) return
  await tx.exec(sql`update fund_account set opening_posted = true where fund_account_no = ${item.fundAccountNo}`)
  const amount = item.openingBalance
  if (!gt(amount, '0.00')) return
  const lines = [
    { account: account.bank(item.fundAccountNo), amount },
    { account: account.ownerFunds(item.lenderName), amount: neg(amount) },
  ]
  await post(tx, { code: 'P0', cause: `fund_account:${item.fundAccountNo}`, keys: {}, lines }, actor)
}

/** The last account that pays for a merchant stays on while payouts of that merchant wait. */
const keepLast = async (tx: Tx, { fundAccountNo }: Account) => {
  const left = await tx.maybe(sql<{ merchantName: string; n: number }>`
    select m.merchant_name, count(*)::int as n from fund_account fa
      join fund_account_merchant fm using (fund_account_no) join merchant m using (merchant_no)
      join loan_order o on o.merchant_no = m.merchant_no join loan_code lc on lc.order_no = o.order_no and lc.loan_code_status = 'created'
    where fa.fund_account_no = ${fundAccountNo} and fa.account_role in ('payout', 'both') and not exists (
      select 1 from fund_account other join fund_account_merchant om using (fund_account_no)
      where om.merchant_no = m.merchant_no and other.fund_account_no <> fa.fund_account_no and other.enabled = 'enabled' and other.account_role in ('payout', 'both'))
    group by m.merchant_name order by m.merchant_name limit 1`)
  if (left) throw new Fault('stateConflict', 'errors.lastPayoutAccount', { merchant: left.merchantName, n: left.n })
}

const config = serveConfig(fundAccounts, {
  prefix: 'FA',
  unique: 'accountNumber',
  source: accountSource,
  derived: values => ({
    ...('openingBalance' in values
      ? { openingBalance: values.openingBalance ?? '0.00', openingPosted: values.openingBalance == null }
      : {}),
    merchantNos: [...new Set((values.merchantNos ?? []) as readonly string[])].sort(),
    batchTimes: values.sendingTimes ? timesIn(String(values.sendingTimes)) : [],
  }),
  async check({ tx, session }, form, before) {
    const named = (form.merchantNos ?? []) as string[]
    const own = merchantsOf(session, page)
    const { known } = await tx.one(
      sql<{ known: number }>`select count(*)::int as known from merchant where merchant_no = any(${named})`,
    )
    if (known < new Set(named).size || (own && !named.every(no => own.includes(no))))
      throw invalid('merchantNos', 'validation.wrongValue')
    if (before?.channel === 'bank_file' || form.channel === 'bank_file')
      for (const name of ['bankName', 'branch']) if (!form[name]) throw invalid(name, 'validation.infoComplete')
  },
  async switches(tx, item, to) {
    if (to === 'disabled') await keepLast(tx, item as Account)
  },
  async turned(tx, item, to, actor) {
    if (to === 'enabled') await bookOpening(tx, item as Account, actor)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select f.fund_account_no as key, 'journal' as kind, min(l.journal_no)::text as no, f.account_name as name
      from fund_account f join journal_line l on l.account_code = 'bank:' || f.fund_account_no
      where f.fund_account_no = any(${[...keys]}) group by 1, 4`),
})

const seen = async ({ tx, session }: Reader, fundAccountNo: string) => {
  const found = await tx.maybe(sql<{
    fundAccountNo: string
    channel: string
    accountRole: string
    accountNumber: string
  }>`
    select x.fund_account_no, x.channel, x.account_role, x.account_number from fund_account x
    where x.fund_account_no = ${fundAccountNo} and x.deleted_time is null and ${accountScope(session, sql`x.fund_account_no`)}`)
  if (!found) throw notFound()
  return found
}

const movements = serve(fundAccount.movements, async call => {
  const { fundAccountNo } = await seen(call, call.input.fundAccountNo)
  return {
    list: await call.tx.rows(sql<OutputOf<typeof fundAccount.movements>['list'][number]>`
      select l.line_no, j.journal_no, j.posted_time, j.posting_code, l.amount, coalesce(l.loan_code, l.flow_no, j.order_no) as object_no
      from journal_line l join journal j using (journal_no) where l.account_code = ${account.bank(fundAccountNo)}
      order by l.line_no desc limit 20`),
  }
})

const balanceLine = serve(fundAccount.balanceLine, async call => {
  const { tx } = call
  const { fundAccountNo } = await seen(call, call.input.fundAccountNo)
  return {
    list: await tx.rows(sql<BalanceDay>`
      with moved as (
        select j.business_date as day, sum(l.amount) as amount from journal_line l join journal j using (journal_no)
        where l.account_code = ${account.bank(fundAccountNo)} group by 1)
      select d::date as date, coalesce((select sum(amount) from moved where day <= d::date), 0)::numeric(18,2) as ledger_balance
      from generate_series(${addDays(tx.today, 1 - shownDays)}::date, ${tx.today}::date, interval '1 day') d order by d`),
  }
})

type Said = { channelBalance: string; holderName: string | null }

const ask = async (gateway: PayoutGateway, accountNumber: string): Promise<Said | null> => {
  try {
    const channelBalance = await gateway.balance()
    return { channelBalance, holderName: (await gateway.verifyHolder(accountNumber))?.name ?? null }
  } catch (error) {
    if (error instanceof GatewayUnavailable) return null
    throw error
  }
}

/** Only the paying account of a network tells what it holds. */
const check = (payout: Deps['payout']) =>
  serveWork(fundAccount.check, {
    async before(call) {
      const held = await seen(call, call.input.fundAccountNo)
      const gateway = payout[held.channel as PayoutGateway['channel']]
      if (held.accountRole === 'collection' || held.channel === 'bank_file')
        throw new Fault('stateConflict', 'errors.channelTellsNothing')
      if (!gateway) throw new Fault('stateConflict', 'errors.channelNotSetUp')
      return { ...held, gateway }
    },
    work: async ({ gateway, fundAccountNo, accountNumber }) => ({
      fundAccountNo,
      said: await ask(gateway, accountNumber),
    }),
    async after({ tx, audit }, { fundAccountNo, said }) {
      if (!said) throw new Fault('stateConflict', 'errors.channelSilent')
      await tx.exec(sql`
        update fund_account set channel_balance = ${said.channelBalance}, channel_balance_time = ${tx.now}, holder_name = ${said.holderName}
        where fund_account_no = ${fundAccountNo}`)
      audit({ objectType: 'fundAccount', objectNo: fundAccountNo, after: said })
      return { ...said, channelBalanceTime: tx.now.toISOString() }
    },
  })

/** Own accounts: which pay loans out and which receive repayments, for which merchants. */
export const fundAccountModule = ({ payout }: Pick<Deps, 'payout'>): Module => ({
  ...config,
  served: [...config.served, movements, balanceLine, check(payout)],
})
