import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { formatMoney } from '../../../../core/rules/amount.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { system } from '../../../rights/actor.ts'
import { reportSecret } from '../../../testing/vendors.ts'
import { putBlock } from '../../merchant/contact-block/index.ts'
import { codesOf } from '../verify-code/index.ts'
import { happened } from './index.ts'

const { businessNode, messageTemplates, repay, smsReport } = contract

let fixture: Fixture
let made = 0
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(() => {
  fixture.outbox.answers.length = 0
})

type Said = { messageStatus: string; channelType: string; blockReason: string | null; failReason: string | null }
type Node = {
  eventKey: string
  contactKind?: string
  channelOrder?: readonly string[]
  wait?: number
  content?: string
}

/** A node in force with an English text for each of its channels; only it speaks of its event. */
const node = async ({ eventKey, contactKind = 'service', channelOrder = ['sms'], wait = 60, content }: Node) => {
  const { boss } = fixture
  await fixture.exec(sql`update business_node set deleted_time = ${fixture.clock.now()} where event_key = ${eventKey}`)
  const { key } = fixture.must(
    await fixture.call(
      businessNode.save,
      {
        ...{ pointCode: `test.${++made}`, eventKey, contactKind, appCodes: ['BodaCash'] },
        nodeName: { zh: '节点', en: 'Node', sw: 'Tukio' },
        channelOrder: channelOrder.map(channelType => ({ channelType, fallbackSeconds: wait })),
      } as never,
      { as: boss },
    ),
  ) as { key: string }
  for (const channelType of channelOrder) {
    const text = content ?? '{customerName}, {brand} is here'
    const written = {
      ...{ templateName: `T${made}`, nodeNo: key, channelType, contactType: 'self', language: 'en', content: text },
      ...(channelType === 'email' ? { title: 'News' } : {}),
    }
    const { templateNo, version } = fixture.must(
      await fixture.call(messageTemplates.save, written as never, { as: boss }),
    ) as { templateNo: string; version: number }
    fixture.must(await fixture.call(messageTemplates.enable, { templateNo, version }, { as: boss }))
  }
  const { version } = await fixture.one(
    sql<{ version: number }>`select version from business_node where node_no = ${key}`,
  )
  fixture.must(await fixture.call(businessNode.state, { nodeNo: key, enabled: true, version } as never, { as: boss }))
  return key
}
const said = (nodeNo: string) =>
  fixture.rows(sql<Said>`
    select message_status, channel_type, block_reason, fail_reason from message where node_no = ${nodeNo} order by created_time, channel_at`)
const texts = () => fixture.outbox.texts.map(({ content }) => content)
const customerOf = (orderNo: string) =>
  fixture.one(sql<{ customerNo: string; merchantNo: string; phone: string; customerName: string }>`
    select c.customer_no, c.merchant_no, c.phone, c.customer_name from loan_order o join order_customer c using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
const tell = async (orderNo: string, event: 'manual', occurrence = String(++made)) => {
  const of = await customerOf(orderNo)
  await fixture.db.withTx(tx =>
    happened(tx, { event, objectType: 'order', objectNo: orderNo, orderNo, occurrence, ...of }),
  )
}
/** Moves the clock to a time of an EAT day. */
const moveTo = async (date: string, minutes: number) => {
  const at = Date.parse(startOfEatDay(date)) + minutes * 60_000
  await fixture.pass((at - fixture.clock.now().getTime()) / 60_000)
  await fixture.worker.drain()
}
const reply = async (phone: string, text: string) =>
  fixture.must(
    await fixture.call(smsReport.reply, {
      accountNo: 'sms-1',
      secret: reportSecret,
      id: `R${++made}`,
      from: `+${phone}`,
      text,
    }),
  )

describe('what happens to a customer', () => {
  it('is said once, with amounts as they are, when it is committed', async () => {
    const nodeNo = await node({
      eventKey: 'payout.success',
      content: '{customerName}: {amountReceived} sent. Repay {totalDue}, first by {dueDate}, code {payCode}',
    })
    const { orderNo } = await fixture.disbursed('M1')
    const { customerName } = await customerOf(orderNo)
    const { amount, payCode } = await fixture.one(sql<{ amount: string; payCode: string }>`
      select actual_loan_amount as amount, pay_code from loan_order where order_no = ${orderNo}`)
    await fixture.worker.drain()
    const mine = texts().filter(text => text.includes(payCode))
    expect(mine).toHaveLength(1)
    expect(mine[0]).toContain(`${customerName}: UGX ${formatMoney(amount)} sent.`)
    expect(await said(nodeNo)).toMatchObject([{ messageStatus: 'submitted', channelType: 'sms' }])
  })

  it('is not said twice however often it is announced, and another time is said again', async () => {
    const nodeNo = await node({ eventKey: 'manual' })
    const orderNo = await fixture.queueUp('M1')
    await tell(orderNo, 'manual', 'once')
    await tell(orderNo, 'manual', 'once')
    await fixture.exec(sql`delete from job where queue = 'message.event'`)
    await tell(orderNo, 'manual', 'once')
    await fixture.worker.drain()
    expect(await said(nodeNo)).toHaveLength(1)
    await tell(orderNo, 'manual', 'twice')
    await fixture.worker.drain()
    expect(await said(nodeNo)).toHaveLength(2)
  })

  it('is kept as blocked where the node is off for the app, and where a value is missing', async () => {
    const off = await node({ eventKey: 'manual' })
    const theirs = await fixture.queueUp('M2')
    await tell(theirs, 'manual')
    await fixture.worker.drain()
    expect(await said(off)).toMatchObject([{ messageStatus: 'blocked', blockReason: 'node_off' }])
    const lacking = await node({ eventKey: 'manual', content: '{customerName}, call {hotline}' })
    const orderNo = await fixture.queueUp('M1')
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect(await said(lacking)).toMatchObject([{ messageStatus: 'blocked', blockReason: 'missing_value' }])
  })

  it('goes by the next channel when one fails, and when no report comes in time; once each', async () => {
    const nodeNo = await node({ eventKey: 'manual', channelOrder: ['whatsapp', 'sms', 'email'], wait: 60 })
    const orderNo = await fixture.queueUp('M1')
    await fixture.exec(
      sql`update merchant_customer set email = 'grace@nile.example' where customer_no = (select customer_no from loan_order where order_no = ${orderNo})`,
    )
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect(await said(nodeNo)).toMatchObject([
      { channelType: 'whatsapp', messageStatus: 'failed', failReason: 'no_route' },
      { channelType: 'sms', messageStatus: 'submitted' },
    ])
    const before = fixture.outbox.mails.length
    await fixture.pass(2)
    await fixture.worker.drain()
    await fixture.pass(10)
    await fixture.worker.drain()
    expect((await said(nodeNo)).map(one => one.channelType)).toEqual(['whatsapp', 'sms', 'email'])
    expect(fixture.outbox.mails.slice(before)).toMatchObject([{ to: 'grace@nile.example', subject: 'News' }])
  })

  it('does not go by the next channel once it has arrived', async () => {
    const nodeNo = await node({ eventKey: 'manual', channelOrder: ['sms', 'email'], wait: 60 })
    const orderNo = await fixture.queueUp('M1')
    await fixture.exec(
      sql`update merchant_customer set email = 'again@nile.example' where customer_no = (select customer_no from loan_order where order_no = ${orderNo})`,
    )
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    const { id } = await fixture.one(
      sql<{ id: string }>`select vendor_ref as id from message where node_no = ${nodeNo}`,
    )
    const report = { accountNo: 'sms-1' as const, secret: reportSecret, id, status: 'Success' }
    fixture.must(await fixture.call(smsReport.receive, report))
    await fixture.worker.drain()
    await fixture.pass(10)
    await fixture.worker.drain()
    expect(await said(nodeNo)).toMatchObject([{ channelType: 'sms', messageStatus: 'delivered' }])
  })
})

describe('a reminder', () => {
  const due = async () => {
    const nodeNo = await node({
      ...{ eventKey: 'bill.dueIn2', contactKind: 'reminder' },
      content: '{customerName}, {amountDue} is due on {dueDate}',
    })
    const { orderNo } = await fixture.disbursed('M1')
    const { dueDate } = await fixture.one(sql<{ dueDate: string }>`
      select min(due_date) as due_date from repay_plan where order_no = ${orderNo}`)
    await moveTo(addDays(dueDate, -2), 7 * 60)
    await fixture.tick('message.bills')
    await fixture.tick('message.bills')
    await fixture.worker.drain()
    const mine = () =>
      fixture.rows(
        sql<Said>`select message_status, block_reason from message where node_no = ${nodeNo} and order_no = ${orderNo}`,
      )
    expect(await mine()).toMatchObject([{ messageStatus: 'queued' }])
    return { orderNo, mine, date: addDays(dueDate, -2) }
  }

  it('operation 8: of seven in the morning goes at eight', async () => {
    const { mine, date } = await due()
    await moveTo(date, 7 * 60 + 59)
    expect(await mine()).toMatchObject([{ messageStatus: 'queued' }])
    await moveTo(date, 8 * 60)
    expect(await mine()).toMatchObject([{ messageStatus: 'submitted' }])
  })

  it('operation 8: is never sent once the bill was paid meanwhile', async () => {
    const { orderNo, mine, date } = await due()
    await moveTo(date, 7 * 60 + 30)
    const { left } = await fixture.one(sql<{ left: string }>`
      select (principal_due + interest_due + service_fee_due + management_fee_due)::numeric(18,2) as left from repay_plan
      where order_no = ${orderNo} order by due_date limit 1`)
    const commit = await fixture.tried(fixture.typed(orderNo, left))
    fixture.must(await fixture.call(repay.commit, commit, { as: fixture.boss }))
    await moveTo(date, 8 * 60)
    expect(await mine()).toMatchObject([{ messageStatus: 'blocked', blockReason: 'not_needed' }])
  })
})

const stops = (phone: string) =>
  fixture.rows(sql<{ blockStatus: string }>`
    select block_status, block_scope, block_reason, block_source, blocked_count from contact_block where phone = ${phone} order by block_no`)

describe('a number on the do-not-contact list', () => {
  it('merchant 10: is kept from what its entry says, and each stop is counted; receipts still go', async () => {
    const orderNo = await fixture.queueUp('M1')
    const { phone } = await customerOf(orderNo)
    await moveTo('2026-04-20', 10 * 60)
    const actor = system('test')
    const entry = { book: 'contact', phone, blockScope: 'all', blockReason: 'legal', blockSource: 'agent' } as const
    await fixture.db.withTx(tx => putBlock(tx, entry, 'system', actor))
    const offer = await node({ eventKey: 'manual', contactKind: 'marketing' })
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect(await said(offer)).toMatchObject([{ messageStatus: 'blocked', blockReason: 'blacklisted' }])
    expect(await stops(phone)).toMatchObject([{ blockedCount: 1 }])
    const receipt = await node({ eventKey: 'manual' })
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect(await said(receipt)).toMatchObject([{ messageStatus: 'submitted' }])
  })
})

describe('an offer', () => {
  it('marketing 10: is not sent to who answered STOP or ACHA, waiting ones neither, until they answer START', async () => {
    const nodeNo = await node({ eventKey: 'manual', contactKind: 'marketing' })
    const orderNo = await fixture.queueUp('M1')
    const { phone } = await customerOf(orderNo)
    await moveTo('2026-05-04', 21 * 60)
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect(await said(nodeNo)).toMatchObject([{ messageStatus: 'queued' }])
    await reply(phone, 'Acha tafadhali')
    expect(await said(nodeNo)).toMatchObject([{ messageStatus: 'blocked', blockReason: 'opted_out' }])
    expect(await stops(phone)).toMatchObject([
      { blockStatus: 'active', blockScope: 'marketing', blockReason: 'asked_to_stop', blockSource: 'sms_stop' },
    ])
    await moveTo('2026-05-05', 9 * 60)
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect((await said(nodeNo)).map(one => one.blockReason)).toEqual(['opted_out', 'opted_out'])
    await reply(phone, 'start')
    expect(await stops(phone)).toMatchObject([{ blockStatus: 'ended' }])
    await tell(orderNo, 'manual')
    await fixture.worker.drain()
    expect((await said(nodeNo)).at(-1)).toMatchObject({ messageStatus: 'submitted' })
  })

  it('goes once a day and three times in seven days', async () => {
    const nodeNo = await node({ eventKey: 'manual', contactKind: 'marketing' })
    const orderNo = await fixture.queueUp('M1')
    for (const day of [11, 11, 12, 13, 14]) {
      if (day !== 11 || (await said(nodeNo)).length === 0) await moveTo(`2026-05-${day}`, 10 * 60)
      await tell(orderNo, 'manual')
      await fixture.worker.drain()
    }
    expect((await said(nodeNo)).map(one => one.blockReason)).toEqual([null, 'cap_reached', null, null, 'cap_reached'])
  })

  it('is taken by nobody who does not know the secret of the vendor', async () => {
    const given = { accountNo: 'sms-1' as const, id: 'X', from: '256772000031', text: 'STOP' }
    expect((await fixture.call(smsReport.reply, { ...given, secret: 'another-secret' })).code).toBe(40401)
  })
})

describe('a code', () => {
  it('is said in the words of its node, and shown to nobody', async () => {
    const nodeNo = await node({ eventKey: 'code.login', content: '{brand}: {code}, for {life} minutes' })
    const asked = {
      ...{ scene: 'login' as const, channel: 'phone' as const, to: '256772555031', challengeId: null, userNo: null },
      ...{ merchantNo: 'M1', appCode: 'BodaCash', language: 'en' as const, ip: null },
    }
    const actor = { no: 'anon', name: 'anon', requestId: 'test', ip: null }
    await fixture.db.withTx(tx => codesOf(fixture.secretKey).send(tx, asked, actor))
    await fixture.worker.drain()
    expect(texts().at(-1)).toMatch(/^Boda Cash: \d{6}, for 10 minutes$/)
    const { list } = fixture.must(await fixture.call(businessNode.sent, { nodeNo }, { as: fixture.boss })) as {
      list: { messageText: string }[]
    }
    expect(list).toMatchObject([{ messageText: 'Boda Cash: ******, for 10 minutes' }])
  })
})

it('shows what a customer would be sent, and sends nothing', async () => {
  const nodeNo = await node({ eventKey: 'manual', channelOrder: ['sms', 'email'] })
  const orderNo = await fixture.queueUp('M1')
  const before = fixture.outbox.texts.length
  const { list } = fixture.must(
    await fixture.call(businessNode.simulate, { nodeNo, orderNo }, { as: fixture.boss }),
  ) as { list: { channelType: string; outcome: string; messageText: string }[] }
  expect(list[0]).toMatchObject({ channelType: 'sms', outcome: 'sends', segments: 1 })
  expect(list[0]?.messageText).not.toContain((await customerOf(orderNo)).customerName)
  await fixture.worker.drain()
  expect(fixture.outbox.texts.length).toBe(before)
})
