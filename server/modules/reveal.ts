import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { ParsedOf } from '../../core/contract/endpoint.ts'
import type { SensitiveKind } from '../../core/contract/fields.ts'
import type { Tx } from '../db/database.ts'
import { Fault, invalid, notFound } from '../fault.ts'
import { scope } from '../scope.ts'
import { type Served, serve } from '../serve.ts'
import type { Session } from '../session.ts'
import { orderScope } from './order-source.ts'

type Input = ParsedOf<typeof contract.common.reveal>
type Frag = RawBuilder<unknown>
type Place = {
  from: Frag
  key: Frag
  /** The data rule, widest of the caller: a single read by number. */
  rule: (session: Session) => Frag
  /** Reading the record at all takes one of these. */
  perms: readonly string[]
  columns: Partial<Record<SensitiveKind, Frag>>
}

const orderPerms = [
  'order:detail:view',
  'audit:allot:page',
  'audit:self:page',
  'audit:manage:page',
  'fund:payout:page',
  'repay:order:page',
]

/** Where each sensitive value is kept, and whose record it is. */
const places: Record<Input['objectType'], Place> = {
  order: {
    from: sql`loan_order o join customer c using (customer_no)`,
    key: sql`o.order_no`,
    rule: orderScope,
    perms: orderPerms,
    columns: {
      phone: sql`c.phone`,
      idNumber: sql`c.id_number`,
      walletAccount: sql`o.wallet_account`,
      bankCardNo: sql`o.bank_card_no`,
    },
  },
  customer: {
    from: sql`customer c`,
    key: sql`c.customer_no`,
    perms: orderPerms,
    columns: { phone: sql`c.phone`, idNumber: sql`c.id_number` },
    rule: session =>
      sql`exists (select 1 from loan_order o where o.customer_no = c.customer_no and ${orderScope(session)})`,
  },
  contact: {
    from: sql`order_contact oc join loan_order o using (order_no)`,
    key: sql`oc.contact_no`,
    rule: orderScope,
    perms: ['order:detail:view'],
    columns: { phone: sql`oc.contact_phone` },
  },
  loanCode: {
    from: sql`loan_code lc join loan_order o using (order_no) join customer c using (customer_no)`,
    key: sql`lc.loan_code`,
    rule: orderScope,
    perms: ['fund:payout:page', 'order:detail:view'],
    columns: { phone: sql`c.phone`, walletAccount: sql`lc.wallet_account`, bankCardNo: sql`lc.bank_card_no` },
  },
  flow: {
    from: sql`repay_flow f`,
    key: sql`f.flow_no`,
    perms: ['repay:flow:list', 'repay:order:page'],
    columns: { walletAccount: sql`f.payer_account`, phone: sql`f.payer_account` },
    rule: session => scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`) }),
  },
}

const caps = [
  { seconds: 3_600, values: 60 },
  { seconds: 86_400, values: 300 },
]

/** At most 60 values an hour and 300 a day; the caller is locked, so that calls at the same time count one another. */
const checkCap = async (tx: Tx, userNo: string): Promise<void> => {
  await tx.exec(sql`select 1 from app_user where user_no = ${userNo} for no key update`)
  for (const { seconds, values } of caps) {
    const since = new Date(tx.now.getTime() - seconds * 1000)
    const { count, oldest } = await tx.one(sql<{ count: number; oldest: string | null }>`
      select count(*)::int as count, min(at) as oldest from access_log where user_no = ${userNo} and access_kind = 'reveal' and at > ${since}`)
    if (count >= values && oldest)
      throw new Fault('tooMany', 'errors.tooManyAttempts', {
        seconds: Math.ceil((Date.parse(oldest) + seconds * 1000 - tx.now.getTime()) / 1000),
      })
  }
}

/** One value in full for one pair of eyes: the access log has it before the answer does. */
export const reveal: Served = serve(contract.common.reveal, async ({ tx, session, actor, input }) => {
  const { kind, objectType, objectNo, field } = input
  const place = places[objectType]
  const column = place.columns[kind]
  if (!session.sensitive.has(`pii:reveal:${kind}`) || !place.perms.some(perm => session.perms.has(perm)))
    throw new Fault('forbidden', 'errors.forbidden')
  if (!column) throw invalid('kind', 'validation.wrongValue')
  const found = await tx.maybe(
    sql<{
      value: string | null
    }>`select ${column} as value from ${place.from} where ${place.key} = ${objectNo} and ${place.rule(session)}`,
  )
  if (!found) throw notFound()
  await checkCap(tx, session.userNo)
  tx.append('accessLog', {
    userNo: session.userNo,
    accessKind: 'reveal',
    objectType,
    objectNo,
    field,
    at: tx.now,
    ip: actor.ip,
    requestId: actor.requestId,
    partnerNo: actor.partnerNo,
  })
  return found.value
})
