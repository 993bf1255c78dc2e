import { sql } from 'kysely'
import { appUpdate } from '../../../../core/contract/operation/app-version.ts'
import type { Tx } from '../../../db/database.ts'
import type { Upload } from '../../../files/uploads/store.ts'
import { storedOf } from '../../../files/uploads/stored.ts'
import { limitOf } from '../../../http/defence/limit.ts'
import { notFound } from '../../../http/fault.ts'
import { type Served, servePublic, servePublicDownload } from '../../../http/serve.ts'
import { bucketOf, deviceHash } from './bucket.ts'
import { packagePathOf, type Version } from './store.ts'

type Device = {
  appCode: string
  os: string
  versionCode: number
  deviceId: string
  sessions?: number | undefined
  crashes?: number | undefined
}

/** Notes which version a device has: once a day, and when it has another one. What no version is known of is not counted. */
const noteDevice = async (tx: Tx, device: Device): Promise<void> => {
  const { appCode, os, versionCode, deviceId } = device
  const isNews = await tx.maybe(sql`
    insert into app_device as d (app_code, os, device_hash, version_code, seen_date)
    select x.app_code, x.os, ${deviceHash(deviceId)}, x.version_code, ${tx.today}::date
    from app_version x where x.app_code = ${appCode} and x.os = ${os} and x.version_code = ${versionCode} and x.version_status = 'released'
    on conflict (app_code, os, device_hash) do update set version_code = excluded.version_code, seen_date = excluded.seen_date
      where d.seen_date < excluded.seen_date or d.version_code <> excluded.version_code
    returning 1 as noted`)
  if (isNews)
    await tx.exec(sql`
      insert into app_version_day as n (app_code, os, version_code, business_date, device_count)
      values (${appCode}, ${os}, ${versionCode}, ${tx.today}, 1)
      on conflict (app_code, os, version_code, business_date) do update set device_count = n.device_count + 1`)
}

/** Counts what a device reports of how its version ran. */
const noteSessions = async (tx: Tx, { appCode, os, versionCode, sessions = 0, crashes = 0 }: Device): Promise<void> => {
  if (sessions === 0) return
  await tx.exec(sql`
    insert into app_version_day as n (app_code, os, version_code, business_date, device_count, session_count, crash_count)
    select x.app_code, x.os, x.version_code, ${tx.today}::date, 0, ${sessions}::int, least(${crashes}::int, ${sessions}::int)
    from app_version x where x.app_code = ${appCode} and x.os = ${os} and x.version_code = ${versionCode} and x.version_status <> 'draft'
    on conflict (app_code, os, version_code, business_date) do update set session_count = n.session_count + excluded.session_count,
      crash_count = n.crash_count + excluded.crash_count`)
}

/** Versions above the one that a device has, the highest first. */
const above = (tx: Tx, { appCode, os, versionCode }: Device): Promise<Version[]> =>
  tx.rows(sql<Version>`
    select * from app_version where app_code = ${appCode} and os = ${os} and version_status = 'released' and version_code > ${versionCode}
    order by version_code desc limit 100`)

/** Devices that one address may speak for in a minute: a whole office behind one network, and no flood of made-up ones. */
const perMinute = 600

/** The highest version that the device is among those of. It must be taken where one of those above its own is forced. */
const latestServed = (): Served => {
  const limit = limitOf(perMinute, 60)
  return servePublic(appUpdate.latest, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) return tooMany
    await noteDevice(tx, input)
    await noteSessions(tx, input)
    const offered = (await above(tx, input)).filter(
      ({ versionNo, grayPercent }) => bucketOf(input.deviceId, versionNo) < (grayPercent ?? 0),
    )
    const [best] = offered
    if (!best) return { offer: null, mustUpdate: false }
    const { versionNo, versionName, versionCode, releaseNotes, packageSize, sha256, storeUrl } = best
    return {
      offer: {
        ...{ versionNo, versionName, versionCode, packageSize, sha256, storeUrl, packagePath: packagePathOf(best) },
        releaseNotes: releaseNotes as { zh: string; en: string; sw: string },
        releaseTime: best.releaseTime as string,
      },
      mustUpdate: offered.some(one => one.forceUpdate) || input.versionCode < (best.minVersionCode ?? 0),
    }
  })
}

/** Packages that one address may fetch in a minute. */
const packagesPerMinute = 30

/** The package of a version that is released, for anybody who has its link. */
const packageServed = (dir: string): Served => {
  const limit = limitOf(packagesPerMinute, 60)
  return servePublicDownload(appUpdate.package, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) throw tooMany
    const row = await tx.maybe(sql<Upload>`
      select u.* from app_version x join upload u on u.upload_no = x.package_file_no
      where x.version_no = ${input.versionNo} and x.version_status = 'released'`)
    if (!row) throw notFound()
    const { path, fileName, size } = storedOf(row, dir)
    return { path, name: fileName, type: row.fileType as string, size }
  })
}

/** What apps ask without signing in; packages lie in `dir`. */
export const offersFor = (dir: string): readonly Served[] => [latestServed(), packageServed(dir)]
