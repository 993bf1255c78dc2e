import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { couponApp } from '../../../../core/contract/operation/coupon.ts'
import { type Money, mul } from '../../../../core/rules/money.ts'
import { promoLetters } from '../../../../core/rules/text/promo-code.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveSigned } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import type { ApprovalAction, Deps } from '../../../module.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { givable, worth } from './batch.ts'
import { issueCoupon } from './issue.ts'
import { templateSeen } from './template.ts'

const { coupon } = contract
const perm = 'operation:coupon:issue'
const codeLength = 8

const state = (
  tx: Tx,
) => sql`case when p.stopped_time is not null then 'stopped' when p.end_time <= ${tx.now}::timestamptz then 'ended'
  when p.used_count >= p.max_uses then 'used_up' when p.start_time > ${tx.now}::timestamptz then 'planned' else 'running' end`

/** Codes of the kinds of coupons that the reader sees. */
export const codeList = listed({
  list: coupon.codes,
  source: ({ tx, session }) => ({
    from: sql`promo_code p join coupon_template x on x.coupon_template_no = p.coupon_template_no`,
    alias: 'p',
    key: sql`p.promo_code`,
    where: templateSeen(session),
    columns: {
      couponName: sql`x.coupon_name`,
      faceAmount: sql`x.face_amount`,
      codeUses: sql`p.used_count`,
      promoState: state(tx),
    },
  }),
  blocked: async (_, rows) =>
    rows.map(
      (row): BlockedBy =>
        row.promoState === 'running' || row.promoState === 'planned'
          ? {}
          : { 'promoCode.stop': { reason: 'errors.promoOver', params: {} } },
    ),
})

const generate = serve(coupon.generate, async call => {
  const { tx, session, input, audit } = call
  const template = await givable(tx, session, input.couponTemplateNo)
  const { codeCount, commonCode = null, maxUses, startTime, endTime } = input
  if (Date.parse(endTime) <= tx.now.getTime()) throw invalid('endTime', 'validation.timePassed')
  if (commonCode && codeCount !== 1) throw invalid('codeCount', 'validation.oneCommonCode')
  await checkFree(tx, commonCode)
  const most = mul(template.faceAmount, String(codeCount * maxUses))
  const [only] = template.merchantNos
  const approvalNo = await requestApproval(call, {
    action: 'promoCode.generate',
    perm,
    objectType: 'promo_code',
    objectNo: template.couponTemplateNo,
    ...(template.merchantNos.length === 1 && only ? { merchantNo: only } : {}),
    version: 0,
    payload: { codeCount, commonCode, maxUses, startTime, endTime },
    summary: [
      { label: 'fields.couponName', before: null, after: template.couponName },
      { label: 'fields.codeCount', before: null, after: commonCode ?? String(codeCount) },
      { label: 'fields.maxUses', before: null, after: worth(maxUses, template.faceAmount) },
      { label: 'fields.totalAmount', before: null, after: most },
      { label: 'fields.startTime', before: null, after: startTime },
      { label: 'fields.endTime', before: null, after: endTime },
      { label: 'fields.reason', before: null, after: input.reason },
    ],
  })
  audit({ objectType: 'promo_code', objectNo: template.couponTemplateNo, after: { approvalNo, codeCount, maxUses } })
  return { approvalNo }
})

const checkFree = async (tx: Tx, commonCode: string | null) => {
  if (commonCode && (await tx.maybe(sql`select 1 from promo_code where promo_code = ${commonCode}`)))
    throw invalid('commonCode', 'errors.dataExists')
}

const drawn = () => Array.from({ length: codeLength }, () => promoLetters[randomInt(promoLetters.length)]).join('')

type Asked = { codeCount: number; commonCode: string | null; maxUses: number; startTime: string; endTime: string }

/** A second person agrees: the codes are drawn by lot, so that nobody can guess the next one. */
export const codeApproval: ApprovalAction = {
  action: 'promoCode.generate',
  perm,
  money: true,
  async execute(tx, { objectNo, payload, maker }) {
    const { codeCount, commonCode, maxUses, startTime, endTime } = payload as Asked
    await checkFree(tx, commonCode)
    for (let left = codeCount; left > 0; ) {
      const codes = commonCode ? [commonCode] : Array.from({ length: left }, drawn)
      left -= await tx.exec(sql`
        insert into promo_code (promo_code, coupon_template_no, max_uses, start_time, end_time, maker_name, created_time)
        select code, ${objectNo}, ${maxUses}, ${startTime}, ${endTime}, ${maker.name}, ${tx.now} from unnest(${codes}::text[]) code
        on conflict do nothing`)
    }
  },
}

type Code = {
  promoCode: string
  couponTemplateNo: string
  usedCount: number
  promoState: string
  version: number
}

const stopCode = serve(coupon.stopCode, async ({ tx, session, input, actor, audit }) => {
  const code = await tx.maybe(sql<Code>`
    select p.*, ${state(tx)} as promo_state from promo_code p join coupon_template x on x.coupon_template_no = p.coupon_template_no
    where p.promo_code = ${input.promoCode} and ${templateSeen(session)} for update of p`)
  if (!code) throw notFound()
  checkVersion(code, input.version)
  if (code.promoState !== 'running' && code.promoState !== 'planned')
    throw new Fault('stateConflict', 'errors.promoOver')
  await tx.exec(sql`
    update promo_code set stopped_time = ${tx.now}, stopped_by = ${actor.name}, version = version + 1 where promo_code = ${code.promoCode}`)
  audit({ objectType: 'promo_code', objectNo: code.promoCode, after: { stopped: true, usedCount: code.usedCount } })
  return { version: code.version + 1 }
})

/** One more use of a code, unless all are taken: counted and compared in one statement. */
const useOf = (tx: Tx, promoCode: string) =>
  tx.maybe(sql<{ couponTemplateNo: string }>`
    update promo_code set used_count = used_count + 1, version = version + 1
    where promo_code = ${promoCode} and used_count < max_uses and stopped_time is null and start_time <= ${tx.now} and end_time > ${tx.now}
    returning coupon_template_no`)

/** A customer types a code in the app: one that is unknown, over or used up is answered alike. */
export const redeem = ({ secretKey }: Pick<Deps, 'secretKey'>) => {
  const secrets = merchantSecrets(secretKey)
  return serveSigned(couponApp.redeem, {
    signer: (tx, request) => merchantSigner(tx, request, secrets),
    async handle({ tx, input, actor }, { merchantNo }) {
      const known = await tx.maybe(sql`
        select 1 from merchant_customer where customer_no = ${input.customerNo} and merchant_no = ${merchantNo}`)
      if (!known) throw notFound()
      const typed = input.promoCode.toUpperCase()
      const code = await useOf(tx, typed)
      // Asked behind the use, which keeps two calls for one customer apart.
      const before = await tx.maybe(sql`
        select 1 from coupon where coupon_source = 'promo_code' and source_no = ${typed} and customer_no = ${input.customerNo}`)
      if (!code || before) throw new Fault('validation', 'errors.promoUnknown')
      const { couponTemplateNo } = code
      const of = { couponTemplateNo, named: input.customerNo, startTime: tx.now, sourceNo: typed } as const
      const given = await issueCoupon(tx, { ...of, source: 'promo_code' }, actor)
      if ('fail' in given) throw new Fault('validation', 'errors.promoUnknown')
      const { faceAmount, couponName }: { faceAmount: Money; couponName: string } = given.template
      return { couponNo: given.couponNo, couponName, faceAmount, expireTime: given.expireTime.toISOString() }
    },
  })
}

export const promoCalls = [generate, stopCode]
