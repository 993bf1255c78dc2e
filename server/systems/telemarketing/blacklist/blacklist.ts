import { contract } from '../../../../core/contract/contract.ts'
import {
  type ImportedTeleBlock,
  importedTeleBlock,
  ownWord,
} from '../../../../core/contract/telemarketing/blacklist.ts'
import { numbersIn, standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { invalid } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { requireEvent } from '../../../states/transition.ts'
import {
  addNumbers,
  blockFlaws,
  blockListSource,
  checkAhead,
  checkMerchant,
  contactsOf,
  endAgreed,
  endBlock,
  findBlock,
  holdingsOf,
  lockBlock,
  noteSearch,
  putBlock,
} from '../../merchant/contact-block/index.ts'
import { type ListValues, listValues } from '../../risk/name-list/index.ts'

const { teleBlock } = contract
const table = 'contact_block'
const book = 'tele' as const

const list = listed({
  list: teleBlock.page,
  source: ({ session }) => blockListSource(session, book),
  check: (call, _) => noteSearch(call, call.input.phone),
  blocked: async (at, rows) => rows.map(row => blockFlaws(at, row)),
})

const detail = (lists: ListValues) =>
  serve(teleBlock.detail, async ({ tx, session, input: { blockNo } }) => {
    const { phone } = await findBlock(tx, session, book, blockNo)
    return { lists: await holdingsOf(tx, session, lists, [phone]) }
  })

const check = (lists: ListValues) =>
  serve(teleBlock.check, async ({ tx, session, input, audit }) => {
    const asked = numbersIn(input.phones).map(value => ({ value, phone: standardPhone(value) }))
    const held = await holdingsOf(tx, session, lists, [...new Set(asked.flatMap(({ phone }) => phone ?? []))])
    const now = held.filter(
      one => one.blockStatus === 'active' && (one.book !== 'contact' || one.blockScope !== 'collection'),
    )
    audit({ objectType: table, objectNo: 'check', after: { asked: asked.length, found: now.length } })
    return {
      list: asked.map(({ value, phone }) => {
        const found = now.find(one => one.phone === phone)
        return { value, book: found?.book ?? null, createdTime: found?.createdTime ?? null, wrong: phone === null }
      }),
    }
  })

const add = serve(teleBlock.add, async ({ tx, session, actor, input, audit }) => {
  const { phones, reason, merchantNo, expireTime = null } = input
  await checkMerchant(tx, session, merchantNo, book)
  checkAhead(tx, input.expireTime)
  const numbers = numbersIn(phones)
  const values = { book, reason, merchantNo: merchantNo ?? null, expireTime, blockSource: 'agent' }
  const added = await addNumbers(tx, numbers, values, ['all'], actor)
  for (const blockNo of added.flatMap(one => one.blockNos))
    audit({ objectType: table, objectNo: blockNo, after: { reason } })
  const results = added.map(({ value, outcome }) => ({ value, outcome }))
  return { results, approvalNo: null, contactOf: await contactsOf(tx, numbers) }
})

const remove = serveEach(teleBlock.remove, {
  ids: input => input.blockNos,
  async row(blockNo, call) {
    const { tx, session, actor, input, audit } = call
    const { reason } = input
    const block = await lockBlock(tx, session, book, blockNo)
    requireEvent('contactBlock', block.blockStatus, 'block.end')
    if (!ownWord.includes(block.blockSource)) {
      await endBlock(tx, block, reason, 'person', actor)
      return audit({ objectType: table, objectNo: blockNo, after: { reason } })
    }
    const approvalNo = await requestApproval(call, {
      action: 'teleBlock.remove',
      perm: 'tele:blacklist:delete',
      objectType: table,
      objectNo: blockNo,
      ...(block.merchantNo ? { merchantNo: block.merchantNo } : {}),
      version: block.version,
      payload: { version: block.version, reason },
      summary: [
        { label: 'fields.phone', before: block.phone, after: null, sensitive: true },
        { label: 'fields.teleSource', before: `dict.BLACKLIST_SOURCE.${block.blockSource}`, after: null },
        { label: 'fields.reason', before: null, after: reason },
      ],
    })
    audit({ objectType: table, objectNo: blockNo, after: { reason, approvalNo } })
  },
})

/** A number of a file. */
const take = async ({ tx, session, actor, audit }: RowCall, { phone: text, reason }: ImportedTeleBlock) => {
  await checkMerchant(tx, session, undefined, book)
  const phone = standardPhone(text)
  if (!phone) throw invalid('phone', 'validation.phoneFormat')
  const values = { book, phone, reason, blockScope: 'all' as const, blockSource: 'import' }
  const blockNo = await putBlock(tx, values, 'person', actor)
  if (!blockNo) throw new KnownRow('validation', 'errors.dataExists')
  audit({ objectType: table, objectNo: blockNo, after: { reason } })
  return blockNo
}

/** Numbers that no telemarketer, marketing robot or marketing text reaches. */
export const teleBlockModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => {
  const lists = listValues(secretKey ?? Buffer.alloc(32))
  return {
    served: [serveListed(list), detail(lists), check(lists), add, remove],
    lists: [list],
    imports: [imported({ list: teleBlock.page, schema: importedTeleBlock, row: take })],
    approvals: [{ action: 'teleBlock.remove', perm: 'tele:blacklist:delete', money: false, execute: endAgreed }],
  }
}
