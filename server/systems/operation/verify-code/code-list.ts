import { sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { type Health, verifyCode } from '../../../../core/contract/operation/verify-code.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { type Served, serve } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { codeBlocks } from './blocks.ts'
import { liftedUntil, limitsOf, sentInHour } from './limits.ts'
import { codeRule, nextAccount, readCode } from './source.ts'

/** Codes with the way by which each went last. The code itself is kept nowhere that could be read. */
export const codeList = (vendors: Vendors) =>
  listed({
    list: verifyCode.page,
    source: ({ session }) => ({
      from: sql`verify_code v`,
      joins: {
        m: sql`join message m on m.message_no = v.message_no`,
        mc: sql`left join merchant mc on mc.merchant_no = v.merchant_no`,
      },
      where: codeRule(session),
      alias: 'v',
      key: sql`v.code_no`,
      columns: {
        merchantName: sql`mc.merchant_name`,
        vendorName: sql`m.vendor_name`,
        senderId: sql`m.sender_id`,
        messageStatus: sql`m.message_status`,
        deliverySeconds: sql`m.delivery_seconds`,
        failReason: sql`m.fail_reason`,
        nextVendor: nextAccount(vendors, 'vendorName'),
      },
      filters: {},
    }),
    check: ({ tx, session, actor, input }) => {
      if (!input.phone) return
      tx.append('accessLog', {
        userNo: session.userNo,
        accessKind: 'search',
        objectType: 'verifyCode',
        objectNo: mask(input.phone),
        field: 'phone',
        at: tx.now,
        ip: actor.ip,
        requestId: actor.requestId,
        partnerNo: actor.partnerNo,
      })
    },
    blocked: (at, rows) =>
      codeBlocks(vendors).of(
        at,
        rows.map(row => row.codeNo),
      ),
  })

/** A text counts once its end is known, or once its report is late. */
const lateSeconds = 60

const health: Served = serve(verifyCode.health, async ({ tx, session, input: { hours } }) => {
  const [since, late] = [hours * 3_600, lateSeconds].map(seconds => new Date(tx.now.getTime() - seconds * 1000))
  const list = await tx.rows(sql<Health>`
    select m.vendor_name, m.network, count(*)::int as sent, count(*) filter (where m.message_status = 'delivered')::int as delivered,
      round(100.0 * count(*) filter (where m.message_status = 'delivered')
        / nullif(count(*) filter (where m.message_status in ('delivered', 'failed', 'no_report') or m.created_time < ${late}), 0), 1)::float8 as delivered_rate,
      percentile_cont(0.5) within group (order by m.delivery_seconds)::int as median_seconds
    from message m join verify_code v on v.code_no = m.object_no and m.object_type = 'verifyCode'
    where m.channel_type = 'sms' and m.vendor_name is not null and m.created_time > ${since} and ${codeRule(session)}
    group by m.vendor_name, m.network order by m.vendor_name, m.network`)
  return { list }
})

type Attempts = OutputOf<typeof verifyCode.attempts>

const attempts: Served = serve(verifyCode.attempts, async ({ tx, session, input }) => {
  const { phone, email } = await readCode(tx, session, input.codeNo)
  const list = await tx.rows(sql<Attempts['list'][number]>`
    select m.message_no, v.code_no, v.scene, v.code_status, m.vendor_name, m.sender_id, m.message_status, m.fail_reason, m.segments,
      m.delivery_seconds, m.created_time,
      coalesce((select jsonb_agg(jsonb_build_object('at', t.at, 'event', t.event, 'toState', t.to_state,
          'said', coalesce(t.payload ->> 'reason', t.payload ->> 'said')) order by t.transition_no)
        from state_transition t where t.machine = 'M82' and t.object_no = m.message_no), '[]') as steps
    from verify_code v join message m on m.object_type = 'verifyCode' and m.object_no = v.code_no
    where (v.phone = ${phone} or v.email = ${email}) and v.send_time > ${new Date(tx.now.getTime() - 86_400_000)} and ${codeRule(session)}
    order by m.created_time desc, m.message_no limit 50`)
  const { perHour } = await limitsOf(tx)
  const { count } = await sentInHour(tx, { phone, email, userNo: null })
  return { list, sentInHour: count, perHour, liftedUntil: phone ? await liftedUntil(tx, phone) : null }
})

export const readServed = [health, attempts]
