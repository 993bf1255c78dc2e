import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type ImportedBlock, importedBlock } from '../../../../core/contract/merchant/contact-block.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import { type BlockScope, covers, numbersIn, standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve, serveEach } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { removedBy } from './list.ts'
import {
  addNumbers,
  type Block,
  type BlockValues,
  blockSeen,
  endBlock,
  endCovered,
  isOwn,
  lockBlock,
  putBlock,
} from './store.ts'

const { contactBlock } = contract
const table = 'contact_block'
const book = 'contact' as const
/** Reasons for which a customer's own number is kept from collection, with a second person. */
const ownReasons: readonly string[] = ['legal', 'deceased']

/** Who a new entry is for: all merchants are headquarters', one must be of the reader's own. */
export const checkMerchant = async (
  tx: Tx,
  session: Session,
  merchantNo: string | undefined,
  of: 'contact' | 'tele',
) => {
  if (!merchantNo) {
    if (!session.headquarters) throw invalid('merchantNo', 'errors.headquartersOnly')
    return
  }
  const seen = await tx.maybe(
    sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${blockSeen(session, 'x', of)}`,
  )
  if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
}

export const checkAhead = (tx: Tx, expireTime: string | undefined) => {
  if (expireTime && Date.parse(expireTime) <= tx.now.getTime()) throw invalid('expireTime', 'validation.timePassed')
}

/** Orders on loan that name one of some numbers as a contact. */
export const contactsOf = async (tx: Tx, numbers: readonly string[]): Promise<number> => {
  const phones = numbers.flatMap(one => standardPhone(one) ?? [])
  const { count } = await tx.one(sql<{ count: number }>`
    select count(distinct o.order_no)::int as count from order_contact oc join loan_order o using (order_no)
    where oc.contact_phone = any(${phones}::text[]) and o.order_status = 'funds_disbursed'`)
  return count
}

const touchesCollection = (scope: BlockScope) => scope === 'all' || scope === 'collection'

/** A customer's own number is not kept from collection, but by law or after a death, and then by two people. */
const held = (tx: Tx, blockReason: string) => async (phone: string, scope: BlockScope) => {
  if (!touchesCollection(scope) || !(await isOwn(tx, phone))) return null
  return ownReasons.includes(blockReason) ? ('waits' as const) : ('own' as const)
}

const add = serve(contactBlock.add, async call => {
  const { tx, session, actor, input, audit } = call
  const { phones, blockScopes, linkedCustomerNo = null, merchantNo, ...rest } = input
  await checkMerchant(tx, session, merchantNo, book)
  checkAhead(tx, input.expireTime)
  if (linkedCustomerNo && !(await tx.maybe(sql`select 1 from customer where customer_no = ${linkedCustomerNo}`)))
    throw invalid('linkedCustomerNo', 'validation.wrongValue')
  const numbers = numbersIn(phones)
  const values = { ...rest, book, blockSource: 'agent', linkedCustomerNo, merchantNo: merchantNo ?? null }
  const added = await addNumbers(tx, numbers, values, blockScopes, actor, held(tx, input.blockReason))
  const waits = added.filter(one => one.outcome === 'waits').map(one => standardPhone(one.value) as string)
  const approvalNo = waits.length ? await askOwn(call, waits, values, blockScopes) : null
  for (const blockNo of added.flatMap(one => one.blockNos))
    audit({ objectType: table, objectNo: blockNo, after: { blockReason: input.blockReason, blockScopes } })
  if (approvalNo) audit({ objectType: table, objectNo: approvalNo, after: { waits: waits.length, approvalNo } })
  const results = added.map(({ value, outcome }) => ({ value, outcome }))
  return { results, approvalNo, contactOf: await contactsOf(tx, numbers) }
})

type Waiting = { phones: string[]; scopes: BlockScope[]; values: Omit<BlockValues, 'phone' | 'blockScope'> }

const askOwn = (
  call: Pick<Call, 'tx' | 'session' | 'actor'>,
  phones: string[],
  values: Waiting['values'],
  scopes: readonly BlockScope[],
): Promise<string> =>
  requestApproval(call, {
    action: 'contactBlock.own',
    perm: 'contact:blacklist:save',
    objectType: table,
    objectNo: phones.length === 1 ? `own:${phones[0]}` : `own:${call.actor.requestId}`.slice(0, 40),
    ...(values.merchantNo ? { merchantNo: values.merchantNo } : {}),
    version: 0,
    payload: { phones, scopes: scopes.filter(touchesCollection), values },
    summary: [
      { label: 'fields.phone', before: null, after: phones.join(', '), sensitive: true },
      { label: 'fields.blockScope', before: null, after: scopes.map(one => `dict.BLOCK_SCOPE.${one}`).join(', ') },
      { label: 'fields.blockReason', before: null, after: `dict.BLOCK_REASON.${values.blockReason}` },
    ],
  })

const change = serveEach(contactBlock.change, {
  ids: input => input.blockNos,
  async row(blockNo, call) {
    const { tx, session, input, audit } = call
    const block = await lockBlock(tx, session, book, blockNo)
    const { blockScope } = input
    requireEvent('contactBlock', block.blockStatus, 'block.change')
    if (block.blockScope === blockScope) throw new Fault('stateConflict', 'errors.dataExists')
    if ((await held(tx, String(block.blockReason))(block.phone, blockScope)) === 'own')
      throw new Fault('validation', 'errors.blockOwn')
    if (covers(blockScope, block.blockScope)) {
      await widen(tx, block, blockScope, call)
      return audit({
        objectType: table,
        objectNo: blockNo,
        before: { blockScope: block.blockScope },
        after: { blockScope },
      })
    }
    const approvalNo = await requestApproval(call, {
      action: 'contactBlock.change',
      perm: 'contact:blacklist:save',
      objectType: table,
      objectNo: blockNo,
      ...(block.merchantNo ? { merchantNo: block.merchantNo } : {}),
      version: block.version,
      payload: { version: block.version, blockScope },
      summary: [
        { label: 'fields.phone', before: null, after: block.phone, sensitive: true },
        {
          label: 'fields.blockScope',
          before: `dict.BLOCK_SCOPE.${block.blockScope}`,
          after: `dict.BLOCK_SCOPE.${blockScope}`,
        },
      ],
    })
    audit({ objectType: table, objectNo: blockNo, after: { blockScope, approvalNo } })
  },
})

const widen = async (tx: Tx, block: Block, blockScope: BlockScope, { actor }: Pick<Call, 'actor'>) => {
  await endCovered(tx, { ...block, blockScope }, block.blockNo, actor)
  await transition(
    tx,
    'contactBlock',
    block,
    { event: 'block.change', set: { blockScope }, payload: { blockScope } },
    actor,
  )
}

const remove = serve(contactBlock.remove, async call => {
  const { tx, session, actor, input, audit } = call
  const { blockNo, reason, proofFile, version } = input
  const block = await lockBlock(tx, session, book, blockNo)
  checkVersion(block, version)
  requireEvent('contactBlock', block.blockStatus, 'block.end')
  const cooling = removedBy(
    { tx, session },
    { ...block, pendingApproval: null, blockReason: String(block.blockReason) },
  )
  if (cooling) throw new Fault('stateConflict', cooling.reason as Key)
  const of = { objectType: 'contactBlock', objectNo: blockNo, decision: 'block.end' }
  const proof = await attachEvidence(tx, proofFile, of, actor)
  const approvalNo = await requestApproval(call, {
    action: 'contactBlock.remove',
    perm: 'contact:blacklist:remove',
    objectType: table,
    objectNo: blockNo,
    ...(block.merchantNo ? { merchantNo: block.merchantNo } : {}),
    version: block.version,
    payload: { version: block.version, reason },
    summary: [
      { label: 'fields.phone', before: block.phone, after: null, sensitive: true },
      { label: 'fields.blockScope', before: `dict.BLOCK_SCOPE.${block.blockScope}`, after: null },
      { label: 'fields.reason', before: null, after: reason },
      { label: 'fields.proofFile', before: null, after: proof.evidence },
    ],
  })
  audit({ objectType: table, objectNo: blockNo, after: { reason, approvalNo, ...proof } })
  return { approvalNo }
})

/** A number of a file. */
const take = async ({ tx, session, actor, audit }: RowCall, row: ImportedBlock): Promise<string> => {
  await checkMerchant(tx, session, row.merchantNo, book)
  const phone = standardPhone(row.phone)
  if (!phone) throw invalid('phone', 'validation.phoneFormat')
  if (await held(tx, row.blockReason)(phone, row.blockScope)) throw invalid('phone', 'errors.blockOwn')
  const { blockScope, blockReason, merchantNo = null, remark = null } = row
  const values = { book, phone, blockScope, blockReason, merchantNo, remark, blockSource: 'import' }
  const blockNo = await putBlock(tx, values, 'person', actor)
  if (!blockNo) throw new KnownRow('validation', 'errors.dataExists')
  audit({ objectType: table, objectNo: blockNo, after: { blockScope, blockReason } })
  return blockNo
}

const lockActive = async (tx: Tx, blockNo: string): Promise<Block> => {
  const block = await tx.one(sql<Block>`select * from contact_block where block_no = ${blockNo} for update`)
  requireEvent('contactBlock', block.blockStatus, 'block.end')
  return block
}

/** Ends an entry to which a second person agreed. */
export const endAgreed: ApprovalAction['execute'] = async (tx, { objectNo, payload, checker }) => {
  await endBlock(tx, await lockActive(tx, objectNo), String(payload.reason), 'person', checker)
}

/** What happens when a second person agrees. */
const approvals: ApprovalAction[] = [
  {
    action: 'contactBlock.own',
    perm: 'contact:blacklist:save',
    money: false,
    async execute(tx, { payload, maker }) {
      const { phones, scopes, values } = payload as Waiting
      for (const phone of phones)
        for (const blockScope of scopes) await putBlock(tx, { ...values, phone, blockScope }, 'person', maker)
    },
  },
  {
    action: 'contactBlock.change',
    perm: 'contact:blacklist:save',
    money: false,
    async execute(tx, { objectNo, payload, checker }) {
      await widen(tx, await lockActive(tx, objectNo), payload.blockScope as BlockScope, { actor: checker })
    },
  },
  { action: 'contactBlock.remove', perm: 'contact:blacklist:remove', money: false, execute: endAgreed },
]

/** Handlers of the do-not-contact list that change it, and what decides with a second person. */
export const blockParts = {
  served: [add, change, remove],
  imports: [imported({ list: contactBlock.page, schema: importedBlock, row: take })],
  approvals,
}
