import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Enquiry } from '../gateways/texts/sms-vendor.ts'
import { enqueue } from '../jobs/queue.ts'
import type { NetworkHandler, Scheduled } from '../module.ts'
import { system } from '../rights/actor.ts'
import { transition } from '../states/transition.ts'
import type { OutgoingHooks } from './hooks.ts'
import { type Message, sendSoon } from './post.ts'
import { apply } from './report.ts'
import type { Vendors } from './vendors.ts'

const queue = 'message.enquire'
const actor = system(queue)
const minute = 60_000
/** An outcome is asked for after two minutes and every five; what a vendor took, after half an hour and every hour. */
const [unknownAfterMs, silentAfterMs, silentEveryMs] = [2 * minute, 30 * minute, 60 * minute]
const mostAtOnce = 500

type Carriers = (tx: Tx) => Promise<Vendors>
type Prepared = { messageNo: string; ask: () => Promise<Enquiry> }

/** Accounts whose vendors can be asked: by their own number of a message, or by ours too. */
const able = ({ sms, others = [] }: Vendors) => ({
  byRef: sms.filter(({ vendor }) => vendor.query).map(({ accountNo }) => accountNo),
  byNumber: others.filter(({ vendor }) => vendor.query).map(({ accountNo }) => accountNo),
})

/** Asks vendors that can be asked what became of messages of which nobody has said it. */
const clock = (carriers: Carriers): Scheduled => ({
  job: queue,
  every: { seconds: 300 },
  async run(tx) {
    const { byRef, byNumber } = able(await carriers(tx))
    if (byRef.length + byNumber.length === 0) return { asked: 0 }
    const ago = (ms: number) => new Date(tx.now.getTime() - ms)
    const rows = await tx.rows(sql<{ messageNo: string }>`
      update message m set enquired_time = ${tx.now} where m.message_no in (
        select x.message_no from message x where x.created_time > ${ago(48 * 60 * minute)}
          and (x.account_no = any(${byNumber}) or (x.account_no = any(${byRef}) and x.vendor_ref is not null))
          and ((x.message_status = 'unknown' and x.send_time <= ${ago(unknownAfterMs)})
            or (x.message_status = 'submitted' and x.send_time <= ${ago(silentAfterMs)} and coalesce(x.enquired_time <= ${ago(silentEveryMs)}, true)))
        order by x.created_time limit ${mostAtOnce} for update skip locked) returning m.message_no`)
    for (const { messageNo } of rows) await enqueue(tx, queue, `${messageNo} ${tx.now.toISOString()}`, { messageNo })
    return { asked: rows.length }
  },
})

/** The vendor never had it: an offer, and what was handed over once more before, has failed; all else goes once more. */
const settleAbsent = async (tx: Tx, message: Message, { lost }: OutgoingHooks) => {
  if (message.messageStatus !== 'unknown') return
  const event = 'msg.resolve'
  if (message.contactKind === 'marketing' || message.repeated) {
    const set = { failReason: 'vendor_error' }
    const failed = await transition(tx, 'message', message, { event, as: 'failed', set }, actor)
    return lost?.(tx, failed)
  }
  const set = { begunTime: null, repeated: true }
  await transition(tx, 'message', message, { event, as: 'again', set }, actor)
  await sendSoon(tx, message.messageNo, message.tries)
}

const settle = async (tx: Tx, message: Message, enquiry: Enquiry, hooks: OutgoingHooks): Promise<void> => {
  if (enquiry.is === 'unknown') return
  if (enquiry.is === 'absent') return settleAbsent(tx, message, hooks)
  const { report } = enquiry
  const { messageStatus: status } = message
  if (status !== 'unknown' && report.state === 'submitted') return
  const set = { vendorRef: report.vendorRef }
  const known =
    status === 'unknown'
      ? await transition(tx, 'message', message, { event: 'msg.resolve', as: 'accepted', set }, actor)
      : message
  if (report.state !== 'submitted') await apply(tx, known, report, hooks)
}

const asked = (carriers: Carriers, hooks: OutgoingHooks): NetworkHandler<Prepared, Enquiry> => ({
  queue,
  async before(tx, { payload }) {
    const messageNo = String(payload.messageNo)
    const message = await tx.maybe(sql<Message>`select * from message where message_no = ${messageNo}`)
    if (!message || !['unknown', 'submitted'].includes(message.messageStatus)) return null
    const { accountNo, vendorRef, recipient: phone } = message
    const { sms, others = [] } = await carriers(tx)
    const of = { messageNo, vendorRef, phone, senderId: message.senderId ?? '' }
    const query = [...sms, ...others].find(one => one.accountNo === accountNo)?.vendor.query
    return query ? { messageNo, ask: () => query(of) } : null
  },
  send: ({ ask }) => ask(),
  async after(tx, { messageNo }, enquiry) {
    const message = await tx.maybe(sql<Message>`select * from message where message_no = ${messageNo} for update`)
    if (message && ['unknown', 'submitted'].includes(message.messageStatus)) await settle(tx, message, enquiry, hooks)
  },
  waits: true,
})

/** Enquiries at vendors. */
export const enquiries = (vendors: Vendors, hooks: OutgoingHooks) => {
  const carriers: Carriers = async tx => (await hooks.carriers?.(tx, { all: true })) ?? vendors
  return { scheduled: clock(carriers), queue: asked(carriers, hooks) }
}
