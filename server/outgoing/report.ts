import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { smsReport } from '../../core/contract/operation/sms-report.ts'
import { mask } from '../../core/rules/mask.ts'
import type { Tx } from '../db/database.ts'
import type { Report, SmsVendor } from '../gateways/texts/sms-vendor.ts'
import { limitOf } from '../http/defence/limit.ts'
import { notFound } from '../http/fault.ts'
import { newRequestId } from '../http/request.ts'
import { type Served, servePublic } from '../http/serve.ts'
import { enqueue } from '../jobs/queue.ts'
import type { QueueHandler, Scheduled } from '../module.ts'
import { system } from '../rights/actor.ts'
import { hashToken } from '../session/session.ts'
import { transition } from '../states/transition.ts'
import type { OutgoingHooks } from './hooks.ts'
import type { Message } from './post.ts'
import type { Vendors } from './vendors.ts'

const queue = 'sms.report'
/** A report may be here before we have written down what it speaks of. */
const mostLooks = 4
const lookAgainMs = 10_000
/** Reports that an address may bring in a minute. */
const perMinute = 3_000
const hour = 3_600_000

const same = (given: string, wanted: string) =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(wanted)))

type Heard = { reportNo: number; accountNo: string; report: Report; looks: number }

type Came = {
  account: { accountNo: string; vendor: { parseReport: SmsVendor['parseReport'] } }
  body: Record<string, unknown>
}

/** Keeps a report as it came, and has it acted on. */
export const keepReport = async (tx: Tx, { account: { accountNo, vendor }, body }: Came): Promise<void> => {
  const report = vendor.parseReport(body)
  const kept = JSON.stringify(body).replace(/(?<!\d)256\d{9}(?!\d)/g, mask)
  const { reportNo } = await tx.one(sql<{ reportNo: number }>`
    insert into sms_report (account_no, vendor_ref, body, outcome, received_time)
    values (${accountNo}, ${report?.vendorRef ?? null}, ${kept}, ${report ? 'stored' : 'unreadable'}, ${tx.now}) returning report_no`)
  if (report) await enqueue(tx, queue, `${reportNo} 0`, { reportNo, accountNo, report, looks: 0 } satisfies Heard)
}

/** Takes a report of a vendor in: 200 once it is stored. */
export const reportServed = (vendors: Vendors, { carriers }: OutgoingHooks = {}): Served => {
  const limit = limitOf(perMinute, 60)
  return servePublic(smsReport.receive, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) throw tooMany
    const { accountNo, secret, ...body } = input
    const { sms, others = [] } = (await carriers?.(tx, { all: true })) ?? vendors
    const account = [...sms, ...others].find(one => one.accountNo === accountNo)
    if (!account?.reportSecret || !same(secret, account.reportSecret)) throw notFound()
    await keepReport(tx, { account, body })
    return {}
  })
}

/** The message of a report; one whose outcome is unknown is known by its number, where it is the only one of its account. */
const messageOf = async (tx: Tx, { accountNo, report }: Heard): Promise<Message | undefined> => {
  const named = await tx.maybe(sql<Message>`
    select * from message where account_no = ${accountNo} and vendor_ref = ${report.vendorRef} for update`)
  if (named) return named
  const lost = await tx.rows(sql<Message>`
    select * from message where account_no = ${accountNo} and message_status = 'unknown' and recipient = ${report.phone}
      and send_time > ${new Date(tx.now.getTime() - 48 * hour)} limit 2 for update`)
  const [only, other] = lost
  if (!only || other) return undefined
  const set = { vendorRef: report.vendorRef }
  return transition(tx, 'message', only, { event: 'msg.resolve', as: 'accepted', set }, system('sms.report'))
}

const secondsBetween = (from: string, to: Date) => Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1000))

/** Moves a message to what a report says of it. */
export const apply = async (
  tx: Tx,
  message: Message,
  { state, reason }: Report,
  { lost }: OutgoingHooks,
): Promise<void> => {
  const actor = system('sms.report')
  const event = 'msg.report'
  const { messageStatus: status } = message
  if (state === 'delivered' && status !== 'delivered') {
    const deliverySeconds = secondsBetween(String(message.sendTime), tx.now)
    const set = { deliverTime: tx.now, deliverySeconds, failReason: null }
    await transition(tx, 'message', message, { event, as: 'delivered', set }, actor)
  } else if (state === 'failed' && ['submitted', 'unknown', 'no_report'].includes(status)) {
    const set = { failReason: reason }
    const failed = await transition(tx, 'message', message, { event, as: 'failed', set }, actor)
    await lost?.(tx, failed)
  } else await transition(tx, 'message', message, { event, as: 'older' }, actor)
}

const outcome = (tx: Tx, reportNo: number, said: string) =>
  tx.exec(sql`update sms_report set outcome = ${said} where report_no = ${reportNo}`)

/** Acts on reports that were stored. */
export const reportQueue = (hooks: OutgoingHooks = {}): QueueHandler => ({
  queue,
  async handle(tx, { payload }) {
    const heard = payload as unknown as Heard
    const message = await messageOf(tx, heard)
    if (message) {
      await apply(tx, message, heard.report, hooks)
      await outcome(tx, heard.reportNo, 'applied')
      return
    }
    const looks = heard.looks + 1
    if (looks >= mostLooks) {
      await outcome(tx, heard.reportNo, 'unknown_message')
      return
    }
    const runAt = new Date(tx.now.getTime() + lookAgainMs)
    await enqueue(tx, queue, `${heard.reportNo} ${looks}`, { ...heard, looks }, { runAt })
  },
})

/** What no vendor has reported for two days is not reported any more. */
export const reportClock: Scheduled = {
  job: 'message.report',
  every: { seconds: 300 },
  run: async tx => {
    const rows = await tx.rows(sql<Message>`
      select * from message where message_status in ('submitted', 'unknown') and created_time <= ${new Date(tx.now.getTime() - 48 * hour)}
      order by created_time limit 500 for update skip locked`)
    for (const row of rows)
      await transition(tx, 'message', row, { event: 'clock.report' }, system(`message.report ${newRequestId()}`))
    return { silent: rows.length }
  },
}
