import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { smsReport } from '../../../../core/contract/operation/sms-report.ts'
import { wishOf } from '../../../../core/rules/message/opt-out.ts'
import { phoneFormat } from '../../../../core/rules/text/formats.ts'
import type { Tx } from '../../../db/database.ts'
import type { Reply } from '../../../gateways/texts/sms-vendor.ts'
import { limitOf } from '../../../http/defence/limit.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { type Served, servePublic } from '../../../http/serve.ts'
import type { Message } from '../../../outgoing/post.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { system } from '../../../rights/actor.ts'
import { hashToken } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { type Block, endBlock, putBlock } from '../../merchant/contact-block/index.ts'

/** Replies that an address may bring in a minute. */
const perMinute = 3_000
const actor = system('sms.reply')

const same = (given: string, wanted: string) =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(wanted)))

/** Offers that still wait for a number are not sent any more; those of one merchant, where one is named. */
export const withdrawOffers = async (tx: Tx, phone: string, merchantNo: string | null = null): Promise<number> => {
  const waiting = await tx.rows(sql<Message>`
    select * from message where recipient = ${phone} and contact_kind = 'marketing' and message_status = 'queued' and begun_time is null
      and (${merchantNo}::text is null or merchant_no = ${merchantNo}) order by message_no for update`)
  const set = { blockReason: 'opted_out' }
  for (const one of waiting) await transition(tx, 'message', one, { event: 'msg.cancel', as: 'blocked', set }, actor)
  return waiting.length
}

/** Puts the number on the do-not-contact list, for offers by text. */
const stop = async (tx: Tx, phone: string, sourceRef: string): Promise<void> => {
  const wish = { blockScope: 'marketing', blockSource: 'sms_stop', blockReason: 'asked_to_stop', sourceRef } as const
  await putBlock(tx, { book: 'contact', phone, ...wish }, 'system', actor)
  await withdrawOffers(tx, phone)
}

/** Ends what the number itself asked for by a text. */
const start = async (tx: Tx, phone: string): Promise<void> => {
  const asked = await tx.rows(sql<Block>`
    select * from contact_block where book = 'contact' and phone = ${phone} and block_status = 'active' and block_reason = 'asked_to_stop'
      and block_scope = 'marketing' and block_source = 'sms_stop' order by block_no for update`)
  for (const block of asked) await endBlock(tx, block, 'START', 'system', actor)
}

/** What somebody answered: who asks for no more offers gets none from then on; the same reply twice changes nothing. */
export const takeReply = async (tx: Tx, accountNo: string, { id, from, text }: Reply): Promise<void> => {
  const phone = from.replace(/^\+/, '')
  const wish = wishOf(text)
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`contact ${phone}`}))`)
  const heard = await tx.exec(sql`
    insert into sms_inbound (account_no, vendor_ref, phone, body, wish, received_time) values (${accountNo}, ${id}, ${phone}, ${text}, ${wish}, ${tx.now})
    on conflict (account_no, vendor_ref) do nothing`)
  if (heard === 1 && wish === 'stop' && phoneFormat.test(phone)) await stop(tx, phone, `${accountNo} ${id}`)
  if (heard === 1 && wish === 'start') await start(tx, phone)
}

const plainReply = ({ id, from, text }: Readonly<Record<string, unknown>>): Reply | null =>
  typeof id === 'string' && typeof from === 'string' && typeof text === 'string' ? { id, from, text } : null

/** Takes in what people answer to texts. */
export const repliesServed = (carriers: (tx: Tx, o: { all: boolean }) => Promise<Vendors>): Served => {
  const limit = limitOf(perMinute, 60)
  return servePublic(smsReport.reply, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) throw tooMany
    const { accountNo, secret, ...body } = input
    const { sms } = await carriers(tx, { all: true })
    const account = sms.find(one => one.accountNo === accountNo)
    if (!account?.reportSecret || !same(secret, account.reportSecret)) throw notFound()
    const { parseReply = plainReply } = account.vendor
    const reply = parseReply(body)
    if (!reply) throw invalid('text', 'validation.wrongValue')
    await takeReply(tx, accountNo, reply)
    return {}
  })
}
