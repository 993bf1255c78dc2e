import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import {
  type groupPurposes,
  type ImportedMember,
  importedMember,
} from '../../../../core/contract/marketing/user-group.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { scope } from '../../../rights/scope.ts'
import { type Sealer, sealerOf } from '../../../session/seal.ts'
import type { Session } from '../../../session/session.ts'
import { groupsJob } from './refresh.ts'
import { seenBy, seenToken } from './token.ts'

const { userGroups } = contract
const perm = userGroups.page.perm as string
/** How long a number stays verified. */
const goodMinutes = 30

const reach = (session: Session, code: string) =>
  scope(session, { merchant: 'g.merchant_no', holder: () => sql`true`, perm: code })

const members = (session: Session) =>
  sql`(select count(*)::int from user_group_member g where g.user_group_no = x.user_group_no and ${reach(session, perm)})`

/** Groups, each with those of its members whom the reader serves; one of nobody else's members alone is not seen. */
const list = listed({
  list: userGroups.page,
  source: ({ session }) => ({
    from: sql`user_group x`,
    alias: 'x',
    key: sql`x.user_group_no`,
    where: sql`(x.user_group_kind = 'rule' or x.created_by = ${session.userNo}
      or exists (select 1 from user_group_member g where g.user_group_no = x.user_group_no and ${reach(session, perm)}))`,
    columns: {
      groupMembers: members(session),
      createdBy: sql`coalesce((select u.real_name from app_user u where u.user_no = x.created_by), x.created_by)`,
    },
    filters: {
      userGroupName: (text: string) =>
        sql`lower(x.user_group_name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
    },
  }),
})

type Group = { userGroupName: string; refreshTime: string | null; inside: number; outside: number }
type Verified = { userGroupNo: string; purpose: ValueOf<typeof groupPurposes> }

/** The number says nothing, or nothing to this person: the two are not distinguished. */
const groupFault = () => new Fault('notFound', 'validation.groupUnverified')
export const groupSealer = (secretKey: Buffer): Sealer => sealerOf(secretKey, 'user group')

/** Whether a number was verified by a person for a purpose, of late. @throws {Fault} otherwise */
export const checkVerified = (
  sealer: Sealer,
  session: Session,
  now: Date,
  { userGroupNo, purpose, token }: Verified & { token: string },
): void => {
  const seen = seenBy<Verified>(sealer, session.userNo, token, { now, minutes: goodMinutes })
  if (seen?.userGroupNo !== userGroupNo || seen.purpose !== purpose)
    throw invalid('userGroupNo', 'validation.groupUnverified')
}

const verify = (sealer: Sealer) =>
  serve(userGroups.verify, async ({ tx, session, input: { userGroupNo, purpose }, audit }) => {
    const group = await tx.maybe(sql<Group>`
      select x.user_group_name, x.refresh_time, (count(g.phone) filter (where ${reach(session, perm)}))::int as inside,
        (count(g.phone) filter (where not ${reach(session, perm)}))::int as outside
      from user_group x left join user_group_member g using (user_group_no)
      where x.user_group_no = ${userGroupNo} and (x.expire_time is null or x.expire_time > ${tx.now}) group by x.user_group_no`)
    if (!group || group.inside === 0) throw groupFault()
    audit({ objectType: 'user_group', objectNo: userGroupNo, after: { purpose, groupMembers: group.inside } })
    const { userGroupName, refreshTime, inside, outside } = group
    const verifyToken = seenToken(sealer, session.userNo, tx.now, { userGroupNo, purpose } satisfies Verified)
    return { userGroupName, refreshTime, groupMembers: inside, outsideScope: outside, verifyToken }
  })

type Own = { userGroupNo: string; userGroupKind: string; createdBy: string }

/** The group of a name, made by the first row that names it; others' groups take no members. */
const groupOf = async ({ tx, actor }: RowCall, name: string): Promise<string> => {
  const named = sql<Own>`
    select user_group_no, user_group_kind, created_by from user_group where lower(user_group_name) = lower(${name}) for update`
  const there = await tx.maybe(named)
  if (there) {
    if (there.userGroupKind !== 'import' || there.createdBy !== actor.no)
      throw invalid('userGroupName', 'errors.dataExists')
    return there.userGroupNo
  }
  const userGroupNo = newNo('UG', tx.now)
  try {
    await tx.exec(sql`
      insert into user_group (user_group_no, user_group_name, user_group_kind, refresh_time, created_by, created_time)
      values (${userGroupNo}, ${name}, 'import', ${tx.now}, ${actor.no}, ${tx.now})`)
  } catch (error) {
    if (violatedConstraint(error) === 'user_group_name') throw invalid('userGroupName', 'errors.dataExists')
    throw error
  }
  return userGroupNo
}

const customerWith = (tx: Tx, session: Session, { merchantNo, phone }: ImportedMember) =>
  tx.maybe(sql<{ customerNo: string }>`
    select g.customer_no from merchant_customer g where g.merchant_no = ${merchantNo} and g.phone = ${phone}
      and ${reach(session, userGroups.page.importing?.perm as string)} order by g.customer_no limit 1`)

/** A number of a file: it is a customer's, of a merchant that the reader serves. */
const take = async (call: RowCall, row: ImportedMember): Promise<string> => {
  const { tx, session, audit } = call
  const { merchantNo, phone, userGroupName } = row
  const customer = await customerWith(tx, session, row)
  if (!customer) throw invalid('phone', 'validation.notCustomer')
  const userGroupNo = await groupOf(call, userGroupName)
  const memberNo = newNo('UM', tx.now)
  const added = await tx.exec(sql`
    insert into user_group_member (user_group_no, merchant_no, phone, customer_no, member_no, import_no)
    values (${userGroupNo}, ${merchantNo}, ${phone}, ${customer.customerNo}, ${memberNo}, ${call.importNo}) on conflict do nothing`)
  if (added === 0) throw new KnownRow('validation', 'errors.dataExists')
  await tx.exec(sql`
    update user_group set member_count = member_count + 1, refresh_time = ${tx.now}, version = version + 1,
      merchant_nos = case when ${merchantNo} = any(merchant_nos) then merchant_nos else merchant_nos || ${merchantNo}::text end
    where user_group_no = ${userGroupNo}`)
  audit({ objectType: 'user_group', objectNo: userGroupNo, after: { merchantNo, memberNo } })
  return memberNo
}

/** Numbered sets of customers: by rule, refreshed each morning, or brought as a file of numbers. */
export const userGroupModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => ({
  served: [serveListed(list), verify(groupSealer(secretKey))],
  lists: [list],
  imports: [imported({ list: userGroups.page, schema: importedMember, row: take })],
  scheduled: [groupsJob],
})
