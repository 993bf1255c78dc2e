import { sql } from 'kysely'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { type trafficKinds, trafficPerson } from '../../../core/contract/operation/traffic.ts'
import { addDays } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { leavePerson, lockState, writePerson } from '../../session/person.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { passChannelsOn } from '../../systems/operation/traffic/index.ts'
import { recountTraffic } from '../../systems/operation/traffic/numbers.ts'
import { trafficModule } from '../../systems/operation/traffic/traffic.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const shownDays = 30
type Kind = (typeof trafficKinds)['values'][number]
type Person = {
  name: string
  group: string
  kind: Kind
  code: string
  channels: readonly string[]
  head?: true
  /** Out of a hundred customers, as many are theirs. */
  share?: number
  left?: true
}

/** Twelve people in three groups: one left last week, one is without a channel, one brings nobody. */
const staff: readonly Person[] = [
  {
    name: 'Patricia Nakku',
    group: 'Media',
    kind: 'employee',
    code: 'MEDIA1',
    channels: ['radio-07'],
    head: true,
    share: 7,
  },
  {
    name: 'Ronald Kizza',
    group: 'Media',
    kind: 'employee',
    code: 'RONALD',
    channels: ['radio-11', 'radio-gulu'],
    share: 4,
  },
  {
    name: 'Sharon Aber',
    group: 'Media',
    kind: 'employee',
    code: 'SHARON',
    channels: ['fb-kla', 'fb-lookalike'],
    share: 9,
  },
  {
    name: 'Timothy Walusimbi',
    group: 'Media',
    kind: 'employee',
    code: 'TIMW01',
    channels: ['fb-mbr'],
    left: true,
    share: 3,
  },
  {
    name: 'Ursula Namara',
    group: 'Kampala North',
    kind: 'employee',
    code: 'KNHEAD',
    channels: ['agent-owino'],
    head: true,
    share: 3,
  },
  {
    name: 'Vincent Oloya',
    group: 'Kampala North',
    kind: 'promoter',
    code: 'OWINO1',
    channels: ['agent-owino'],
    share: 6,
  },
  {
    name: 'Winnie Adong',
    group: 'Kampala North',
    kind: 'promoter',
    code: 'OWINO2',
    channels: ['agent-owino'],
    share: 5,
  },
  { name: 'Xavier Bukenya', group: 'Kampala North', kind: 'promoter', code: 'OWINO3', channels: ['agent-owino'] },
  {
    name: 'Yvonne Kemigisha',
    group: 'Jinja',
    kind: 'employee',
    code: 'JINJA0',
    channels: ['agent-jinja'],
    head: true,
    share: 2,
  },
  { name: 'Zakaria Wandera', group: 'Jinja', kind: 'promoter', code: 'JINJA1', channels: ['agent-jinja'], share: 4 },
  { name: 'Allan Isabirye', group: 'Jinja', kind: 'promoter', code: 'JINJA2', channels: ['agent-jinja'], share: 2 },
  { name: 'Brenda Mirembe', group: 'Jinja', kind: 'promoter', code: 'JINJA3', channels: [] },
]

const numberOf = (index: number) => `U${601 + index}`

const writeAccount = async (tx: Tx, { name }: Person, index: number, passwordHash: string) => {
  const loginId = name.toLowerCase().replace(' ', '.')
  const userNo = numberOf(index)
  const reach = { phone: `25677${String(6_000_000 + index * 137)}`, email: `${loginId}@nilecredit.example` }
  const place = { deptNo: 'D8', principalMerchantNo: 'M1', merchantNos: ['M1', 'M2', 'M3'] }
  const names = { loginId, userName: loginId, realName: name, jobNo: `NT${2000 + index}` }
  await writePerson(tx, { userNo, ...names, ...reach, ...place, passwordHash }, system('demo traffic'))
  await tx.exec(sql`insert into user_role values (${userNo}, 'operations')`)
  await tx.exec(sql`
    insert into traffic_person (user_no, created_time, updated_by, updated_time) values (${userNo}, ${tx.now}, 'system', ${tx.now})`)
}

/** Customers of the last month are given to people by a number of their own, as if they had followed their links. */
const writeBrought = async (tx: Tx) => {
  let from = 0
  for (const [index, { share = 0, channels }] of staff.entries()) {
    if (share === 0) continue
    await tx.exec(sql`
      insert into customer_promoter (customer_no, promoter_no, channel_no, register_time)
      select c.customer_no, ${numberOf(index)}, (select channel_no from promotion_channel where promotion_channel = ${channels[0]}), c.register_time
      from customer c where c.register_time >= ${addDays(tx.today, -shownDays)}::date
        and abs(hashtext(c.customer_no)) % 100 >= ${from} and abs(hashtext(c.customer_no)) % 100 < ${from + share}`)
    from += share
  }
  await recountTraffic(tx, addDays(tx.today, -shownDays), tx.today)
}

/** People who bring customers, with a month of numbers. */
export const writeTrafficPeople = async (tx: Tx): Promise<void> => {
  const hand = handFor([trafficModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - (shownDays + 1) * 86_400_000))
  const { passwordHash } = await tx.one(
    sql<{ passwordHash: string }>`select password_hash from app_user where login_id = 'admin'`,
  )
  const known = await tx.rows(sql<{ no: string; code: string }>`
    select channel_no as no, promotion_channel as code from promotion_channel`)
  for (const [index, person] of staff.entries()) {
    await writeAccount(then, person, index, passwordHash)
    await tx.flush()
    const input = {
      userNo: numberOf(index),
      version: 0,
      groupNo: person.group,
      groupHead: person.head ?? false,
      trafficKind: person.kind,
      promoterCode: person.code,
      principalMerchantNo: 'M1',
      associatedMerchantNos: ['M2', 'M3'],
      promotionChannelNos: known.filter(({ code }) => person.channels.includes(code)).map(({ no }) => no),
    }
    await hand.call(then, boss, trafficPerson.update, input as InputOf<typeof trafficPerson.update>)
  }
  await tx.flush()
  await writeBrought(tx)
  for (const [index, { left }] of staff.entries()) {
    if (!left) continue
    const actor = system('demo traffic')
    await leavePerson(tx, await lockState(tx, numberOf(index)), addDays(tx.today, -7), actor)
    await passChannelsOn(tx, numberOf(index), actor)
  }
}
