import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { system } from '../../../rights/actor.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { putBlock } from '../../merchant/contact-block/index.ts'

const { smsTemplates, unrenewed } = contract
let made = 0

/** A text in force of a merchant. */
export const textOf = async (fixture: Fixture, merchantNo: MerchantNo): Promise<string> => {
  const written = {
    ...{ templateName: `Again ${++made}`, merchantNo, contentEn: 'Dear {customerName}, {brand} is open today.' },
    contentSw: 'Mpendwa {customerName}, {brand} iko wazi leo.',
  }
  const text = (await done(fixture, smsTemplates.save, written)) as { templateNo: string; version: number }
  await done(fixture, smsTemplates.enable, text, fixture.second)
  return text.templateNo
}

/** A rule of a merchant, in force or not. */
export const ruleOf = async (fixture: Fixture, merchantNo: MerchantNo = 'M1', isOn = false, days = [3, 7]) => {
  const templateNo = await textOf(fixture, merchantNo)
  const input = {
    ...{ configName: `Rule ${++made}`, merchantNos: [merchantNo], loanKind: 'first', maxOverdueDays: 0 },
    ...{ sendDays: days.map(daysAfter => ({ daysAfter, templateNo })), textTime: '10:00', perCustomerMax: 4 },
    effectiveTime: fixture.clock.now().toISOString(),
  }
  const { key, version } = (await done(fixture, unrenewed.save, input)) as { key: string; version: number }
  if (isOn) await done(fixture, unrenewed.state, { configNo: key, enabled: true, version: version ?? 0 })
  return key
}

/** Moves the clock to an hour of the day so many days from now. */
export const moveTo = async (fixture: Fixture, days: number, hour: number) => {
  const now = fixture.clock.now()
  const start = Date.parse(startOfEatDay(new Date(now.getTime() + 3 * 3_600_000).toISOString().slice(0, 10)))
  await fixture.pass((start + (days * 24 + hour) * 3_600_000 - now.getTime()) / 60_000)
}

/** A customer who settled their loan just now. */
export const settled = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  const { orderNo } = await fixture.repaid(merchantNo, '250000.00', 'settle')
  return orderNo
}

/** The customer of an order asks for no more texts. */
export const stops = async (fixture: Fixture, orderNo: string) => {
  const { phone } = await fixture.one(sql<{ phone: string }>`
    select mc.phone from loan_order o join merchant_customer mc using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
  const asked = { blockScope: 'marketing', blockSource: 'sms_stop', blockReason: 'asked_to_stop' } as const
  await fixture.db.withTx(tx => putBlock(tx, { book: 'contact', phone, ...asked }, 'system', system('test')))
}

/** The job of the next day, and the sending of its tasks. */
export const sentNextDay = async (fixture: Fixture, days = 1) => {
  await moveTo(fixture, days, 7)
  await fixture.tick('marketing.unrenewed')
  await moveTo(fixture, 0, 10)
  for (let n = 0; n < 3; n++) {
    await fixture.tick('marketing.send')
    await fixture.worker.drain()
  }
}

const off = (fixture: Fixture) =>
  fixture.exec(sql`update unrenewed_config set deleted_time = ${fixture.clock.now()} where enabled = 'enabled'`)

export default facts({
  lists: [
    {
      list: unrenewed.page,
      key: 'configNo',
      of: 'company',
      fill: async fixture => {
        const no = await ruleOf(fixture)
        const changes = `jsonb_build_object(${prefixed('config_no')}, 'config_name', 'Rule of ' || n, ${at('updated_time')}, ${at('effective_time')}, 'loan_kind', (array['first', 'repeat'])[1 + n % 2])`
        await copied(fixture, 'unrenewed_config', `config_no = '${no}'`, changes)
      },
      means: {
        configName: (row, text: string) => String(row.configName).toLowerCase().includes(text.trim().toLowerCase()),
        merchantNo: (row, asked: readonly string[]) =>
          asked.length === 0 || (row.merchantNos as string[]).some(one => asked.includes(one)),
        templateNo: (row, no: string) => (row.sendDays as { templateNo: string }[]).some(one => one.templateNo === no),
      },
    },
  ],
  records: [
    { fields: ['configNo'], under: '/marketing/manage/unrenewed', table: 'unrenewed_config', key: 'config_no' },
  ],
  calls: Object.values(unrenewed)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'a rule is of several merchants: seen by who serves all of them' })),
  ways: [
    way('a rule makes a task, which is sent, in part, and not at all', async fixture => {
      await off(fixture)
      await ruleOf(fixture, 'M1', true, [1, 2, 3])
      await settled(fixture)
      await sentNextDay(fixture)
      for (const stopped of [1, 2]) {
        const orders = [await settled(fixture), await settled(fixture)]
        for (const orderNo of orders.slice(0, stopped)) await stops(fixture, orderNo)
        await sentNextDay(fixture)
      }
      await off(fixture)
    }),
  ],
})
