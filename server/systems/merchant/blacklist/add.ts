import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { ImportedBarred } from '../../../../core/contract/merchant/blacklist.ts'
import { nameLists } from '../../../../core/contract/risk/name-list.ts'
import { type ListDimension, valuesIn } from '../../../../core/rules/text/name-list.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { attachUpload, keepAsEvidence, lockReady } from '../../../files/uploads/stored.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'
import { orderScope } from '../../order/order/index.ts'
import {
  checkEnd,
  itemTable,
  type ListValues,
  listSeen,
  lookAt,
  type NameList,
  namedBy,
  putOn,
} from '../../risk/name-list/index.ts'

const { blacklist } = contract
export const page = 'loans:blacklist:page'
type Said = Pick<ParsedOf<typeof blacklist.add>, 'reasonCode' | 'remark' | 'merchantNo' | 'expireTime' | 'evidenceFile'>
type Outcome = 'added' | 'exists' | 'format' | 'waits'
type Value = { dimension: ListDimension; text: string }
type By = Pick<Call, 'tx' | 'session' | 'actor' | 'audit'>

/** The list that people fill for a dimension and a merchant, or for all of them; it is made with its first entry. */
export const handList = async (
  tx: Tx,
  dimension: ListDimension,
  merchantNo: string | null,
  actor: Actor,
): Promise<NameList> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`list by hand ${dimension} ${merchantNo}`}))`)
  const found = await tx.maybe(sql<NameList & { enabled: string }>`
    select * from name_list where by_hand and dimension = ${dimension} and merchant_no is not distinct from ${merchantNo} and deleted_time is null`)
  if (found && found.enabled !== 'enabled')
    throw new Fault('stateConflict', 'errors.listOff', { name: found.nameListName })
  if (found) return found
  const nameListName = `MANUAL_${dimension.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}${merchantNo ? `_${merchantNo}` : ''}`
  const list = {
    nameListNo: newNo('NL', tx.now),
    nameListName,
    listKind: 'black' as const,
    dimension,
    merchantNo,
    defaultMonths: 12,
    feedKey: null,
  }
  const item = {
    ...list,
    listEffect: 'refuse',
    byHand: true,
    createdTime: tx.now,
    updatedBy: actor.no,
    updatedTime: tx.now,
  }
  await create(tx, nameLists.machine, item, { event: 'item.create' }, actor)
  await transition(tx, nameLists.machine, { ...item, enabled: 'disabled', version: 0 }, { event: 'item.enable' }, actor)
  await tx.flush()
  return list
}

/** Whom a new entry is for: all merchants are headquarters', one must be of the reader's own. */
const checkScope = async (tx: Tx, session: Session, merchantNo: string | undefined): Promise<void> => {
  if (!merchantNo) {
    if (!session.headquarters) throw invalid('merchantNo', 'errors.headquartersOnly')
    return
  }
  const seen = await tx.maybe(
    sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${listSeen(session, 'x', page)}`,
  )
  if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
}

/** Staff, and who is related to them, are barred with the personnel number of the person. */
const checkReason = async (tx: Tx, { reasonCode, remark }: Pick<Said, 'reasonCode' | 'remark'>): Promise<void> => {
  if (reasonCode === 'trusted') throw invalid('reasonCode', 'validation.wrongValue')
  if (reasonCode !== 'staff_related') return
  const staff = await tx.maybe(sql`select 1 from app_user where job_no = ${remark ?? ''} or user_no = ${remark ?? ''}`)
  if (!staff) throw invalid('remark', 'validation.jobNoNeeded')
}

/** Loans that are open to whom some hashes name; nothing happens to them. */
const openTo = async (tx: Tx, hashes: RawBuilder<unknown>) =>
  tx.one(sql<{ openLoans: number; openAmount: string }>`
    select count(*)::int as open_loans, coalesce(sum(o.loan_amount), 0)::numeric(18,2) as open_amount from loan_order o
    where o.order_status = 'funds_disbursed' and o.order_no in (select v.order_no from order_list_value v where v.value_hash = any(${hashes}::text[]))`)

const evidenceOf = async (tx: Tx, uploadNo: string, nameListNo: string, actor: Actor): Promise<string> => {
  await lockReady(tx, uploadNo, { purpose: 'attachment', userNo: actor.no })
  const attachNo = await attachUpload(tx, uploadNo, 'barred', nameListNo, actor)
  await keepAsEvidence(tx, { objectType: 'barred', objectNo: nameListNo, decision: 'item.add' })
  return attachNo
}

/** Puts values on the lists of their dimensions: for one merchant at once, for all of them with a second person. */
const bar = async (call: By, lists: ListValues, given: readonly Value[], said: Said) => {
  const { tx, session, actor, audit } = call
  await checkScope(tx, session, said.merchantNo)
  await checkReason(tx, said)
  checkEnd(tx, said.expireTime)
  const [waits, merchantNo] = [!said.merchantNo, said.merchantNo ?? null]
  const of = new Map<ListDimension, NameList>()
  for (const { dimension } of given)
    if (!of.has(dimension)) of.set(dimension, await handList(tx, dimension, merchantNo, actor))
  const first = of.get(given[0]?.dimension as ListDimension)
  if (!first) throw invalid('values', 'validation.infoComplete')
  const evidenceNo = await evidenceOf(tx, said.evidenceFile, first.nameListNo, actor)
  const { reasonCode, remark = null, expireTime = null } = said
  const results: { value: string; outcome: Outcome }[] = []
  const [hashes, fresh]: [string[], Value[]] = [[], []]
  for (const { dimension, text } of given) {
    const list = of.get(dimension) as NameList
    const found = await lookAt(tx, lists, list, text)
    const taken = found.outcome === 'added' && !hashes.includes(found.hash)
    results.push({
      value: text,
      outcome: found.outcome === 'added' ? (taken ? (waits ? 'waits' : 'added') : 'exists') : found.outcome,
    })
    if (found.outcome !== 'added' || !taken) continue
    hashes.push(found.hash)
    fresh.push({ dimension, text: found.value })
    if (waits) continue
    const itemNo = await putOn(
      tx,
      lists,
      list,
      found,
      { reasonCode, remark, expireTime, evidenceNo, listSource: 'manual' },
      actor,
    )
    audit({ objectType: itemTable, objectNo: itemNo, after: { reasonCode, merchantNo } })
  }
  const approvalNo =
    waits && fresh.length ? await ask(call, lists, fresh, { reasonCode, remark, expireTime, evidenceNo }) : null
  if (approvalNo) audit({ objectType: itemTable, objectNo: approvalNo, after: { waits: fresh.length, approvalNo } })
  return { results, approvalNo, ...(await openTo(tx, sql`${hashes}`)) }
}

type Waiting = { sealed: { dimension: ListDimension; value: string }[]; owner: string } & Omit<
  Said,
  'merchantNo' | 'evidenceFile'
> & { evidenceNo: string }

/** Asks a second person to bar values with every merchant; what they are is sealed until then. */
const ask = (
  call: By,
  lists: ListValues,
  fresh: readonly Value[],
  said: { reasonCode: string; remark: string | null; expireTime: string | null; evidenceNo: string },
): Promise<string> => {
  const owner = newNo('BA', call.tx.now)
  const sealed = fresh.map(({ dimension, text }) => ({ dimension, value: lists.seal(text, owner) }))
  return requestApproval(call, {
    action: 'blacklist.add',
    perm: 'loans:blacklist',
    objectType: 'barred',
    objectNo: owner,
    version: 0,
    payload: { sealed, owner, ...said },
    summary: [
      { label: 'fields.newItems', before: null, after: String(fresh.length) },
      {
        label: 'fields.dimension',
        before: null,
        after: [...new Set(fresh.map(one => `dict.LIST_DIMENSION.${one.dimension}`))].join(', '),
      },
      { label: 'fields.reasonCode', before: null, after: `dict.LIST_REASON.${said.reasonCode}` },
      { label: 'fields.remark', before: null, after: said.remark },
    ],
  })
}

export const addValues = (lists: ListValues) =>
  serve(blacklist.add, ({ input: { dimension, values, ...said }, ...call }) =>
    bar(
      call,
      lists,
      valuesIn(values).map(text => ({ dimension, text })),
      said,
    ),
  )

type Whole = { walletAccount: string | null; bankCardNo: string | null; deviceId: string | null }

/** What is known of a customer: who they are, and the accounts and devices of their applications. */
const knownOf = async (tx: Tx, session: Session, customerNo: string): Promise<Value[]> => {
  const latest = await tx.maybe(sql<{ orderNo: string; merchantNo: string }>`
    select o.order_no, o.merchant_no from loan_order o where o.customer_no = ${customerNo} and ${orderScope(session)} order by o.apply_time desc limit 1`)
  if (!latest) throw notFound()
  const none = { walletAccount: null, bankCardNo: null, device: null }
  const person = await namedBy(tx, { ...latest, ...none, customerNo })
  const used = await tx.rows(sql<Whole>`
    select distinct o.wallet_account, o.bank_card_no, o.device ->> 'deviceId' as device_id from loan_order o where o.customer_no = ${customerNo} and ${orderScope(session)}`)
  const all = [person, ...used].flatMap(one => Object.entries(one)) as [ListDimension, string | null][]
  const known = new Map(
    all.flatMap(([dimension, text]) => (text ? [[`${dimension} ${text}`, { dimension, text }]] : [])),
  )
  return [...known.values()]
}

export const addPerson = (lists: ListValues) =>
  serve(blacklist.addPerson, async ({ input: { customerNo, dimensions, ...said }, ...call }) => {
    const known = await knownOf(call.tx, call.session, customerNo)
    const chosen = known.filter(({ dimension }) => dimensions.includes(dimension))
    const answer = await bar(call, lists, chosen, said)
    // What is known of a person is not shown to whom bars them.
    const words = chosen.map(({ dimension }) => dimension)
    return { ...answer, results: answer.results.map((one, at) => ({ ...one, value: String(words[at]) })) }
  })

/** A value of a file, for one merchant: the file is what it rests on. */
export const takeBarred =
  (lists: ListValues) =>
  async ({ tx, session, actor, audit, importNo }: RowCall, row: ImportedBarred): Promise<string> => {
    const { dimension, reason: reasonCode, merchantNo, remark } = row
    await checkScope(tx, session, merchantNo)
    await checkReason(tx, { reasonCode, remark })
    const list = await handList(tx, dimension, merchantNo, actor)
    const found = await lookAt(tx, lists, list, row.listValue)
    if (found.outcome === 'format')
      throw invalid('listValue', 'validation.listFormat', { dimension: `dict.LIST_DIMENSION.${dimension}` })
    if (found.outcome === 'exists') throw new KnownRow('validation', 'errors.dataExists')
    const itemNo = await putOn(
      tx,
      lists,
      list,
      found,
      { reasonCode, remark: remark ?? null, listSource: 'import' },
      actor,
    )
    audit({ objectType: itemTable, objectNo: itemNo, after: { reasonCode, merchantNo, importNo } })
    return itemNo
  }

/** Bars values with every merchant once a second person agrees. */
export const addAgreed = (lists: ListValues): ApprovalAction => ({
  action: 'blacklist.add',
  perm: 'loans:blacklist',
  money: false,
  async execute(tx, { payload, maker }) {
    const { sealed, owner, reasonCode, remark = null, expireTime = null, evidenceNo } = payload as unknown as Waiting
    for (const { dimension, value } of sealed) {
      const list = await handList(tx, dimension, null, maker)
      const found = await lookAt(tx, lists, list, lists.open(value, owner))
      if (found.outcome === 'added')
        await putOn(tx, lists, list, found, { reasonCode, remark, expireTime, evidenceNo, listSource: 'manual' }, maker)
    }
  },
})
