import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { MessageEvent } from '../../../../core/contract/operation/message-event.ts'
import type { BlockScope } from '../../../../core/rules/contact/contact-block.ts'
import { eatDate, eatDateTime } from '../../../../core/rules/time.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { randomFrom } from '../../../demo/random.ts'
import { post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import { reportSecret } from '../../../testing/vendors.ts'
import { task } from '../../marketing/sms-task/sms-task.facts.ts'
import { putBlock } from '../../merchant/contact-block/index.ts'
import { happened } from './index.ts'
import { nodeOf } from './node-fixture.ts'

const { repay, smsReport } = contract
const steps = 120
const dayMs = 86_400_000

let fixture: Fixture
let made = 0
beforeAll(async () => {
  fixture = await openFixture()
  const nodes = [
    ['manual', 'marketing', 'Offer: {brand} is open'],
    ['bill.dueToday', 'reminder', 'Reminder of {brand}'],
    ['order.submitted', 'service', 'Receipt of {brand}'],
  ] as const
  for (const [eventKey, contactKind, content] of nodes) await nodeOf(fixture, { eventKey, contactKind, content })
})
afterAll(() => fixture.close())

/** What is known of somebody, kept beside the server. */
type Known = {
  orderNo: string
  phone: string
  stopped: boolean
  blocked: Set<BlockScope>
  paid: boolean
  late: boolean
}
type Kind = 'service' | 'reminder' | 'marketing'
type Sent = { phone: string; kind: Kind; at: Date; known: Omit<Known, 'blocked'> & { blocked: BlockScope[] } }

const kindOf = (content: string): Kind =>
  content.startsWith('Receipt') ? 'service' : content.startsWith('Reminder') ? 'reminder' : 'marketing'

/** What should not have left, by the plain rules alone. */
const wrongsIn = (sent: readonly Sent[]): string[] =>
  sent.flatMap(({ phone, kind, at, known }, place) => {
    if (kind === 'service') return []
    const clock = eatDateTime(at).slice(11, 16)
    const offers = sent.slice(0, place).filter(one => one.phone === phone && one.kind === 'marketing')
    const isOffer = kind === 'marketing'
    const wrong: [boolean, string][] = [
      [clock < '08:00' || clock >= '20:00', 'outside its hours'],
      [isOffer && offers.some(one => eatDate(one.at) === eatDate(at)), 'twice a day'],
      [isOffer && offers.filter(one => one.at.getTime() > at.getTime() - 7 * dayMs).length >= 3, 'four in a week'],
      [isOffer && known.stopped, 'to who opted out'],
      [
        known.blocked.some(scope => scope === 'all' || scope === (isOffer ? 'marketing' : 'collection')),
        'to who is blocked',
      ],
      [!isOffer && known.paid, 'to who has paid'],
      [isOffer && known.late, 'to who is late'],
    ]
    return wrong.flatMap(([is, words]) => (is ? [`${kind} ${words}`] : []))
  })

const borrower = async (): Promise<Known> => {
  const { orderNo } = await fixture.disbursed('M1')
  const { phone } = await fixture.one(sql<{ phone: string }>`
    select mc.phone from loan_order o join merchant_customer mc using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
  return { orderNo, phone, stopped: false, blocked: new Set(), paid: false, late: false }
}

const say = async (one: Known, event: MessageEvent) => {
  const of = await fixture.one(sql<{ customerNo: string; merchantNo: string }>`
    select customer_no, merchant_no from loan_order where order_no = ${one.orderNo}`)
  const about = {
    event,
    objectType: 'order',
    objectNo: one.orderNo,
    orderNo: one.orderNo,
    occurrence: `${++made}`,
    ...of,
  }
  await fixture.db.withTx(tx => happened(tx, about))
}
const reply = async (phone: string, text: string) => {
  const said = { accountNo: 'sms-1' as const, secret: reportSecret, id: `RD${++made}`, from: `+${phone}`, text }
  fixture.must(await fixture.call(smsReport.reply, said))
}
const block = (phone: string, blockScope: BlockScope) =>
  fixture.db.withTx(tx => {
    const entry = { book: 'contact', phone, blockScope, blockReason: 'complaint', blockSource: 'agent' } as const
    return putBlock(tx, entry, 'system', system('test'))
  })
const settle = async ({ orderNo }: Known) => {
  const commit = await fixture.tried(fixture.typed(orderNo, '400000.00', 'settle'))
  fixture.must(await fixture.call(repay.commit, commit, { as: fixture.boss }))
}

/** An offer that asks nobody. */
const unguarded = ({ phone }: Known) =>
  fixture.db.withTx(tx =>
    post(tx, {
      ...{ channel: 'sms', to: phone, template: 'node', language: 'en', objectType: 'test', objectNo: 'test' },
      node: {
        ...{ nodeNo: null, templateNo: null, templateVersion: null, title: null, content: 'Offer of nobody' },
        ...{ contactKind: 'marketing', occurrence: null, channelAt: 0, isOwn: true, appCode: null, merchantNo: null },
        ...{ customerNo: null, orderNo: null },
      },
    }),
  )

/** Random days of some customers; `isDeaf`: the server hears nothing of what they ask for, and some offers never meet the guard. */
const lived = async (seed: number, isDeaf = false): Promise<Sent[]> => {
  const random = randomFrom(seed)
  const people = [await borrower(), await borrower(), await borrower(), await borrower()]
  const sent: Sent[] = []
  let seen = fixture.outbox.texts.length
  const note = () => {
    for (const { phone, content } of fixture.outbox.texts.slice(seen)) {
      const of = people.find(one => one.phone === phone)
      const kind = kindOf(content)
      if (of) sent.push({ phone, kind, at: fixture.clock.now(), known: { ...of, blocked: [...of.blocked] } })
    }
    seen = fixture.outbox.texts.length
  }
  const acts: Record<string, (one: Known) => Promise<unknown>> = {
    offer: one => say(one, 'manual'),
    offerAgain: one => (isDeaf ? unguarded(one) : say(one, 'manual')),
    remind: one => say(one, 'bill.dueToday'),
    receipt: one => say(one, 'order.submitted'),
    async task() {
      const clock = eatDateTime(fixture.clock.now()).slice(11, 13)
      if (clock < '08' || clock > '18') return
      await task(
        fixture,
        'M1',
        people.map(one => one.orderNo),
      ).catch(() => 'nobody is left')
    },
    async stop(one) {
      one.stopped = true
      if (!isDeaf) await reply(one.phone, random.pick(['STOP', 'Acha', 'stop it']))
    },
    async start(one) {
      one.stopped = false
      if (!isDeaf) await reply(one.phone, 'START')
    },
    async block(one) {
      const scope = random.pick<BlockScope>(['marketing', 'collection', 'all'])
      if (random.chance(0.6) || one.blocked.has(scope)) return
      one.blocked.add(scope)
      if (!isDeaf) await block(one.phone, scope)
    },
    async pay(one) {
      if (one.paid || random.chance(0.7)) return
      one.paid = true
      if (!isDeaf) await settle(one)
    },
    async late(one) {
      if (one.paid || one.late || random.chance(0.8)) return
      one.late = true
      if (!isDeaf)
        await fixture.exec(
          sql`update loan_order set overdue = true, version = version + 1 where order_no = ${one.orderNo}`,
        )
    },
  }
  for (let n = 0; n < steps; n++) {
    await acts[random.pick(Object.keys(acts))]?.(random.pick(people))
    if (random.chance(0.6)) await fixture.tick('marketing.send')
    if (random.chance(0.8)) await fixture.worker.drain()
    note()
    if (random.chance(0.7)) await fixture.pass(random.int(1, 500))
  }
  await fixture.worker.drain()
  note()
  return sent
}

it.each([11, 12, 13])(
  'no text leaves outside its hours, over a cap, to who stopped, complains or has paid: days of seed %i',
  async seed => {
    const sent = await lived(seed)
    expect(wrongsIn(sent)).toEqual([])
    expect(new Set(sent.map(one => one.kind))).toEqual(new Set(['service', 'reminder', 'marketing']))
  },
  120_000,
)

it('is seen where a server hears nothing and some offers pass by the guard', async () => {
  const wrongs = new Set(wrongsIn(await lived(11, true)))
  for (const words of ['outside its hours', 'twice a day', 'to who opted out', 'to who is blocked'])
    expect(
      [...wrongs].some(one => one.endsWith(words)),
      words,
    ).toBe(true)
}, 120_000)
