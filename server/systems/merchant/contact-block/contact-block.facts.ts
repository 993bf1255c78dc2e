import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done, waits } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { endBlock, putBlock } from './store.ts'

const { contactBlock, teleBlock } = contract
let made = 0
const phone = () => `25678${String(1_000_000 + ++made)}`

/** Blocks a fresh number; answers its entry. */
const blocked = async (fixture: Fixture, change: object = {}): Promise<string> => {
  const number = phone()
  await done(fixture, contactBlock.add, {
    phones: number,
    blockScopes: ['marketing'],
    blockReason: 'not_related',
    ...change,
  })
  const { no } = await fixture.one(
    sql<{ no: string }>`select block_no as no from contact_block where phone = ${number}`,
  )
  return no
}

const teleBlocked = async (fixture: Fixture, change: object = {}): Promise<string> => {
  const number = phone()
  await done(fixture, teleBlock.add, { phones: number, reason: 'said so on the phone', ...change })
  const { no } = await fixture.one(
    sql<{ no: string }>`select block_no as no from contact_block where phone = ${number}`,
  )
  return no
}

const actor = { no: 'system', name: 'system', requestId: 'fixture', ip: null }
/** An entry that came by itself: a customer asked not to be called. */
const heard = (fixture: Fixture, change: object = {}) =>
  fixture.db.withTx(async tx => {
    const values = {
      book: 'tele',
      phone: phone(),
      blockScope: 'all',
      blockSource: 'do_not_call',
      reason: 'asked',
    } as const
    return String(await putBlock(tx, { ...values, ...change }, 'system', actor))
  })

const pendingOf = async (fixture: Fixture, objectNo: string): Promise<string> => {
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select approval_no as no from approval where object_no = ${objectNo} and approval_status = 'pending'`,
  )
  return no
}

const removal = async (fixture: Fixture) => {
  const no = await blocked(fixture, { merchantNo: 'M1' })
  const proofFile = await readyFile(fixture.db, fixture.boss.userNo)
  return { no, input: { blockNo: no, version: 0, reason: 'asked to be called again', proofFile } }
}

const inHours = (fixture: Fixture, hours: number) =>
  new Date(fixture.clock.now().getTime() + hours * 3_600_000).toISOString()

const file = async (fixture: Fixture, header: string, line: string) => {
  const bytes = Buffer.from(`${header}\n${line}\n`)
  return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'list.csv', bytes }) }
}

const copies = `jsonb_build_object(${prefixed('block_no')}, 'phone', '2567900' || lpad(n::text, 5, '0'), ${at('created_time')}, 'expire_time', x.created_time + n % 4 * interval '9 days', 'blocked_count', n % 4`

const record = {
  fields: ['blockNo', 'blockNos'],
  table: 'contact_block',
  key: 'block_no',
  owners: sql`select block_no as no, merchant_no, '{}'::text[] as holders from contact_block where merchant_no is not null`,
  unheld: true,
} as const

export default facts({
  machines: {
    contactBlock: {
      row: {
        blockNo: 'CB1',
        book: 'contact',
        phone: '256772000099',
        blockScope: 'all',
        blockReason: 'complaint',
        blockSource: 'agent',
        createdBy: 'U1',
        createdByName: 'Person U1',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    {
      call: contactBlock.change,
      make: async fixture => {
        const no = await blocked(fixture, { merchantNo: 'M1' })
        return { no, input: { blockNos: [no], blockScope: 'all' } }
      },
    },
    {
      call: contactBlock.remove,
      make: removal,
      fires: waits,
    },
    {
      call: teleBlock.remove,
      make: async fixture => {
        const no = await teleBlocked(fixture, { merchantNo: 'M1' })
        return { no, input: { blockNos: [no], reason: 'a mistake' } }
      },
    },
  ],
  beginnings: [
    {
      call: contactBlock.add,
      input: () => ({ phones: phone(), blockScopes: ['all'], blockReason: 'wrong_number' }),
    },
    { call: teleBlock.add, input: () => ({ phones: phone(), reason: 'asked' }) },
    {
      call: contactBlock.page.importing!.command,
      input: fixture =>
        file(fixture, 'phone,blockScope,blockReason,merchantNo,remark', `${phone()},all,asked_to_stop,,`),
    },
    { call: teleBlock.page.importing!.command, input: fixture => file(fixture, 'phone,reason', `${phone()},asked`) },
  ],
  ways: [
    way('a number is blocked by itself, ends by itself, and another one by its time', async fixture => {
      const no = await heard(fixture)
      await fixture.db.withTx(async tx => {
        const block = await tx.one(sql<never>`select * from contact_block where block_no = ${no} for update`)
        await endBlock(tx, block, 'START', 'system', actor)
      })
      await blocked(fixture, { expireTime: inHours(fixture, 1) })
      await fixture.pass(2 * 60)
      await fixture.tick('blockExpire')
    }),
    way('a number is let go by two people', async fixture => {
      const { no, input } = await removal(fixture)
      await done(fixture, contactBlock.remove, input)
      await fixture.agree(await pendingOf(fixture, no))
    }),
  ],
  approvals: [
    {
      action: 'contactBlock.own',
      ask: async fixture => {
        await fixture.disbursed()
        const own = await fixture.one(sql<{ phone: string }>`select phone from customer limit 1`)
        const input = { phones: own.phone, blockScopes: ['collection'], blockReason: 'deceased' }
        return String((await done(fixture, contactBlock.add, input)).approvalNo)
      },
    },
    {
      action: 'contactBlock.change',
      ask: async fixture => {
        const no = await blocked(fixture, { blockScopes: ['all'] })
        await done(fixture, contactBlock.change, { blockNos: [no], blockScope: 'marketing' })
        return pendingOf(fixture, no)
      },
    },
    {
      action: 'contactBlock.remove',
      ask: async fixture => {
        const { no, input } = await removal(fixture)
        await done(fixture, contactBlock.remove, input)
        return pendingOf(fixture, no)
      },
    },
    {
      action: 'teleBlock.remove',
      ask: async fixture => {
        const no = await heard(fixture)
        await done(fixture, teleBlock.remove, { blockNos: [no], reason: 'asked to be called again' })
        return pendingOf(fixture, no)
      },
    },
  ],
  lists: [
    {
      list: contactBlock.page,
      key: 'blockNo',
      of: 'company',
      fill: async fixture => {
        const no = await blocked(fixture)
        const changes = `${copies}, 'block_scope', (array['all', 'marketing'])[1 + n % 2], 'block_reason', (array['complaint', 'staff', 'legal'])[1 + n % 3])`
        await copied(fixture, 'contact_block', `block_no = '${no}'`, changes)
      },
      // Nothing of a number is shown that it could be found by.
      means: { phone: () => false },
    },
    {
      list: teleBlock.page,
      key: 'blockNo',
      of: 'company',
      fill: async fixture => {
        const no = await teleBlocked(fixture)
        const changes = `${copies}, 'block_source', (array['agent', 'import', 'robot'])[1 + n % 3])`
        await copied(fixture, 'contact_block', `block_no = '${no}'`, changes)
      },
      means: { phone: () => false },
    },
    {
      list: contactBlock.stops,
      key: 'stopNo',
      of: 'company',
      fill: async fixture => {
        const no = await blocked(fixture)
        await fixture.exec(sql`
          insert into contact_stop (stop_no, block_no, phone, contact_kind, medium, stopped_by_name, stopped_at)
          select 'CS' || n, ${no}, '256772000001', (array['marketing', 'collection'])[1 + n % 2], (array['text', 'call', 'robot'])[1 + n % 3], 'system', ${fixture.clock.now()}::timestamptz - make_interval(hours => n % 5)
          from generate_series(1, 45) n`)
      },
    },
  ],
  records: [
    { ...record, under: '/contact/', make: async (fixture, merchantNo) => blocked(fixture, { merchantNo }) },
    {
      ...record,
      under: '/telemarketing/blackList',
      make: async (fixture, merchantNo) => teleBlocked(fixture, { merchantNo }),
    },
  ],
  calls: [...Object.values(contactBlock), ...Object.values(teleBlock)].map(call => ({
    call: call as never,
    about: 'numbers for all merchants are ours; those of a merchant are asked for in the test of the noun',
  })),
})
