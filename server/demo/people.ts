import { sql } from 'kysely'
import { addDays } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'
import { system } from '../rights/actor.ts'
import { freezePerson, leavePerson, lockState, writePerson } from '../session/person.ts'
import { demoAccounts } from './accounts.ts'

const given = [
  'Aisha',
  'Benard',
  'Christine',
  'Derrick',
  'Edith',
  'Farouk',
  'Gertrude',
  'Herbert',
  'Immaculate',
  'Julius',
]
const family = ['Nankya', 'Odoch', 'Kirabo', 'Mwesigwa', 'Atim']

/** Where a colleague of each kind works: most of them call customers. */
const posts = [
  ['collector', 'D31'],
  ['collector', 'D32'],
  ['customerService', 'D4'],
  ['telemarketer', 'D5'],
  ['telemarketer', 'D5'],
  ['merchantViewer', 'D6'],
  ['collector', 'D31'],
  ['collectorLate', 'D32'],
  ['customerService', 'D9'],
  ['telemarketer', 'D5'],
  ['agencyCollector', 'D33'],
  ['merchantViewer', 'D6'],
  ['risk', 'D7'],
  ['operations', 'D8'],
] as const

type Colleague = { userNo: string; loginId: string }

const writeColleagues = async (tx: Tx, passwordHash: string): Promise<Colleague[]> => {
  const made: Colleague[] = []
  for (const [index, first] of given.entries())
    for (const [at, last] of family.entries()) {
      const n = index * family.length + at
      const [role, deptNo] = posts[n % posts.length] as (typeof posts)[number]
      const loginId = `${first}.${last}`.toLowerCase()
      const userNo = `U${String(501 + n)}`
      const names = { loginId, userName: first, realName: `${first} ${last}`, jobNo: `NC${2000 + n}` }
      const reach = { phone: `25677${String(5_000_000 + n * 91)}`, email: `${loginId}@nilecredit.example` }
      const place = { deptNo, principalMerchantNo: 'M1', merchantNos: n % 3 ? ['M1', 'M2'] : ['M1'] }
      const known = {
        emailVerified: n % 4 > 0,
        phoneVerified: n % 5 > 1,
        internalUser: n % 7 > 0,
        extensionNo: String(600 + n),
      }
      await writePerson(tx, { userNo, ...names, ...reach, ...place, ...known, passwordHash }, system('demo people'))
      await tx.exec(sql`insert into user_role values (${userNo}, ${role})`)
      made.push({ userNo, loginId })
    }
  return made
}

/** About fifty more colleagues, and an account in each trouble that an administrator meets. */
export const writePeople = async (tx: Tx): Promise<void> => {
  const { passwordHash } = await tx.one(
    sql<{
      passwordHash: string
    }>`select password_hash from app_user where login_id = ${demoAccounts[0]?.loginId ?? 'admin'}`,
  )
  const actor = system('demo people')
  const [gone, expired, stopped, ending, locked, flagged, busy, both] = await writeColleagues(tx, passwordHash)
  const state = (one: Colleague | undefined) => lockState(tx, one?.userNo ?? '')
  await leavePerson(tx, await state(gone), addDays(tx.today, -12), actor)
  await freezePerson(tx, await state(expired), { reason: 'expired' }, actor)
  await freezePerson(tx, await state(stopped), { reason: 'security' }, actor)
  await tx.exec(sql`update app_user set valid_until = ${addDays(tx.today, 1)} where user_no = ${ending?.userNo}`)
  await tx.exec(sql`
    insert into login_throttle (login_id, window_start, locked_until, locks)
    values (${locked?.loginId}, ${tx.now}, ${new Date(tx.now.getTime() + 3_600_000)}, 1)`)
  await tx.exec(sql`update app_user set password_update_status = 2 where user_no = ${flagged?.userNo}`)
  for (const one of [busy, both])
    for (const role of ['collector', 'customerService', 'telemarketer', 'merchantViewer'])
      await tx.exec(sql`insert into user_role values (${one?.userNo}, ${role}) on conflict do nothing`)
}
