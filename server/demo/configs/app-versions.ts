import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { newNo } from '../../money/numbers.ts'
import type { Actor } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'
import { noteDeployment } from '../../systems/operation/app-version/index.ts'
import { lockVersion } from '../../systems/operation/app-version/store.ts'
import { at } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { writePackage } from './app-packages.ts'

const day = 86_400_000
const systems = ['android', 'ios'] as const
const apps = [
  { appCode: 'BodaCash', id: 'ug.bodacash', iosId: '6450010021' },
  { appCode: 'MarketLoan', id: 'ug.marketloan', iosId: '6450010034' },
] as const
type App = (typeof apps)[number]

type Planned = {
  name: string
  back: number
  notes: [zh: string, en: string, sw: string]
  /** Of a hundred devices; none of a draft. */
  gray?: number
  withdrawn?: string
  /** Devices of a hundred that have it. */
  share: number
}

/** From the oldest to the one that is being written: five that went out, the last of them to a tenth, and a draft. */
const plan: readonly Planned[] = [
  { name: '3.0.0', back: 150, gray: 100, share: 4, notes: ['全新首页', 'A new home page', 'Ukurasa mpya wa nyumbani'] },
  {
    name: '3.1.0',
    back: 110,
    gray: 100,
    share: 11,
    notes: ['还款提醒', 'Repayment reminders', 'Vikumbusho vya marejesho'],
  },
  {
    name: '3.2.0',
    back: 64,
    gray: 50,
    withdrawn: 'Camera closes on some Tecno phones',
    share: 7,
    notes: ['拍照更快', 'Faster photos', 'Picha za haraka zaidi'],
  },
  {
    name: '3.2.1',
    back: 58,
    gray: 100,
    share: 69,
    notes: ['修复拍照闪退', 'Photos no longer close the app', 'Picha hazifungi tena programu'],
  },
  {
    name: '3.3.0',
    back: 4,
    gray: 10,
    share: 9,
    notes: ['展期与优惠券', 'Extensions and coupons', 'Kuongeza muda na kuponi'],
  },
  {
    name: '3.4.0',
    back: 1,
    share: 0,
    notes: ['斯瓦希里语语音帮助', 'Voice help in Swahili', 'Msaada wa sauti kwa Kiswahili'],
  },
]
const codeOf = (place: number) => 30_000 + place * 100

const storeOf = (app: App, os: (typeof systems)[number]) =>
  os === 'ios'
    ? `https://apps.apple.com/ug/app/id${app.iosId}`
    : `https://play.google.com/store/apps/details?id=${app.id}`

const writeVersion = async (tx: Tx, app: App, o: { os: (typeof systems)[number]; place: number }, actor: Actor) => {
  const planned = plan[o.place] as Planned
  const [zh, en, sw] = planned.notes
  const begun = at(tx, new Date(tx.now.getTime() - planned.back * day))
  const versionNo = newNo('AV', begun.now)
  // The first app brings its own packages since its second version; the other is fetched from the stores.
  const isPackaged = o.os === 'android' && app === apps[0] && o.place > 0
  const from = isPackaged
    ? await writePackage(begun, { versionNo, appCode: app.appCode, versionName: planned.name }, actor)
    : { storeUrl: storeOf(app, o.os) }
  const values = {
    ...{ versionNo, appCode: app.appCode, os: o.os, versionName: planned.name, versionCode: codeOf(o.place) },
    ...{ ...from, minVersionCode: o.place > 2 ? codeOf(0) : null },
    ...{ releaseNotes: json({ zh, en, sw }), createdBy: actor.no, createdName: actor.name, createdTime: begun.now },
  }
  await create(begun, 'appVersion', values, { event: 'version.save' }, actor)
  await begun.flush()
  const row = planned.gray && (await lockVersion(begun, versionNo, sql`true`))
  if (!row) return
  const out = at(tx, new Date(begun.now.getTime() + 7_200_000))
  const set = { grayPercent: planned.gray, releaseTime: out.now }
  const released = await transition(out, 'appVersion', row, { event: 'version.release', set }, actor)
  if (!planned.withdrawn) return
  const later = at(tx, new Date(out.now.getTime() + 2 * day))
  const move = { event: 'version.withdraw', set: { withdrawReason: planned.withdrawn } }
  await transition(later, 'appVersion', released, move, actor)
}

/** Which devices of an app have which version, and how many asked on each of fourteen days. */
const writeDevices = async (tx: Tx, { appCode, os, devices }: { appCode: string; os: string; devices: number }) => {
  const bounds = plan.map((_, place) => plan.slice(0, place + 1).reduce((sum, one) => sum + one.share, 0))
  await tx.exec(sql`
    insert into app_device (app_code, os, device_hash, version_code, seen_date)
    select ${appCode}, ${os}, encode(sha256(convert_to(${`${appCode} ${os} `}::text || n, 'UTF8')), 'hex'),
      30000 + 100 * (select count(*)::int from unnest(${bounds}::int[]) b where b <= n % 100), ${tx.today}::date - n % 6
    from generate_series(1, ${devices}::int) n`)
  for (const [place, { share, back, withdrawn }] of plan.entries())
    await tx.exec(sql`
      insert into app_version_day (app_code, os, version_code, business_date, device_count, session_count, crash_count)
      select ${appCode}, ${os}, ${codeOf(place)}::int, ${tx.today}::date - n, d.count, d.count * 3, d.count * 3 * ${withdrawn ? 6 : 1}::int / 250
      from generate_series(0, ${Math.min(13, Math.floor(back))}::int) n
        cross join lateral (select (${(devices * share) / 100}::numeric * (0.5 + (n * 7 + ${place}::int) % 5 / 20.0))::int as count) d where ${share}::int > 0`)
}

/** Versions of two apps in every state, the devices that have them, and the console that is deployed. */
export const writeAppVersions = async (tx: Tx): Promise<void> => {
  const actor: Actor = { no: userNoOf('admin'), name: 'Administrator', requestId: 'demo', ip: null }
  for (const app of apps)
    for (const os of systems) {
      for (const place of plan.keys()) await writeVersion(tx, app, { os, place }, actor)
      await writeDevices(tx, { appCode: app.appCode, os, devices: os === 'ios' ? 310 : 4_820 })
    }
  await noteDeployment(at(tx, new Date(tx.now.getTime() - 21 * day)), '0.9.0')
  await tx.flush()
}
