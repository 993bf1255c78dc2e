import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import { announcementBlocks } from './announcement-blocks.ts'
import { announcementScope, inLanguage, reached, reachOf } from './audience.ts'

type Frag = RawBuilder<unknown>
const { announcement } = contract
type Detail = OutputOf<typeof announcement.detail>

/** Users `u` whom announcement `a` reaches now, and those who have read it, with when they did (`r`). */
const readersFrom = sql`app_user u join dept d on d.dept_no = u.dept_no
  left join announcement_read r on r.announcement_no = a.announcement_no and r.user_no = u.user_no`
const isReader = sql`(r.user_no is not null or ${reached})`

const counted = (what: Frag): Frag => sql`
  case when a.audience_type = 'staff' then (select ${what} from ${readersFrom} where ${isReader}) end`

const namesOf = (column: string, from: Frag, key: Frag, name: Frag): Frag =>
  sql`array(select ${name} from ${from} where ${key} = any(${sql.ref(`a.${column}`)}) order by 1)`

const audienceNames: Frag = sql`to_jsonb(
  ${namesOf('audience_roles', sql`role x`, sql`x.role_no`, sql`x.role_name`)}
  || ${namesOf('audience_depts', sql`dept x`, sql`x.dept_no`, sql`x.dept_name`)}
  || ${namesOf('audience_merchants', sql`merchant x`, sql`x.merchant_no`, sql`x.merchant_name`)}
  || a.audience_apps)`

const containing = (text: string): Frag => {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql`lower(concat_ws(' ', a.title_zh, a.title_en, a.title_sw)) like ${like}`
}

export const announcements = listed({
  list: announcement.page,
  source: ({ session }) => ({
    from: sql`announcement a`,
    where: sql`a.deleted_time is null and ${announcementScope(session)}`,
    alias: 'a',
    key: sql`a.announcement_no`,
    columns: {
      title: inLanguage(session.language, 'title'),
      audience: audienceNames,
      readCount: counted(sql`count(r.user_no)::int`),
      targetCount: counted(sql`count(*)::int`),
    },
    filters: { title: containing },
  }),
  blocked: announcementBlocks,
})

const receiptNo: Frag = sql`(a.announcement_no || '-' || u.user_no)`

/** Who has read an announcement, and who has yet to. */
export const announcementReaders = listed({
  list: announcement.readers,
  source: ({ session }) => ({
    from: sql`announcement a cross join ${readersFrom}`,
    where: sql`a.audience_type = 'staff' and a.announcement_status <> 'draft' and a.deleted_time is null and ${isReader} and ${announcementScope(session)}`,
    alias: 'u',
    key: receiptNo,
    columns: {
      receiptNo,
      announcementNo: sql`a.announcement_no`,
      title: inLanguage(session.language, 'title'),
      deptName: sql`d.dept_name`,
      readTime: sql`r.read_time`,
    },
    filters: {
      read: read => (read ? sql`r.user_no is not null` : sql`r.user_no is null`),
    },
  }),
})

type Stored = Omit<Detail, 'titles' | 'contents' | 'history'> & Record<'titles' | 'contents', Detail['titles']>

const detail = serve(announcement.detail, async ({ tx, session, input: { announcementNo } }) => {
  const row = await tx.maybe(sql<Stored>`
    select a.*, jsonb_build_object('zh', title_zh, 'en', title_en, 'sw', title_sw) as titles,
      jsonb_build_object('zh', content_zh, 'en', content_en, 'sw', content_sw) as contents
    from announcement a where a.announcement_no = ${announcementNo} and ${announcementScope(session)}`)
  if (!row) throw notFound()
  const history = await tx.rows(sql<Detail['history'][number]>`
    select t.transition_no as history_no, t.event, coalesce(u.real_name, t.actor) as actor_name, t.at
    from state_transition t left join app_user u on u.user_no = t.actor
    where t.machine = 'M56' and t.object_no = ${announcementNo} order by t.transition_no desc limit 50`)
  return { ...row, history }
})

const reach = serve(announcement.reach, async ({ tx, input }) => {
  const { audienceRoles = [], audienceDepts = [], audienceMerchants = [], audienceApps = [], audienceType } = input
  return { count: await reachOf(tx, { audienceType, audienceRoles, audienceDepts, audienceMerchants, audienceApps }) }
})

export const manageServed = [detail, reach]
