import { sql } from 'kysely'
import { addDays, startOfEatDay } from '../../core/rules/time.ts'
import type { Actor } from '../actor.ts'
import { draftAnnouncement, type NewAnnouncement, publishAnnouncement } from '../announcement.ts'
import { writeAudit } from '../audit-rows.ts'
import type { Tx } from '../db/database.ts'
import { newNo } from '../numbers.ts'
import { create } from '../transition.ts'
import { userNoOf } from './staff.ts'

const day = 86_400_000

type Said = Pick<NewAnnouncement, 'title' | 'content' | 'needRead' | 'pinned'> & { daysAgo: number; read: boolean }

const said: readonly Said[] = [
  {
    daysAgo: 1,
    read: false,
    pinned: true,
    title: {
      zh: '12月服务费率调整',
      en: 'Service fee rates from 1 December',
      sw: 'Viwango vya ada kuanzia 1 Desemba',
    },
    content: {
      zh: '<p>自<b>12月1日</b>起，Boda 14 产品的服务费由6%降至<b>5%</b>。</p><ul><li>已提交的订单按原费率执行。</li><li>客户询问时，请以订单详情中的费率为准。</li></ul>',
      en: '<p>From <b>1 December</b> the service fee of Boda 14 goes down from 6 % to <b>5 %</b>.</p><ul><li>Orders that are already in keep their rate.</li><li>When a customer asks, the rate in the order counts.</li></ul>',
      sw: '<p>Kuanzia <b>1 Desemba</b> ada ya huduma ya Boda 14 inashuka kutoka 6 % hadi <b>5 %</b>.</p><ul><li>Maombi yaliyokwisha pokelewa hayabadiliki.</li><li>Mteja akiuliza, kiwango kilicho kwenye ombi ndicho sahihi.</li></ul>',
    },
  },
  {
    daysAgo: 4,
    read: true,
    needRead: true,
    title: {
      zh: '催收通话时间：08:00–20:00',
      en: 'Calls to customers: 08:00 to 20:00 only',
      sw: 'Kupiga simu kwa wateja: 08:00 hadi 20:00 tu',
    },
    content: {
      zh: '<p>任何时候都不得在<b>20:00之后或08:00之前</b>致电客户或其联系人，也不得向联系人透露债务情况。</p>',
      en: '<p>Nobody calls a customer or a contact <b>before 08:00 or after 20:00</b>, and nobody tells a contact about a debt.</p>',
      sw: '<p>Hakuna kumpigia mteja wala mtu wake wa karibu <b>kabla ya 08:00 au baada ya 20:00</b>, wala kumweleza mtu mwingine kuhusu deni.</p>',
    },
  },
  {
    daysAgo: 9,
    read: true,
    title: {
      zh: '坎帕拉办公室停电维护',
      en: 'Power maintenance at the Kampala office',
      sw: 'Matengenezo ya umeme ofisi ya Kampala',
    },
    content: {
      zh: '<p>周六14:00至16:00坎帕拉办公室停电，请提前保存工作。</p>',
      en: '<p>The Kampala office is without power on Saturday from 14:00 to 16:00. Save your work before that.</p>',
      sw: '<p>Ofisi ya Kampala haitakuwa na umeme Jumamosi saa 14:00 hadi 16:00. Hifadhi kazi yako mapema.</p>',
    },
  },
]

const announce = async (tx: Tx, actor: Actor) => {
  for (const { daysAgo, read, ...words } of said) {
    const startTime = new Date(tx.now.getTime() - daysAgo * day)
    const no = await draftAnnouncement(tx, { ...words, startTime }, actor)
    await publishAnnouncement(tx, no, actor)
    writeAudit(tx, { action: 'announcement.save', path: '', actor }, [{ objectType: 'announcement', objectNo: no }])
    if (read)
      await tx.exec(sql`
        insert into announcement_read (announcement_no, user_no, read_time)
        select ${no}, user_no, ${new Date(startTime.getTime() + day / 4)} from app_user`)
  }
}

/** An auditor who wants two days off next week. */
const askForLeave = async (tx: Tx) => {
  const userNo = userNoOf('auditor2')
  const first = addDays(tx.today, 7)
  const at = (date: string, hours: number) => new Date(Date.parse(startOfEatDay(date)) + hours * 3_600_000)
  const values = {
    leaveNo: newNo('LV', tx.now),
    userNo,
    leaveType: 'annual',
    startTime: at(first, 8),
    endTime: at(addDays(first, 1), 17),
    remark: 'Family wedding in Mbale',
    createdBy: userNo,
    createdTime: new Date(tx.now.getTime() - 3 * 3_600_000),
  }
  const actor = { no: userNo, name: 'Isaac Mugisha', requestId: 'demo leave', ip: null }
  await create(tx, 'leave', values, { event: 'leave.apply', as: 'own' }, actor)
  writeAudit(tx, { action: 'leave.apply', path: '', actor }, [{ objectType: 'leave', objectNo: values.leaveNo }])
}

/** What the house has told its staff, and what one of them asks for. */
export const writeHouse = async (tx: Tx): Promise<void> => {
  await announce(tx, { no: userNoOf('admin'), name: 'Grace Nakato', requestId: 'demo announcements', ip: null })
  await askForLeave(tx)
}
