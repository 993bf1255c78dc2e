import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { hotlineModule } from '../../systems/operation/hotline/hotline.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { hotline } = contract
type Save = InputOf<typeof hotline.save>
type Names = readonly [zh: string, en: string, sw: string]

const week = ['mon', 'tue', 'wed', 'thu', 'fri']
const everyDay = [...week, 'sat', 'sun']

const contact = (
  [zh, en, sw]: Names,
  of: { merchantNo: string; appName: string },
  more: {
    hotlineType: string
    contactValue: string
    complaint?: boolean
    days?: string[]
    opensAt?: string
    sort: number
  },
) => {
  const { days = everyDay, opensAt = '08:00', complaint = false, ...own } = more
  return {
    ...own,
    displayName: { zh, en, sw },
    merchantNo: of.merchantNo,
    appCodes: [of.appName],
    languages: ['en', 'lg', 'sw'],
    workDays: days,
    opensAt,
    closesAt: '18:00',
    complaint,
    ...(own.hotlineType === 'phone' ? { answeredHere: true } : {}),
  }
}

/** The contacts of each app of the demo; one is off, one is open on Sundays alone. */
export const writeHotlines = async (tx: Tx): Promise<void> => {
  const hand = handFor([hotlineModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - 20 * 86_400_000))
  const rows = merchants.flatMap((of, n) => [
    contact(['客服电话', 'Call us', 'Tupigie'], of, { hotlineType: 'phone', contactValue: `080020030${n}`, sort: 1 }),
    contact(['WhatsApp客服', 'WhatsApp', 'WhatsApp'], of, {
      hotlineType: 'whatsapp',
      contactValue: `25677200030${n}`,
      sort: 2,
    }),
    contact(['客服邮箱', 'Write to us', 'Tuandikie'], of, {
      hotlineType: 'email',
      contactValue: `help@${of.appName.toLowerCase()}.ug`,
      sort: 3,
      days: n === 2 ? ['sun'] : week,
    }),
    contact(['投诉热线', 'Complaints', 'Malalamiko'], of, {
      hotlineType: 'phone',
      contactValue: `25639300010${n}`,
      complaint: true,
      sort: 4,
      days: week,
      opensAt: '09:00',
    }),
  ])
  const keys: string[] = []
  for (const row of [
    ...rows,
    contact(['旧客服电话', 'Old line', 'Simu ya zamani'], merchants[0], {
      hotlineType: 'phone',
      contactValue: '0800200399',
      sort: 9,
    }),
  ]) {
    keys.push(String((await hand.call(then, boss, hotline.save, row as Save)).key))
    await tx.flush()
  }
  for (const hotlineNo of keys.slice(0, -1)) {
    const { version } = await tx.one(
      sql<{ version: number }>`select version from hotline where hotline_no = ${hotlineNo}`,
    )
    await hand.call(then, boss, hotline.state, { hotlineNo, enabled: true, version } as never)
    await tx.flush()
  }
}
