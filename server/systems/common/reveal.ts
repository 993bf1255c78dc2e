import { type RawBuilder, sql } from 'kysely'
import { contract, endpoints } from '../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../core/contract/endpoint.ts'
import { revealables, revealKey } from '../../../core/contract/revealable.ts'
import { people } from '../../../core/contract/user/people.ts'
import { noteReveal } from '../../http/defence/sensitive-reads.ts'
import { Fault, invalid, notFound } from '../../http/fault.ts'
import { type Served, serve } from '../../http/serve.ts'
import { peopleScope } from '../../rights/people-scope.ts'
import { scope } from '../../rights/scope.ts'
import { sensitiveSettings } from '../../rights/sensitive-fields.ts'
import type { Session } from '../../session/session.ts'
import { accountScope } from '../after-loan/fund-account/index.ts'
import { walletScope } from '../after-loan/wallet/index.ts'
import { refundScope } from '../charge/refund/index.ts'
import { blockSeen } from '../merchant/contact-block/index.ts'
import { phoneBillSeen } from '../operation/phone-bill/index.ts'
import { codeRule } from '../operation/verify-code/index.ts'
import { orderScope } from '../order/order/index.ts'

type Input = ParsedOf<typeof contract.common.reveal>
type Frag = RawBuilder<unknown>
type Place = {
  from: Frag
  key: Frag
  /** The data rule, widest of the caller: a single read by number. */
  rule: (session: Session) => Frag
  /** By the names that contracts declare; {@link revealables} has the codes. */
  columns: Readonly<Record<string, Frag>>
  /** Where a number names several rows: the newest of those that the caller may see. */
  newest?: Frag
}

/** Where each sensitive value is kept, and whose record it is. */
const places: Record<Input['objectType'], Place> = {
  order: {
    from: sql`loan_order o join order_customer c using (customer_no, merchant_no)`,
    key: sql`o.order_no`,
    rule: orderScope,
    columns: {
      phone: sql`c.phone`,
      idNumber: sql`c.id_number`,
      walletAccount: sql`o.wallet_account`,
      bankCardNo: sql`o.bank_card_no`,
    },
  },
  customer: {
    from: sql`order_customer c`,
    newest: sql`c.updated_time`,
    key: sql`c.customer_no`,
    columns: { phone: sql`c.phone`, idNumber: sql`c.id_number` },
    rule: session =>
      sql`exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.merchant_no = c.merchant_no and ${orderScope(session)})`,
  },
  contact: {
    from: sql`order_contact oc join loan_order o using (order_no)`,
    key: sql`oc.contact_no`,
    rule: orderScope,
    columns: { contactPhone: sql`oc.contact_phone` },
  },
  loanCode: {
    from: sql`loan_code lc join loan_order o using (order_no)`,
    key: sql`lc.loan_code`,
    rule: orderScope,
    columns: { walletAccount: sql`lc.wallet_account`, bankCardNo: sql`lc.bank_card_no` },
  },
  user: {
    from: sql`app_user u`,
    key: sql`u.user_no`,
    columns: { phone: sql`u.phone` },
    rule: session => peopleScope(session, people.page.perm as string),
  },
  verifyCode: {
    from: sql`verify_code v`,
    key: sql`v.code_no`,
    columns: { phone: sql`v.phone` },
    rule: codeRule,
  },
  fundAccount: {
    from: sql`fund_account fa`,
    key: sql`fa.fund_account_no`,
    columns: { accountNumber: sql`fa.account_number` },
    rule: session => accountScope(session, sql`fa.fund_account_no`),
  },
  contactBlock: {
    from: sql`contact_block b`,
    key: sql`b.block_no`,
    columns: { phone: sql`b.phone` },
    rule: session => blockSeen(session, 'b'),
  },
  flow: {
    from: sql`repay_flow f`,
    key: sql`f.flow_no`,
    columns: { payerAccount: sql`f.payer_account` },
    rule: session => scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`) }),
  },
  phoneBill: {
    from: sql`phone_recharge p join app_user u using (user_no)`,
    key: sql`p.phone_bill_no`,
    columns: { phone: sql`p.phone` },
    rule: phoneBillSeen,
  },
  withdrawal: {
    from: sql`wallet_withdrawal w`,
    key: sql`w.withdraw_no`,
    columns: { walletAccount: sql`w.wallet_account` },
    rule: session => walletScope(session, 'w'),
  },
  refund: {
    from: sql`client_refund r`,
    key: sql`r.refund_no`,
    columns: { payeeAccount: sql`r.payee_account`, sourceAccount: sql`r.source_account` },
    rule: session => refundScope(session),
  },
}

const declared = revealables(endpoints.map(({ endpoint }) => endpoint))
for (const { objectType, field } of declared.values())
  if (!places[objectType].columns[field]) throw new Error(`${objectType}.${field} can be revealed and is kept nowhere`)

/** One value in full for one pair of eyes: the access log has it before the answer does. */
export const reveal: Served = serve(contract.common.reveal, async ({ tx, session, actor, input, proven }) => {
  const { kind, objectType, objectNo, field, reason, route } = input
  if (!session.sensitive.has(`pii:reveal:${kind}`)) throw new Fault('forbidden', 'errors.forbidden')
  const known = declared.get(revealKey(input))
  const place = places[objectType]
  const column = place.columns[field]
  if (known?.kind !== kind || !column) throw invalid('field', 'validation.wrongValue')
  if (![...known.perms].some(perm => session.perms.has(perm))) throw new Fault('forbidden', 'errors.forbidden')
  const [settings] = await sensitiveSettings(tx, [kind])
  if (settings?.reasonRequired && !reason) throw invalid('reason', 'validation.revealReason')
  if (settings?.codeRequired) await proven(`pii:reveal:${kind}`)
  const found = await tx.maybe(
    sql<{
      value: string | null
    }>`select ${column} as value from ${place.from} where ${place.key} = ${objectNo} and ${place.rule(session)}
      order by ${place.newest ?? sql`1`} desc limit 1`,
  )
  if (!found) throw notFound()
  const refusal = await noteReveal(tx, actor, { objectType, objectNo, field, kind, reason, route }, !found.value)
  return refusal ?? found.value
})
