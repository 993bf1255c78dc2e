import { sql } from 'kysely'
import { isOfVendor } from '../../../gateways/texts/sms-vendor.ts'
import type { QueueHandler, Scheduled } from '../../../module.ts'
import type { Message } from '../../../outgoing/post.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { type Codes, moveQueue, type VerifyCode } from './code.ts'

/** How often the text of one code goes by another route. */
const mostMoves = 2

/** Whether another route may do better: nothing is known of the text, or its vendor, not its number, was at fault. */
const mayMove = ({ messageStatus, failReason }: Message): boolean =>
  messageStatus === 'failed' ? isOfVendor(String(failReason)) : ['submitted', 'unknown'].includes(messageStatus)

/** A text that nobody has reported on after a while goes once more, with the same code, by a route that it has not taken. */
export const moves = (codes: Codes, { sms }: Vendors): QueueHandler => ({
  queue: moveQueue,
  async handle(tx, { payload }) {
    const { codeNo, moves: then } = payload as { codeNo: string; moves: number }
    const code = await tx.maybe(sql<VerifyCode>`
      select * from verify_code where code_no = ${codeNo} and code_status = 'sent' and moves = ${then} for update`)
    if (!code || code.moves >= mostMoves) return
    const sent = await tx.rows(sql<Message>`
      select * from message where object_type = 'verifyCode' and object_no = ${codeNo} order by created_time, message_no`)
    const last = sent.find(one => one.messageNo === code.messageNo)
    const taken = sent.flatMap(one => [...one.tried, one.accountNo ?? ''])
    const account = sms.find(one => one.accountNo === last?.accountNo)
    const other = sms.some(({ accountNo }) => !taken.includes(accountNo))
    const text = last && codes.sealedCode(last)
    if (!last || !text || !account?.reportSecret || !other || !mayMove(last)) return
    await tx.exec(sql`update verify_code set moves = moves + 1, version = version + 1 where code_no = ${codeNo}`)
    await codes.dispatch(tx, { ...code, moves: code.moves + 1 }, text, taken)
  },
})

/** Ends codes whose time is over, and wipes the words of those that are of no more use. */
export const codeClock: Scheduled = {
  job: 'verifyCode.expire',
  every: { seconds: 60 },
  run: async tx => {
    const over = await tx.rows(sql<VerifyCode>`
      select * from verify_code where code_status = 'sent' and expires_time <= ${tx.now} order by expires_time limit 500 for update skip locked`)
    for (const row of over)
      await transition(tx, 'verificationCode', row, { event: 'clock.ttl' }, system('verifyCode.expire'))
    const wiped = await tx.exec(sql`
      update message set sealed = null where sealed is not null and message_status <> 'queued'
        and object_type = 'verifyCode' and object_no in (select code_no from verify_code where code_status <> 'sent')`)
    return { expired: over.length, wiped }
  },
}
