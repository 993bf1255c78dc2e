import { sql } from 'kysely'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import { storedAll } from '../configs/config-hooks.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Served, serve } from '../http/serve.ts'
import type { Session } from '../session/session.ts'
import type { PersonHooks } from './person-hooks.ts'
import { holdsPost, personRule, standing } from './person-store.ts'

type Found = {
  userNo: string
  realName: string
  loginId: string
  deptName: string
  openCount: number
  handsOver: string[]
  heirName: string | null
}
type Seen = { tx: Tx; session: Session }

/** Those who hold a role of the post and have no record, or one that is marked as gone: they may work and are not registered. */
const added = ({ tx, session }: Seen, of: Personnel) =>
  tx.rows(sql<Found>`
    select u.user_no, u.real_name, u.login_id, d.dept_name, 0 as open_count, '{}'::text[] as hands_over, null as heir_name
    from app_user u join dept d using (dept_no)
    where u.user_status = 'normal' and u.employee_status = 'on_job' and ${holdsPost(of)} and ${personRule(session, of)}
      and not exists (select 1 from ${sql.table(of.table)} x where x.user_no = u.user_no and x.gone_time is null)
    order by u.real_name, u.user_no`)

/** Those who have a record and hold no role of the post any more, or have left. */
const gone = ({ tx, session }: Seen, of: Personnel, { openCount, handsOver }: PersonHooks) =>
  tx.rows(sql<Found>`
    select u.user_no, u.real_name, u.login_id, d.dept_name, ${openCount} as open_count,
      ${handsOver?.names ?? sql`'{}'::text[]`} as hands_over, ${handsOver?.heirName ?? sql`null::text`} as heir_name
    from ${sql.table(of.table)} x join app_user u using (user_no) join dept d using (dept_no)
    where x.gone_time is null and not x.ai_employee and (${standing} = 'left' or not ${holdsPost(of)}) and ${personRule(session, of)}
    order by u.real_name, u.user_no`)

/** Takes up those who belong to a post, and marks those who no longer do; nothing is deleted. */
export const personSync = (of: Personnel, hooks: PersonHooks): Served[] => [
  serve(of.calls.preview, async ({ tx, session }) => ({
    joining: await added({ tx, session }, of),
    leaving: await gone({ tx, session }, of, hooks),
  })),
  serve(of.calls.sync, async call => {
    const { tx, session, input, actor } = call
    // Two who synchronise at once see one another's people.
    await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${of.table}))`)
    const come = await added({ tx, session }, of)
    const go = await gone({ tx, session }, of, hooks)
    if (come.length !== input.joining || go.length !== input.leaving)
      throw new Fault('stateConflict', 'errors.syncChanged', { joining: come.length, leaving: go.length })
    const stopped = of.allots === false ? sql`` : sql`auto_allocation = false,`
    const begins = storedAll({ ...(of.allots !== false && { autoAllocation: false }), ...hooks.begins })
    const names = Object.keys(begins).map(name => sql.ref(name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)))
    for (const { userNo } of come) {
      await tx.exec(sql`
        insert into ${sql.table(of.table)} (user_no, created_time, updated_by, updated_time, ${sql.join(names)})
        values (${userNo}, ${tx.now}, ${actor.no}, ${tx.now}, ${sql.join(Object.values(begins))})
        on conflict (user_no) do update set gone_time = null, ${stopped} version = ${sql.ref(`${of.table}.version`)} + 1, updated_by = excluded.updated_by, updated_time = excluded.updated_time`)
      call.audit({ objectType: of.name, objectNo: userNo, after: { added: true } })
    }
    for (const { userNo } of go) {
      await tx.exec(sql`
        update ${sql.table(of.table)} set gone_time = ${tx.now}, ${stopped} version = version + 1, updated_by = ${actor.no}, updated_time = ${tx.now}
        where user_no = ${userNo}`)
      await hooks.goes?.(tx, userNo, actor)
      call.audit({ objectType: of.name, objectNo: userNo, after: { gone: true } })
    }
    return { joining: come.length, leaving: go.length }
  }),
]
