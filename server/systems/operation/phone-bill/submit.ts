import { sql } from 'kysely'
import {
  phoneBill as calls,
  type ImportedPhoneBill,
  importedPhoneBill,
} from '../../../../core/contract/operation/phone-bill.ts'
import { standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import { type Money, sum } from '../../../../core/rules/money.ts'
import { phoneFormat } from '../../../../core/rules/text/formats.ts'
import { networkOf } from '../../../../core/rules/text/network.ts'
import type { Tx } from '../../../db/database.ts'
import { imported, type RowCall } from '../../../files/imports/store.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { create } from '../../../states/transition.ts'
import { phoneBillSeen } from './phone-bill-store.ts'
import { checkAsked, lockRecipients, type Recipient, recipients, refusalFault, refusalOf } from './recipients.ts'

const objectType = 'phoneBill'

/** A phone of the personnel record as the vendor takes it; null where there is none. */
const phoneOf = ({ phone }: Recipient): string | null => (phone && phoneFormat.test(phone) ? phone : null)

type Asked = { userNos: readonly string[]; amount: string; purposeMonth: string; remark?: string | undefined }

/** Everybody who is asked for, apart: who gets the amount, and who is left out, and why. */
const apart = (people: readonly Recipient[], { userNos, remark }: Asked, amount: Money) => {
  if (people.length < userNos.length) throw notFound()
  const seen = people.map(person => ({
    person,
    refusal: refusalOf(person, { amount, remark, phone: phoneOf(person) }),
  }))
  return {
    taken: seen.flatMap(({ person, refusal }) => (refusal === null ? [person] : [])),
    leftOut: seen.flatMap(({ person: { userNo, realName }, refusal }) =>
      refusal === null ? [] : [{ userNo, realName, refusal }],
    ),
  }
}

const eachOnce = (asked: Asked): Asked => ({ ...asked, userNos: [...new Set(asked.userNos)].sort() })
const totalOf = (people: readonly Recipient[], amount: Money): Money => sum(people.map(() => amount))

/** What an application would come to, and who would be left out of it. */
export const check = serve(calls.check, async ({ tx, session, input }) => {
  const asked = eachOnce(input)
  const amount = checkAsked(tx, asked)
  const seen = sql`u.user_no = any(${[...asked.userNos]}) and ${phoneBillSeen(session)}`
  const { taken, leftOut } = apart(await recipients(tx, asked.purposeMonth, seen), asked, amount)
  return { headcount: taken.length, totalAmount: totalOf(taken, amount), leftOut }
})

type Wanted = {
  person: Recipient
  amount: Money
  phone: string
  purposeMonth: string
  remark?: string | undefined
  batchNo: string
  batchRow: number
}

/** Writes down what one person is to get; somebody else decides about it. */
const write = async (tx: Tx, { person, phone, remark, ...wanted }: Wanted, actor: Actor): Promise<string> => {
  const phoneBillNo = newNo('PB', tx.now)
  const { userNo, post, monthCap } = person
  const made = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
  const values = { phoneBillNo, userNo, post, monthCap, phone, network: networkOf(phone), remark: remark || null }
  await create(tx, 'phoneRecharge', { ...values, ...wanted, ...made }, { event: 'phone.submit' }, actor)
  return phoneBillNo
}

/** Asks for the same amount for several people; who may not have it is left out and named. */
export const submit = serve(calls.submit, async ({ tx, session, actor, input, audit }) => {
  const asked = eachOnce(input)
  const amount = checkAsked(tx, asked)
  const { userNos, purposeMonth, remark } = asked
  const { taken, leftOut } = apart(await lockRecipients(tx, session, { userNos, month: purposeMonth }), asked, amount)
  const [first] = leftOut
  if (taken.length === 0 && first) throw refusalFault(first.refusal)
  const batchNo = newNo('PA', tx.now)
  const phoneBillNos: string[] = []
  for (const [n, person] of taken.entries()) {
    const wanted = { person, amount, phone: String(phoneOf(person)), purposeMonth, remark, batchNo, batchRow: n + 1 }
    const phoneBillNo = await write(tx, wanted, actor)
    phoneBillNos.push(phoneBillNo)
    audit({ objectType, objectNo: phoneBillNo, after: { amount, purposeMonth, batchNo } })
  }
  return { batchNo, phoneBillNos, headcount: taken.length, totalAmount: totalOf(taken, amount), leftOut }
})

const byJobNo = async (tx: Tx, session: Session, jobNo: string): Promise<string> => {
  const found = await tx.maybe(sql<{ userNo: string }>`
    select u.user_no from app_user u where lower(u.job_no) = lower(${jobNo.trim()}) and ${phoneBillSeen(session)}`)
  if (!found) throw invalid('jobNo', 'validation.jobNoUnknown')
  return found.userNo
}

/** A row of a file: its phone may differ from the personnel record, which the second person sees. */
const take = async ({ tx, session, actor, audit, importNo, rowNo }: RowCall, row: ImportedPhoneBill) => {
  const purposeMonth = tx.today.slice(0, 7)
  const userNo = await byJobNo(tx, session, row.jobNo)
  const phone = standardPhone(row.phone)
  if (!phone) throw invalid('phone', 'validation.phoneFormat')
  const amount = checkAsked(tx, { amount: row.amount, purposeMonth })
  const [person] = await lockRecipients(tx, session, { userNos: [userNo], month: purposeMonth })
  if (!person) throw notFound()
  const { remark } = row
  const refusal = refusalOf(person, { amount, remark, phone })
  if (refusal) throw refusalFault(refusal)
  const wanted = { person, amount, phone, purposeMonth, remark, batchNo: importNo, batchRow: rowNo }
  const phoneBillNo = await write(tx, wanted, actor)
  audit({ objectType, objectNo: phoneBillNo, after: { amount, purposeMonth } })
  return phoneBillNo
}

/** Files with airtime of this month. */
export const taken = imported({ list: calls.page, schema: importedPhoneBill, row: take })
