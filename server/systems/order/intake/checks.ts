import { sql } from 'kysely'
import type { AcquireResult } from '../../../../core/contract/merchant/order-acquire.ts'
import type { MerchantFilter } from '../../../../core/contract/operation/merchant.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { amountRefusal, type Terms } from '../../../../core/rules/loan/terms.ts'
import { money } from '../../../../core/rules/money.ts'
import { pricedTerms } from '../../../../core/rules/risk-price.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { brokenCap, checkLegal } from '../../after-loan/payout/index.ts'
import { checkPaid } from '../../merchant/consumption/index.ts'
import {
  type AcquireRule,
  checkCap,
  checkHours,
  checkPerson,
  checkRunning,
  checkShare,
  type LoanKind,
  ruleFor,
} from '../../merchant/order-acquire/index.ts'
import { checkIntake, checkOpenOrder, type Intake } from '../../operation/merchant/index.ts'
import { type ListValues, listHitsOf } from '../../risk/name-list/index.ts'
import { reviewMode } from '../../risk/plan/index.ts'
import { gridsInForce } from '../../risk/pricing/index.ts'

export type Merchant = Intake & { merchantName: string }
type Product = { productNo: string; terms: Terms; versionNo: string | null }

/** An application with what is known of it so far. */
export type Asking = {
  tx: Tx
  input: Application
  merchant: Merchant
  lists: ListValues
  rule: AcquireRule | null
  /** Null while nobody has this ID number. */
  customerNo: string | null
  loanKind: LoanKind
  /** Filters that met it and only count. */
  hits: readonly MerchantFilter[]
  product: Product | null
}

const productOf = async (tx: Tx, merchantNo: string, { productNo, loanAmount }: Application): Promise<Product> => {
  const product = await tx.maybe(
    sql<Product>`
      select p.product_no, p.terms, v.version_no from product p
      left join product_version v on v.product_no = p.product_no and v.version_status = 'effective'
      where p.product_no = ${productNo} and p.merchant_no = ${merchantNo} and p.enabled = 'enabled' and p.terms is not null and p.deleted_time is null`,
  )
  if (!product) throw invalid('productNo', 'validation.wrongValue')
  const refusal = amountRefusal(product.terms, loanAmount)
  if (refusal) throw invalid('loanAmount', refusal.words, { step: refusal.step })
  return product
}

/** Which customers a merchant takes: any (-1), only those who never settled a loan with it (0), or with at least n settled. */
const checkTraffic = async (tx: Tx, { merchantNo, trafficLimit }: Merchant, customerNo: string): Promise<void> => {
  if (trafficLimit < 0) return
  const { settled } = await tx.one(sql<{ settled: number }>`
    select count(*)::int as settled from loan_order where customer_no = ${customerNo} and merchant_no = ${merchantNo} and settled_time is not null`)
  if (trafficLimit === 0 ? settled > 0 : settled < trafficLimit) throw new Fault('quota', 'errors.trafficLimit')
}

/** Whether the merchant has had an application of this person before; who has none would be registered by this one. */
const checkRegistered = async (
  tx: Tx,
  { merchantNo, registerAllowed }: Merchant,
  customerNo: string,
): Promise<void> => {
  if (registerAllowed) return
  const known = await tx.maybe(sql`
    select 1 from merchant_customer where merchant_no = ${merchantNo} and customer_no = ${customerNo}`)
  if (!known) throw new Fault('quota', 'errors.registrationClosed')
}

/** Whom people have put on a black list by hand is not taken at all; other lists are met by machine review. */
const checkListed = async (tx: Tx, lists: ListValues, merchantNo: string, input: Application): Promise<void> => {
  const { customer, payout, device } = input
  const { phone, idNumber } = customer
  const named = { phone, idNumber, walletAccount: payout.walletAccount, deviceId: device.deviceId }
  const hits = await listHitsOf(tx, lists, { merchantNo, named })
  if (hits.some(hit => hit.byHand && hit.listEffect === 'refuse')) throw new Fault('quota', 'errors.notAccepted')
}

/** A product takes orders while one of its prices is lawful; which one an order gets, its review decides. */
const checkServes = async (
  tx: Tx,
  { productNo, loanKind, terms }: { productNo: string; loanKind: string; terms: Terms },
  loanAmount: string,
): Promise<void> => {
  const [grid] = await gridsInForce(tx, sql`x.product_no = ${productNo} and x.loan_kind = ${loanKind}`)
  for (const cell of grid?.cells ?? []) if (!(await brokenCap(tx, pricedTerms(terms, cell), cell.amountMax))) return
  await checkLegal(tx, grid?.cells[0] ? pricedTerms(terms, grid.cells[0]) : terms, loanAmount)
}

type Check = { code: AcquireResult; ask: (asking: Asking) => Promise<void> | void }
/** Nobody has this number. */
const nobody = ''

/** What is asked of an application whose sender, format and number are right, in this order. */
export const checks: readonly Check[] = [
  {
    code: '103',
    ask: ({ tx, rule, merchant: { merchantNo }, input: { customer } }) =>
      checkPerson(tx, rule, { merchantNo, idNumber: customer.idNumber, phone: customer.phone }),
  },
  {
    code: '104',
    async ask({ tx, rule, merchant }) {
      if ((await reviewMode(tx)) === 'stop_intake') throw new Fault('forbidden', 'errors.intakeStopped')
      if (merchant.drain || merchant.enabled !== 'enabled') throw new Fault('forbidden', 'errors.merchantClosed')
      checkRunning(rule)
      await checkPaid(tx, 'order_accepted', merchant.merchantNo)
    },
  },
  { code: '105', ask: ({ tx, rule }) => checkHours(tx, rule) },
  { code: '106', ask: ({ tx, rule }) => checkCap(tx, rule) },
  { code: '107', ask: ({ tx, rule, loanKind }) => checkShare(tx, rule, loanKind) },
  {
    code: '108',
    async ask(asking) {
      const { tx, merchant, customerNo, input } = asking
      asking.hits = await checkIntake(tx, merchant, {
        customerNo: customerNo ?? nobody,
        deviceId: input.device.deviceId,
        account: input.payout.walletAccount,
        contacts: input.contacts.length,
      })
    },
  },
  {
    code: '109',
    async ask({ tx, merchant, customerNo }) {
      await checkRegistered(tx, merchant, customerNo ?? nobody)
      await checkTraffic(tx, merchant, customerNo ?? nobody)
    },
  },
  { code: '110', ask: ({ tx, lists, merchant, input }) => checkListed(tx, lists, merchant.merchantNo, input) },
  { code: '111', ask: ({ merchant, hits }) => checkOpenOrder(merchant, hits) },
  {
    code: '112',
    async ask(asking) {
      const { tx, merchant, input, loanKind } = asking
      const product = await productOf(tx, merchant.merchantNo, input)
      const { loanAmount } = quote(product.terms, { loanAmount: money(input.loanAmount) })
      await checkServes(tx, { ...product, loanKind }, loanAmount)
      asking.product = product
    },
  },
]

/** Who applies, as far as we know them: with a loan that was paid out, it is a repeat loan. */
const applicantOf = async (tx: Tx, { customer }: Application) => {
  const known = await tx.maybe(sql<{ customerNo: string; lent: boolean }>`
    select customer_no, exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.payout_time is not null) as lent
    from customer c where id_number = ${customer.idNumber.toUpperCase()}`)
  return { customerNo: known?.customerNo ?? null, loanKind: known?.lent ? ('repeat' as const) : ('first' as const) }
}

/** An application as the checks see it. */
export const askingOf = async (
  tx: Tx,
  { input, merchant, lists }: Pick<Asking, 'input' | 'merchant' | 'lists'>,
): Promise<Asking> => {
  const who = await applicantOf(tx, input)
  const rule = await ruleFor(tx, merchant.merchantNo, input, who.loanKind)
  return { tx, input, merchant, lists, rule, ...who, hits: [], product: null }
}

/** Gives a refusal the number that partners know it by. */
export const coded = async <T>(code: AcquireResult, ask: () => Promise<T> | T): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Fault) error.data = { ...(error.data as object | null), intakeCode: code }
    throw error
  }
}
