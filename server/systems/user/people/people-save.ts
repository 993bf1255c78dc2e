import { sql } from 'kysely'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { people } from '../../../../core/contract/user/people.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { writePerson } from '../../../session/person.ts'
import type { Session } from '../../../session/session.ts'
import { changes } from '../../../states/changes.ts'
import { transition } from '../../../states/transition.ts'
import { peopleBlocks } from './people-blocks.ts'
import { sendLink } from './people-links.ts'
import { associatedOf, checkPlace, checkUntil, setMerchants } from './people-place.ts'
import { heldRoles, setRoles } from './people-roles.ts'
import { channelOf, lockPerson, type Person } from './people-source.ts'

type Form = Omit<ParsedOf<typeof people.update>, 'userNo' | 'version' | 'clear'>

/** Which field has a value that somebody else has, by the index that says so. */
const takenAt: Record<string, string> = {
  app_user_login: 'loginId',
  app_user_login_id_key: 'loginId',
  app_user_job_no: 'jobNo',
  app_user_extension: 'extensionNo',
  app_user_phone: 'phone',
}

const unlessTaken = async <T>(write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    const field = takenAt[violatedConstraint(error) ?? '']
    if (field) throw invalid(field, 'errors.dataExists')
    throw error
  }
}

/** The phone of somebody who has shown that it is theirs belongs to nobody else. */
const checkPhone = async (tx: Tx, phone: string | undefined, userNo: string | null): Promise<void> => {
  if (phone === undefined) return
  const other = await tx.maybe(
    sql`select 1 from app_user where phone = ${phone} and phone_verified and user_no is distinct from ${userNo}`,
  )
  if (other) throw invalid('phone', 'errors.dataExists')
}

const maySeeSalary = (session: Session) => session.sensitive.has('pii:reveal:baseSalary')

/** What is kept of a form; a salary is set by those who may see one. */
const columnsOf = (session: Session, form: Form) => {
  if (form.baseSalary !== undefined && !maySeeSalary(session)) throw new Fault('forbidden', 'errors.forbidden')
  return {
    userName: form.userName,
    realName: form.realName,
    jobNo: form.jobNo ?? null,
    deptNo: form.deptNo,
    principalMerchantNo: form.principalMerchantNo,
    extensionNo: form.extensionNo ?? null,
    internalUser: form.internalUser ?? true,
    validUntil: form.validUntil ?? null,
    ...(maySeeSalary(session) ? { baseSalary: form.baseSalary ?? null } : {}),
  }
}

/** As the audit log may hold it. */
const logged = (values: Record<string, unknown>): Record<string, unknown> => ({
  ...values,
  ...('phone' in values ? { phone: values.phone ? mask(String(values.phone)) : null } : {}),
  ...('email' in values ? { email: values.email ? mask(String(values.email)) : null } : {}),
  ...('baseSalary' in values ? { baseSalary: values.baseSalary === null ? null : '*****' } : {}),
})

const add = serve(people.add, async call => {
  const { tx, session, input, actor, audit } = call
  const merchantNos = [input.principalMerchantNo, ...(input.associatedMerchantNos ?? [])]
  await checkPlace(tx, session, { deptNo: input.deptNo, merchantNos })
  checkUntil(tx, input.validUntil)
  await checkPhone(tx, input.phone, null)
  const userNo = newNo('U', tx.now)
  const values = {
    userNo,
    loginId: input.loginId,
    ...columnsOf(session, input),
    phone: input.phone ?? null,
    email: input.email ?? null,
    passwordUpdateStatus: 1,
  }
  await unlessTaken(() => writePerson(tx, { ...values, merchantNos: [...new Set(merchantNos)] }, actor))
  const person = await tx.one(sql<Person>`select u.* from app_user u where u.user_no = ${userNo} for update`)
  const { approvalNo } = await setRoles(call, person, input.roleNos)
  const way = channelOf(person)
  if (!way) throw invalid('email', 'validation.reachable')
  await sendLink(tx, person)
  const roles = { roleNos: await heldRoles(tx, userNo), ...(approvalNo ? { approvalNo } : {}) }
  audit({ objectType: 'user', objectNo: userNo, after: logged({ ...values, merchantNos, ...roles }) })
  return { userNo, approvalNo, sentTo: mask(way.to) }
})

/** Phone and e-mail: what was changed has yet to be shown to be theirs. */
const reach = (
  person: Person,
  { phone, email, clear }: Pick<ParsedOf<typeof people.update>, 'phone' | 'email' | 'clear'>,
) => {
  const next = {
    phone: clear === 'phone' ? null : (phone ?? person.phone),
    email: clear === 'email' ? null : (email ?? person.email),
  }
  if (!next.phone && !next.email) throw invalid('email', 'validation.reachable')
  return {
    ...next,
    phoneVerified: next.phone === person.phone && person.phoneVerified,
    emailVerified: next.email === person.email && person.emailVerified,
  }
}

/** Refuses what was typed over an older version, and says who changed it since. */
const checkSeen = async (tx: Tx, person: Person, seen: number): Promise<void> => {
  if (person.version === seen) return
  const last = await tx.maybe(sql<{ actorName: string }>`
    select actor_name from audit_log where object_type = 'user' and object_no = ${person.userNo} and action like 'user.%' order by audit_no desc limit 1`)
  if (!last) return checkVersion(person, seen)
  throw new Fault('versionConflict', 'errors.changedBy', { name: last.actorName }, { version: person.version })
}

const update = serve(people.update, async call => {
  const { tx, session, input, actor, audit } = call
  const person = await lockPerson(tx, session, input.userNo)
  await checkSeen(tx, person, input.version)
  await peopleBlocks.check(call, people.update, person.userNo)
  const associated = await associatedOf(tx, person)
  const before = {
    ...person,
    associatedMerchantNos: associated.join(', '),
    roleNos: (await heldRoles(tx, person.userNo)).join(', '),
  }
  const merchantNos = [input.principalMerchantNo, ...(input.associatedMerchantNos ?? associated)]
  const isNew = (no: string) => no !== person.principalMerchantNo && !associated.includes(no)
  await checkPlace(tx, session, {
    ...(input.deptNo === person.deptNo ? {} : { deptNo: input.deptNo }),
    merchantNos: merchantNos.filter(isNew),
  })
  if (input.validUntil !== person.validUntil) checkUntil(tx, input.validUntil)
  await checkPhone(tx, input.phone, person.userNo)
  const set = { ...columnsOf(session, input), ...reach(person, input) }
  const roles = await setRoles(call, person, input.roleNos ?? (await heldRoles(tx, person.userNo)))
  const changed = await unlessTaken(() => transition(tx, 'userAccount', person, { event: 'user.update', set }, actor))
  await setMerchants(tx, person.userNo, merchantNos)
  const after = {
    ...set,
    associatedMerchantNos: (await associatedOf(tx, changed)).join(', '),
    roleNos: (await heldRoles(tx, person.userNo)).join(', '),
    ...(roles.approvalNo ? { approvalNo: roles.approvalNo } : {}),
  }
  const lines = changes(before as never, after)
  audit({ objectType: 'user', objectNo: person.userNo, before: logged(lines.before), after: logged(lines.after) })
  return { approvalNo: roles.approvalNo, version: changed.version }
})

/** Taking people in, and changing what is known of them. */
export const saveServed = [add, update]
