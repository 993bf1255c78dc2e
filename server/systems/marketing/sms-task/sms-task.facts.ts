import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { countOf, many, nowhere, type Reply } from '../../../../tests/races/resource.ts'
import { post } from '../../../outgoing/post.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { moveTo, settled, textOf } from '../unrenewed/unrenewed.facts.ts'

const { smsTasks, userGroups, businessConfig } = contract
let made = 0

/** A group of the customers of some orders. */
export const groupOf = async (fixture: Fixture, orders: readonly string[]): Promise<string> => {
  const no = `UG-${++made}`
  const now = fixture.clock.now()
  await fixture.exec(sql`
    insert into user_group (user_group_no, user_group_name, user_group_kind, member_count, created_by, created_time)
    values (${no}, ${`Group ${made}`}, 'import', ${orders.length}, 'U1', ${now})`)
  await fixture.exec(sql`
    insert into user_group_member (user_group_no, merchant_no, phone, customer_no)
    select distinct ${no}, mc.merchant_no, mc.phone, mc.customer_no from loan_order o join merchant_customer mc using (customer_no, merchant_no)
    where o.order_no = any(${[...orders]})`)
  return no
}

/** What a task is asked with, for a group of somebody who has repaid, or of the customers of some orders. */
export const asking = async (
  fixture: Fixture,
  change: object = {},
  merchantNo: MerchantNo = 'M1',
  orders?: readonly string[],
) => {
  const userGroupNo = await groupOf(fixture, orders ?? [await settled(fixture, merchantNo)])
  const { verifyToken } = await done(fixture, userGroups.verify, { userGroupNo, purpose: 'sms' })
  const templateNo = await textOf(fixture, merchantNo)
  return {
    ...{ merchantNo, audienceSource: 'group', userGroupNo, verifyToken, templateNo, languageMode: 'customer' },
    ...{ ratePerMinute: 600, ...change },
  }
}

/** The same with what proves that its preview was seen. */
export const ready = async (fixture: Fixture, asked: object) => {
  const { previewToken } = await done(fixture, smsTasks.preview, asked as never)
  return { ...asked, previewToken, taskName: `Task ${++made}` }
}

/** A task that waits to be sent, with its recipients written down. */
export const task = async (fixture: Fixture, merchantNo: MerchantNo = 'M1', orders?: readonly string[]) => {
  const input = await ready(fixture, await asking(fixture, {}, merchantNo, orders))
  const { taskNo } = await done(fixture, smsTasks.create, input as never)
  await fixture.worker.drain()
  return String(taskNo)
}

/** The version of a task as it is now. */
export const versionOf = async (fixture: Fixture, taskNo: string): Promise<number> =>
  (await fixture.one(sql<{ version: number }>`select version from sms_task where task_no = ${taskNo}`)).version

/** A task with a text that was held back, so that there is something to be seen of it. */
const withText = async (fixture: Fixture, taskNo: string, merchantNo: MerchantNo): Promise<string> => {
  const of = { channel: 'sms', to: '256772999999', template: 'node', language: 'en', blocked: 'opted_out' } as const
  const about = { nodeNo: null, templateNo: null, templateVersion: null, title: null, content: 'Offer' }
  const whose = { appCode: null, merchantNo, customerNo: null, orderNo: null }
  const node = { ...about, ...whose, contactKind: 'marketing', occurrence: null, channelAt: 0, isOwn: true }
  await fixture.db.withTx(tx => post(tx, { ...of, objectType: 'sms_task', objectNo: taskNo, node }))
  return taskNo
}

/** A task of which the first texts wait to be handed over. */
const sending = async (fixture: Fixture): Promise<string> => {
  const taskNo = await task(fixture)
  await moveTo(fixture, 1, 10)
  await fixture.tick('marketing.send')
  return taskNo
}

/** A task whose only text no vendor took. */
export const failed = async (fixture: Fixture): Promise<string> => {
  const taskNo = await sending(fixture)
  // However many accounts there are: each of them refuses.
  fixture.outbox.answers.push(...many(20, () => ({ is: 'refused', reason: 'sender_refused' }) as const))
  await fixture.worker.drain()
  fixture.outbox.answers.length = 0
  await fixture.tick('marketing.send')
  return taskNo
}

const settings = { configKey: 'SMS_TASK_MAX' } as const
/** Sets how large tasks may be without asking anybody. */
export const limits = async (fixture: Fixture, change: object) => {
  const { value } = (await done(fixture, businessConfig.get, settings)) as { value: object }
  await fixture.exec(sql`
    insert into business_config (config_key, config_value) values ('SMS_TASK_MAX', ${JSON.stringify({ ...value, ...change })}::jsonb)
    on conflict (config_key) do update set config_value = excluded.config_value`)
}

const large = async (fixture: Fixture): Promise<string> => {
  const input = await ready(fixture, await asking(fixture))
  await limits(fixture, { taskCost: '1.00' })
  const { approvalNo } = await done(fixture, smsTasks.create, input as never)
  await limits(fixture, { taskCost: '2000000.00' })
  await fixture.worker.drain()
  return String(approvalNo)
}

const changed = async (
  fixture: Fixture,
  configKey: 'CONTACT_WINDOW' | 'CONTACT_CAP' | 'SMS_TASK_MAX',
  change: object,
) => {
  const { version, value } = (await done(fixture, businessConfig.get, { configKey })) as {
    version: number
    value: object
  }
  const input = { configKey, version, value: { ...value, ...change } }
  return String((await done(fixture, businessConfig.update, input as never)).approvalNo)
}

const change = (call: typeof smsTasks.stop, make: (fixture: Fixture) => Promise<string>) => ({
  call: call as Endpoint,
  make: async (fixture: Fixture) => {
    const no = await make(fixture)
    return { no, input: { taskNo: no, version: await versionOf(fixture, no) } }
  },
})

export default facts({
  machines: {
    smsTask: {
      row: {
        ...{ taskNo: 'SK1', taskName: 'Task', merchantNo: 'M1', sendTime: '2026-03-02T07:00:00Z', ratePerMinute: 600 },
        ...{ createdBy: 'system', createdTime: '2026-03-02T06:00:00Z' },
      },
    },
  },
  commands: [
    change(smsTasks.stop, sending),
    change(smsTasks.cancel, fixture => task(fixture)),
    change(smsTasks.retry, failed),
  ],
  beginnings: [{ call: smsTasks.create, input: async fixture => ready(fixture, await asking(fixture)) }],
  ways: [
    way('nobody lets a large task go, and one of which no text was taken is sent again', async fixture => {
      const { no } = await fixture.one(sql<{ no: string }>`
        select approval_no as no from approval where approval_no = ${await large(fixture)}`)
      const taskNo = await failed(fixture)
      await done(fixture, smsTasks.retry, { taskNo, version: await versionOf(fixture, taskNo) })
      await done(fixture, contract.common.reject, { approvalNo: no, version: 0, reason: 'too many' }, fixture.second)
    }),
  ],
  approvals: [
    { action: 'smsTask.create', ask: large },
    {
      action: 'businessConfig.CONTACT_WINDOW',
      ask: fixture => changed(fixture, 'CONTACT_WINDOW', { serviceTo: `19:${10 + (++made % 40)}` }),
    },
    {
      action: 'businessConfig.CONTACT_CAP',
      ask: fixture => changed(fixture, 'CONTACT_CAP', { callsIn7Days: 9 + (++made % 50) }),
    },
    {
      action: 'businessConfig.SMS_TASK_MAX',
      ask: fixture => changed(fixture, 'SMS_TASK_MAX', { taskRecipients: 50_000 + ++made }),
    },
  ],
  lists: [
    {
      list: smsTasks.page,
      key: 'taskNo',
      fill: async fixture => {
        for (const merchantNo of ['M1', 'M2'] as const) {
          const no = await task(fixture, merchantNo)
          const changes = `jsonb_build_object(${prefixed('task_no')}, ${at('created_time')}, ${at('send_time')}, 'task_name', 'Task of ' || n, 'sms_task_status', (array['cancelled', 'done'])[1 + n % 2], 'paid_out_amount', 1000 * (n % 4), 'delivered_count', n % 3)`
          await copied(fixture, 'sms_task', `task_no = '${no}'`, changes)
        }
      },
      means: {
        taskName: (row, text: string) => String(row.taskName).toLowerCase().includes(text.trim().toLowerCase()),
        createdBy: (row, asked: readonly string[]) => asked.length === 0 || asked.includes(String(row.createdBy)),
      },
    },
    {
      list: smsTasks.messages,
      key: 'messageNo',
      ownedBy: 'taskNo',
      fill: async fixture => {
        for (const [n, merchantNo] of (['M1', 'M2'] as const).entries()) {
          const no = await task(fixture, merchantNo)
          await moveTo(fixture, 1, 10)
          await fixture.tick('marketing.send')
          await fixture.worker.drain()
          const changes = `jsonb_build_object(${prefixed('message_no')}, 'recipient', '2567720' || lpad((${n} * 1000 + n)::text, 5, '0'), ${at('created_time')}, 'vendor_ref', null, 'occurrence', null, 'message_status', (array['failed', 'blocked'])[1 + n % 2], 'fail_reason', case when n % 2 = 0 then 'inactive' end, 'block_reason', case when n % 2 = 1 then 'opted_out' end)`
          await copied(fixture, 'message', `object_no = '${no}'`, changes)
        }
      },
    },
  ],
  records: [
    {
      fields: ['taskNo'],
      under: '/marketing/manage/smsJob',
      table: 'sms_task',
      key: 'task_no',
      make: async (fixture, merchantNo) => withText(fixture, await task(fixture, merchantNo), merchantNo),
      owners: sql`select task_no as no, merchant_no, '{}'::text[] as holders from sms_task`,
      unheld: true,
    },
  ],
  races: [
    {
      name: 'the budget of texts',
      rule: 'M60 sms.create: what was taken and this task at most the budget of the month, in one statement',
      available: 2,
      async make(fixture, parallel) {
        const input = await ready(fixture, await asking(fixture))
        const { costEstimate } = (await done(fixture, smsTasks.preview, await asking(fixture))) as {
          costEstimate: string
        }
        await fixture.exec(
          sql`delete from sms_budget b where not exists (select 1 from sms_task t where t.budget_month = b.budget_month)`,
        )
        await fixture.exec(sql`update sms_budget set taken_amount = 0`)
        await limits(fixture, { monthBudget: String(Number(costEstimate) * 2) })
        const before = await countOf(fixture, sql`select 1 from sms_task`)
        return {
          tries: many(parallel, n => async () => {
            const one = { ...input, taskName: `Race ${++made} ${n}` }
            return (await fixture.ask(smsTasks.create, one as never, { as: fixture.boss })) as Reply
          }),
          taken: async () => (await countOf(fixture, sql`select 1 from sms_task`)) - before,
          after: () => limits(fixture, { monthBudget: '20000000.00' }),
        }
      },
      at: nowhere,
      kept: {
        by: [[/(taken_amount \+ \$\d+::numeric) <= (\$\d+::numeric)/, '($1 <= $2 or true)']],
        at: nowhere,
      },
    },
  ],
  calls: [
    {
      call: smsTasks.tested as Endpoint,
      about: 'answers what the caller alone sent to colleagues, in the test of what happens before a task is sent',
    },
    ...[smsTasks.preview, smsTasks.create, smsTasks.test].map(call => ({
      call: call as Endpoint,
      about: 'asks for customers of a merchant within reach, in the test of the noun',
    })),
  ],
})
