import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { json } from '../../../db/json.ts'
import { serve } from '../../../http/serve.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { orderScope } from '../../order/order/index.ts'
import { readAuditors, type Wanted } from '../person/audit-person.ts'
import { hand } from './allot-many.ts'

const { audit } = contract
const perm = 'audit:order:allot'
const most = 500

type Waiting = Omit<Wanted, 'holder'> & { orderNo: string }

const preview = serve(audit.autoPreview, async ({ tx, session }) => {
  const orders = await tx.rows(sql<Waiting>`
    select o.order_no, o.merchant_no, o.loan_kind, o.audit_step,
      coalesce((select jsonb_agg(jsonb_build_object('auditorNo', h.auditor_no, 'auditStep', h.audit_step)) from order_hand h where h.order_no = o.order_no), '[]') as earlier
    from loan_order o where o.order_status = 'to_be_allocated' and ${orderScope(session, perm)} order by o.status_time, o.order_no limit ${most}`)
  const auditors = await readAuditors(tx, sql`ap.auto_allocation and ${peopleScope(session, perm)}`)
  const before = new Map(auditors.map(one => [one.userNo, one.openCount]))
  const left = orders.filter(order => !hand(auditors, order)).length
  return {
    waiting: orders.length,
    left,
    list: auditors
      .map(({ userNo, realName, openCount, queueCap }) => {
        const had = before.get(userNo) ?? 0
        return { userNo, realName, queueCap, openCount: had, gets: openCount - had }
      })
      .filter(({ gets }) => gets > 0),
  }
})

const autoSwitch = serve(audit.autoSwitch, async ({ tx, actor, input, audit: note }) => {
  const { enabled } = input
  const before = await tx.maybe(
    sql<{
      enabled: boolean
    }>`select config_value ->> 'enabled' = 'true' as enabled from business_config where config_key = 'AUDIT_AUTO_ALLOT' for update`,
  )
  await tx.exec(sql`
    insert into business_config (config_key, config_value, updated_by, updated_time) values ('AUDIT_AUTO_ALLOT', ${json({ enabled })}, ${actor.no}, ${tx.now})
    on conflict (config_key) do update set config_value = excluded.config_value, version = business_config.version + 1, updated_by = excluded.updated_by, updated_time = excluded.updated_time`)
  note({
    objectType: 'businessConfig',
    objectNo: 'AUDIT_AUTO_ALLOT',
    before: { enabled: before?.enabled ?? false },
    after: { enabled },
  })
  return { enabled }
})

/** What automatic allocation would do now, and whether the clock does it. */
export const autoPlan = [preview, autoSwitch]
