import { type RawBuilder, sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import {
  type AppVersionRow,
  appVersion,
  deviceDays,
  shownDays,
} from '../../../../core/contract/operation/app-version.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, shownRow } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { packagePathOf } from './store.ts'
import { versionBlocks } from './version-blocks.ts'

type Frag = RawBuilder<unknown>

/** Versions `x` of the apps whose merchants a person serves, and those of the console. */
export const versionSeen = (session: Session, perm?: string): Frag => sql`(x.os = 'console' or exists (
  select 1 from merchant vm where vm.app_name = x.app_code
    and ${scope(session, { merchant: 'vm.merchant_no', holder: () => sql`true`, ...(perm ? { perm } : {}) })}))`

const since = (tx: Tx) => addDays(tx.today, 1 - deviceDays)

/** Devices of the app and system of `x` that asked within a week: those of the version, and all. */
const counted = (tx: Tx): Frag => sql`left join lateral (
  select count(*)::int as app_devices, (count(*) filter (where v.version_code = x.version_code))::int as device_count
  from app_device v where v.app_code = x.app_code and v.os = x.os and v.seen_date >= ${since(tx)}::date) d on true`

const share: Frag = sql`case when d.app_devices > 0 then round(100.0 * d.device_count / d.app_devices, 2)::numeric(5,2) end`

/** How the version ran within a week, as apps report it. */
const ran = (tx: Tx): Frag => sql`left join lateral (
  select sum(n.session_count) as sessions, sum(n.crash_count) as crashes from app_version_day n
  where n.app_code = x.app_code and n.os = x.os and n.version_code = x.version_code and n.business_date >= ${since(tx)}::date) r on true`

/** Versions of all apps. */
export const versions = listed({
  list: appVersion.page,
  source: ({ tx, session }) => ({
    from: sql`app_version x`,
    alias: 'x',
    key: sql`x.version_no`,
    where: versionSeen(session, appVersion.page.perm),
    joins: { d: counted(tx), r: ran(tx) },
    columns: {
      deviceCount: sql`d.device_count`,
      deviceShare: share,
      appDevices: sql`d.app_devices`,
      crashFree: sql`(case when r.sessions > 0 then round(100 - 100.0 * r.crashes / r.sessions, 2)::numeric(5,2) end)`,
      pendingApproval: sql`(select a.maker_name from approval a where a.object_type = 'app_version' and a.object_no = x.version_no and a.approval_status = 'pending' limit 1)`,
    },
  }),
  blocked: versionBlocks,
})

type Stored = Pick<OutputOf<typeof appVersion.detail>, 'releaseNotes' | 'fileName' | 'dailyDevices'> & {
  packageFileNo: string | null
}

const detail = serve(appVersion.detail, async ({ tx, session, input: { versionNo } }) => {
  const ofVersion = await shownRow<AppVersionRow>(versions, { tx, session }, versionNo)
  if (!ofVersion) throw notFound()
  const { packageFileNo, ...rest } = await tx.one(sql<Stored>`
    select x.release_notes, x.package_file_no, (select u.file_name from upload u where u.upload_no = x.package_file_no) as file_name,
      (select jsonb_agg(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD'), 'deviceCount', coalesce(n.device_count, 0)) order by day)
        from generate_series(${addDays(tx.today, 1 - shownDays)}::date, ${tx.today}::date, interval '1 day') day
        left join app_version_day n on n.app_code = x.app_code and n.os = x.os and n.version_code = x.version_code and n.business_date = day::date) as daily_devices
    from app_version x where x.version_no = ${versionNo}`)
  return { ofVersion, ...rest, packagePath: packagePathOf({ versionNo, packageFileNo }) }
})

const shares = serve(appVersion.share, async ({ tx, session, input: { appCode } }) => ({
  list: await tx.rows(sql<OutputOf<typeof appVersion.share>['list'][number]>`
    select x.version_no, x.os, x.version_name, x.version_code, x.version_status, d.device_count, ${share} as device_share
    from app_version x ${counted(tx)} where x.app_code = ${appCode} and x.version_status <> 'draft' and ${versionSeen(session, appVersion.share.perm)}
    order by x.os, x.version_code desc limit 200`),
}))

export const readServed = [detail, shares]
