import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { BlockScope, ContactKind, ContactMedium } from '../../../core/rules/contact/contact-block.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Database, Tx } from '../../db/database.ts'
import { type Actor, system } from '../../rights/actor.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { contactBlockModule } from '../../systems/merchant/contact-block/contact-block.ts'
import {
  type Block,
  type BlockValues,
  endBlock,
  noteStop,
  putBlock,
} from '../../systems/merchant/contact-block/index.ts'
import { at, handFor } from '../hand.ts'
import { randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'

const hour = 3_600_000
const scopes: readonly BlockScope[] = ['collection', 'telemarketing', 'marketing', 'all']
const reasons = ['not_related', 'asked_to_stop', 'complaint', 'wrong_number', 'deceased', 'legal', 'staff']
const sources = ['agent', 'agent', 'sms_stop', 'network', 'app', 'robot', 'privacy', 'import']
const teleSources = ['agent', 'do_not_call', 'sms_stop', 'robot', 'import', 'privacy']
const said = ['Asked not to be called again', 'Rude to the caller', 'Works for a competitor', 'Called too often']

/** What was tried and stopped: a use that the scope of an entry forbids. */
const stoppedBy: Readonly<Record<BlockScope, readonly [ContactKind, ContactMedium, string]>> = {
  collection: ['collection', 'call', 'Collector'],
  telemarketing: ['marketing', 'robot', 'Robot task'],
  marketing: ['marketing', 'text', 'SMS task'],
  all: ['reminder', 'text', 'Message engine'],
}

const writeBlocks = async (tx: Tx): Promise<void> => {
  const random = randomFrom(31)
  const actor: Actor = { ...system('demo'), no: userNoOf('admin'), name: 'Admin' }
  const { admin } = await tx.one(
    sql<{ admin: string }>`select real_name as admin from app_user where user_no = ${actor.no}`,
  )
  const phone = () => `25679${random.int(1_000_000, 9_999_999)}`
  const put = async (values: BlockValues, hours: number) => {
    const byStaff = values.blockSource === 'agent' || values.blockSource === 'import'
    const by = { ...actor, ...(byStaff ? { name: admin } : { no: 'system', name: 'system' }) }
    const then = at(tx, new Date(tx.now.getTime() - hours * hour))
    const blockNo = await putBlock(then, values, byStaff ? 'person' : 'system', by)
    if (byStaff && blockNo)
      writeAudit(then, { action: 'contactBlock.add', path: contract.contactBlock.add.path, actor: by }, [
        { objectType: 'contactBlock', objectNo: blockNo, after: { blockSource: values.blockSource } },
      ])
    return blockNo
  }
  const ended: string[] = []
  for (let n = 0; n < 120; n++) {
    const blockScope = scopes[n % scopes.length] as BlockScope
    const blockReason = reasons[n % reasons.length] as string
    const blockSource = sources[n % sources.length] as string
    const values = { book: 'contact', phone: phone(), blockScope, blockReason, blockSource } as const
    const relation = n % 5 === 0 ? 'sibling' : null
    const blockNo = await put({ ...values, relation }, 4 + n * 7)
    await tx.flush()
    if (n % 4 === 0 && blockNo) {
      const [kind, medium, byName] = stoppedBy[blockScope]
      const found = { phone: values.phone, reason: 'blacklisted', blockNo, itemNo: null } as const
      const when = at(tx, new Date(tx.now.getTime() - (n + 1) * hour))
      await noteStop(when, found, { kind, medium, byName, merchantNo: null })
    }
  }
  for (let n = 0; n < 60; n++) {
    const blockSource = teleSources[n % teleSources.length] as string
    const expireTime = n < 2 ? new Date(tx.now.getTime() + 20 * hour).toISOString() : null
    const values = { book: 'tele', phone: phone(), blockScope: 'all', blockSource } as const
    const blockNo = await put({ ...values, reason: said[n % said.length] as string, expireTime }, 3 + n * 11)
    if (n % 20 === 6 && blockNo) ended.push(blockNo)
  }
  await tx.flush()
  for (const blockNo of ended) {
    const block = await tx.one(sql<Block>`select * from contact_block where block_no = ${blockNo} for update`)
    await endBlock(tx, block, 'The customer called and asked for offers', 'person', { ...actor, name: admin })
    writeAudit(
      tx,
      { action: 'teleBlock.remove', path: contract.teleBlock.remove.path, actor: { ...actor, name: admin } },
      [{ objectType: 'contactBlock', objectNo: blockNo, after: { ended: true } }],
    )
  }
  await tx.flush()
  await askNarrower(tx)
}

/** Two changes that a second person has yet to decide. */
const askNarrower = async (tx: Tx): Promise<void> => {
  const module_ = contactBlockModule()
  const hand = handFor([module_, approvalModule(module_.approvals ?? [])])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  if (!boss) return
  const wide = await tx.rows(sql<{ no: string }>`
    select block_no as no from contact_block where book = 'contact' and block_scope = 'all' and block_reason not in ('complaint', 'asked_to_stop') order by created_time desc limit 2`)
  const blockNos = wide.map(({ no }) => no)
  await hand.call(tx, boss, contract.contactBlock.change, { blockNos, blockScope: 'collection' })
}

/** Writes them where there are none yet. */
export const keepContactBlocks = (db: Database): Promise<void> =>
  db.withTx(async tx => {
    if (!(await tx.maybe(sql`select 1 from contact_block limit 1`))) await writeBlocks(tx)
  })
