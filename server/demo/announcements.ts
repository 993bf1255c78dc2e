import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../rights/actor.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { transition } from '../states/transition.ts'
import {
  type Announcement,
  draftAnnouncement,
  lockAnnouncement,
  type NewAnnouncement,
  publishAnnouncement,
} from '../systems/operation/announcement/store.ts'

const day = 86_400_000

type Said = Pick<NewAnnouncement, 'titles' | 'contents' | 'needRead' | 'pinned'> & {
  daysAgo: number
  /** The part of the staff that has read it. */
  read?: number
  draft?: true
  /** For the users of an app. */
  apps?: true
  /** Days until its end. */
  lasts?: number
  afterwards?: 'ann.abolish' | 'clock.end'
}

const said: readonly Said[] = [
  {
    daysAgo: 1,
    read: 0,
    pinned: true,
    titles: {
      zh: '12月服务费率调整',
      en: 'Service fee rates from 1 December',
      sw: 'Viwango vya ada kuanzia 1 Desemba',
    },
    contents: {
      zh: '<p>自<b>12月1日</b>起，Boda 14 产品的服务费由6%降至<b>5%</b>。</p><ul><li>已提交的订单按原费率执行。</li><li>客户询问时，请以订单详情中的费率为准。</li></ul>',
      en: '<p>From <b>1 December</b> the service fee of Boda 14 goes down from 6 % to <b>5 %</b>.</p><ul><li>Orders that are already in keep their rate.</li><li>When a customer asks, the rate in the order counts.</li></ul>',
      sw: '<p>Kuanzia <b>1 Desemba</b> ada ya huduma ya Boda 14 inashuka kutoka 6 % hadi <b>5 %</b>.</p><ul><li>Maombi yaliyokwisha pokelewa hayabadiliki.</li><li>Mteja akiuliza, kiwango kilicho kwenye ombi ndicho sahihi.</li></ul>',
    },
  },
  {
    daysAgo: 4,
    read: 0.6,
    needRead: true,
    titles: {
      zh: '催收通话时间：08:00–20:00',
      en: 'Calls to customers: 08:00 to 20:00 only',
      sw: 'Kupiga simu kwa wateja: 08:00 hadi 20:00 tu',
    },
    contents: {
      zh: '<p>任何时候都不得在<b>20:00之后或08:00之前</b>致电客户或其联系人，也不得向联系人透露债务情况。</p>',
      en: '<p>Nobody calls a customer or a contact <b>before 08:00 or after 20:00</b>, and no contact is to learn of a debt.</p>',
      sw: '<p>Hakuna kumpigia mteja wala mtu wake wa karibu <b>kabla ya 08:00 au baada ya 20:00</b>, wala kumweleza mtu mwingine kuhusu deni.</p>',
    },
  },
  {
    daysAgo: 9,
    read: 1,
    titles: {
      zh: '坎帕拉办公室停电维护',
      en: 'Power maintenance at the Kampala office',
      sw: 'Matengenezo ya umeme ofisi ya Kampala',
    },
    contents: {
      zh: '<p>周六14:00至16:00坎帕拉办公室停电，请提前保存工作。</p>',
      en: '<p>The Kampala office is without power on Saturday from 14:00 to 16:00. Save your work before that.</p>',
      sw: '<p>Ofisi ya Kampala haitakuwa na umeme Jumamosi saa 14:00 hadi 16:00. Hifadhi kazi yako mapema.</p>',
    },
  },
  {
    daysAgo: -2,
    titles: { zh: '周日系统升级', en: 'System upgrade on Sunday', sw: 'Maboresho ya mfumo Jumapili' },
    contents: {
      zh: '<p>周日22:00至23:30系统升级，期间无法登录。</p>',
      en: '<p>The system is upgraded on Sunday from 22:00 to 23:30. Nobody can sign in meanwhile.</p>',
      sw: '<p>Mfumo utaboreshwa Jumapili saa 22:00 hadi 23:30. Hakuna atakayeweza kuingia wakati huo.</p>',
    },
  },
  {
    daysAgo: -5,
    draft: true,
    titles: { zh: '年终值班安排', en: 'Shifts at the end of the year', sw: 'Zamu za mwisho wa mwaka' },
    contents: { en: '<p>Team leads send their <b>wishes by 10 December</b>.</p>' },
  },
  {
    daysAgo: 6,
    read: 0.3,
    afterwards: 'ann.abolish',
    titles: { zh: '新版审核问卷（已撤下）', en: 'New review questions', sw: 'Maswali mapya ya tathmini' },
    contents: { zh: '<p>新版问卷自下周启用。</p>', en: '<p>The new questions start next week.</p>' },
  },
  {
    daysAgo: 30,
    lasts: 14,
    read: 0.9,
    afterwards: 'clock.end',
    titles: { zh: '10月消防演练', en: 'Fire drill in October', sw: 'Zoezi la moto Oktoba' },
    contents: {
      en: '<p>Leave the building by the stairs and meet at the car park.</p>',
      sw: '<p>Tumia ngazi kutoka nje na tukutane maegesho ya magari.</p>',
    },
  },
  {
    daysAgo: 3,
    apps: true,
    titles: { zh: '新增还款渠道', en: 'Repay with Airtel Money', sw: 'Lipa kwa Airtel Money' },
    contents: {
      en: '<p>You can now repay with <b>Airtel Money</b>. Use your payment code as the reference.</p>',
      sw: '<p>Sasa unaweza kulipa kwa <b>Airtel Money</b>. Tumia namba yako ya malipo kama kumbukumbu.</p>',
    },
  },
]

/** People of the staff, in an order of their own, up to a part of them. */
const readBy = (tx: Tx, no: string, part: number, at: Date) =>
  tx.exec(sql`
    insert into announcement_read (announcement_no, user_no, read_time)
    select ${no}, user_no, ${at}::timestamptz + (place % 300) * interval '1 minute'
    from (select user_no, row_number() over (order by md5(user_no || 'read')) as place, count(*) over () as staff from app_user) u
    where place <= round(${part}::numeric * staff)`)

/** An announcement in each state, one that must be confirmed and has not been by all, and one for an app. */
export const writeAnnouncements = async (tx: Tx, actor: Actor): Promise<void> => {
  const { appName } = await tx.one(sql<{ appName: string }>`select app_name from merchant order by merchant_no limit 1`)
  const locked = async (no: string) => (await lockAnnouncement(tx, no)) as Announcement
  for (const { daysAgo, read, draft, apps, lasts, afterwards, ...words } of said) {
    const startTime = new Date(tx.now.getTime() - daysAgo * day)
    const endTime = lasts === undefined ? undefined : new Date(startTime.getTime() + lasts * day)
    const to = apps ? { audienceType: 'app' as const, audienceApps: [appName] } : {}
    const no = await draftAnnouncement(tx, { ...words, ...to, startTime, endTime }, actor)
    writeAudit(tx, { action: 'announcement.save', path: '', actor }, [{ objectType: 'announcement', objectNo: no }])
    if (draft) continue
    const published = await publishAnnouncement(tx, await locked(no), actor)
    if (read) await readBy(tx, no, read, new Date(startTime.getTime() + day / 4))
    if (afterwards) await transition(tx, 'announcement', published, { event: afterwards }, actor)
  }
}
