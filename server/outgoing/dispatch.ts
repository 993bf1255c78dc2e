import { sql } from 'kysely'
import { smsParts } from '../../core/rules/text/sms-parts.ts'
import type { Tx } from '../db/database.ts'
import type { ChannelAccount, ChannelMessage } from '../gateways/channels/channel-vendor.ts'
import type { Mail } from '../gateways/mail/mail-vendor.ts'
import { type Handed, isOfVendor, type SmsAccount } from '../gateways/texts/sms-vendor.ts'
import type { Params } from '../http/fault.ts'
import { enqueue } from '../jobs/queue.ts'
import type { NetworkHandler } from '../module.ts'
import { system } from '../rights/actor.ts'
import type { Sealer } from '../session/seal.ts'
import { transition } from '../states/transition.ts'
import type { OutgoingHooks } from './hooks.ts'
import { type LetterMakers, lettersOf, type Message, outgoingQueue, sendSoon } from './post.ts'
import type { Vendors } from './vendors.ts'

/** What is to be handed over, and by what. */
type Prepared = {
  messageNo: string
  mail?: Mail
  text?: { account: SmsAccount; senderId: string; phone: string; content: string }
  other?: { account: ChannelAccount; message: ChannelMessage }
}

/** Most tries to reach a server that does not answer, and the wait before the first further one. */
const mostTries = 6
const firstWaitMs = 5_000

const lock = (tx: Tx, messageNo: string): Promise<Message | undefined> =>
  tx.maybe(sql<Message>`select * from message where message_no = ${messageNo} for update`)

/** The first way whose account has not refused it and is not to be avoided; where all were tried, none. */
const wayOf = async (tx: Tx, { sms }: Vendors, message: Message, { routes }: OutgoingHooks) => {
  const given = (await routes?.(tx, message)) ?? []
  const ways = given.length ? given : sms.map(({ accountNo, senderId }) => ({ routeNo: null, accountNo, senderId }))
  for (const way of ways) {
    const account = sms.find(({ accountNo }) => accountNo === way.accountNo && !message.tried.includes(accountNo))
    if (account) return { account, ...way }
  }
  return undefined
}

const actor = system('message.send')

/** The values of its words: those of everybody, those that were sealed, and those that are made now. */
const valuesOf = async (tx: Tx, message: Message, sealer: Sealer, makers: LetterMakers): Promise<Params | null> => {
  const made = makers[message.template]
  const fresh = made ? await made(tx, message) : {}
  if (!fresh) return null
  const secrets = message.sealed ? JSON.parse(sealer.open(message.sealed, message.messageNo).toString()) : {}
  return { ...(message.params as unknown as Params), ...secrets, ...fresh }
}

type Failure = { failReason: string; said?: string; hooks: OutgoingHooks }
const fail = async (tx: Tx, message: Message, { failReason, said = failReason, hooks }: Failure) => {
  const move = { event: 'msg.send', as: 'failed', set: { failReason }, payload: { said } }
  const failed = await transition(tx, 'message', message, move, actor)
  await hooks.lost?.(tx, failed)
}

/** Keeps back what may not go now. @returns whether it did */
const heldBack = async (tx: Tx, message: Message, { gate }: OutgoingHooks): Promise<boolean> => {
  const held = await gate?.(tx, message)
  if (!held) return false
  const { messageNo } = message
  if ('until' in held)
    await enqueue(tx, outgoingQueue, `${messageNo} ${held.until.toISOString()}`, { messageNo }, { runAt: held.until })
  else {
    const set = { blockReason: held.blocked }
    await transition(tx, 'message', message, { event: 'msg.send', as: 'blocked', set }, actor)
  }
  return true
}

type Given = { vendors: Vendors; sealer: Sealer; makers: LetterMakers; hooks: OutgoingHooks }

/** Decides by what a message goes. Its sending that began before and was not ended may have reached the receiver: it is unknown. */
const prepare =
  ({ vendors, sealer, makers, hooks }: Given): NetworkHandler<Prepared, Handed>['before'] =>
  async (tx, { payload }) => {
    const message = await lock(tx, String(payload.messageNo))
    if (message?.messageStatus !== 'queued') return null
    if (message.begunTime !== null) {
      await transition(tx, 'message', message, { event: 'msg.send', as: 'unknown' }, actor)
      return null
    }
    const values = await valuesOf(tx, message, sealer, makers)
    if (values === null) {
      await transition(tx, 'message', message, { event: 'msg.send', as: 'blocked' }, actor)
      return null
    }
    if (await heldBack(tx, message, hooks)) return null
    const { messageNo, recipient } = message
    const carriers = (await hooks.carriers?.(tx)) ?? vendors
    const { subject, body } = lettersOf(message, values)
    const way = message.channelType === 'sms' ? await wayOf(tx, carriers, message, hooks) : undefined
    const mailed =
      message.channelType === 'email' && carriers.mail ? { accountNo: 'mail', routeNo: null, ...carriers.mail } : null
    const other = carriers.others?.find(one => one.channel === message.channelType)
    const called = other ? { ...other, routeNo: null } : mailed
    const by = way ? { ...way, vendorName: way.account.vendorName } : called
    if (!by) {
      await fail(tx, message, { failReason: message.failReason ?? 'no_route', hooks })
      return null
    }
    await tx.exec(sql`
      update message set begun_time = ${tx.now}, send_time = ${tx.now}, tries = tries + 1, account_no = ${by.accountNo}, version = version + 1,
        vendor_name = ${by.vendorName}, sender_id = ${by.senderId}, route_no = ${by.routeNo}, segments = ${way ? smsParts(body).parts : null}
      where message_no = ${messageNo}`)
    if (other) {
      const { language, templateNo: template } = message
      const words = {
        messageNo,
        to: recipient,
        senderId: other.senderId,
        template,
        language,
        title: subject,
        content: body,
      }
      return { messageNo, other: { account: other, message: words } }
    }
    return way
      ? { messageNo, text: { account: way.account, senderId: way.senderId, phone: recipient, content: body } }
      : { messageNo, mail: { messageNo, to: recipient, subject, body } }
  }

/** Waits twice as long before each further try. */
const later = (tx: Tx, tries: number) => new Date(tx.now.getTime() + firstWaitMs * 2 ** (tries - 1))

/** Goes by the next account at once, or waits for the same one. */
const tryOn = async (tx: Tx, message: Message, o: { reason: string; next: boolean }) => {
  const tried = o.next ? [...message.tried, String(message.accountNo)] : message.tried
  const failReason = o.next ? 'vendor_error' : null
  const set = { begunTime: null, failReason, tried }
  await transition(tx, 'message', message, { event: 'msg.send', as: 'next', set, payload: { reason: o.reason } }, actor)
  await sendSoon(tx, message.messageNo, message.tries, o.next ? tx.now : later(tx, message.tries))
}

/** As lists say it: what mail servers answer in full is in the history of the message. */
const failureOf = (handed: Extract<Handed, { reason: string }>, isMail: boolean): string => {
  if (!isMail) return handed.is === 'later' ? 'vendor_error' : handed.reason
  return handed.is === 'later' ? 'mail_unreachable' : 'mail_refused'
}

/** A vendor has no money left: an offer waits until it has, all else goes by another account or is lost. */
const balanceMs = 5 * 60_000
const wait = async (tx: Tx, message: Message, reason: string) => {
  const set = { begunTime: null, failReason: reason, tried: [] }
  await transition(tx, 'message', message, { event: 'msg.send', as: 'next', set, payload: { reason } }, actor)
  await sendSoon(tx, message.messageNo, message.tries, new Date(tx.now.getTime() + balanceMs))
}

const settle = async (tx: Tx, { vendors, hooks }: Given, message: Message, handed: Handed): Promise<void> => {
  if (handed.is === 'accepted') {
    const { vendorRef, cost } = handed
    const set = { vendorRef, cost, failReason: null }
    await transition(tx, 'message', message, { event: 'msg.send', as: 'accepted', set }, actor)
    await hooks.sent?.(tx, message)
    return
  }
  const { reason } = handed
  if (handed.is === 'unknown') {
    const set = { failReason: null }
    await transition(tx, 'message', message, { event: 'msg.send', as: 'unknown', set, payload: { reason } }, actor)
    return
  }
  const isText = message.channelType === 'sms'
  const { sms } = (await hooks.carriers?.(tx)) ?? vendors
  const others = sms.some(({ accountNo }) => accountNo !== message.accountNo && !message.tried.includes(accountNo))
  const movesOn = isText && others && (handed.is === 'later' || isOfVendor(reason))
  if (movesOn) return tryOn(tx, message, { reason, next: true })
  if (isText && reason === 'balance' && message.contactKind === 'marketing') return wait(tx, message, reason)
  if (handed.is === 'later' && message.tries < mostTries) return tryOn(tx, message, { reason, next: false })
  await fail(tx, message, { failReason: failureOf(handed, message.channelType === 'email'), said: reason, hooks })
}

/**
 * Hands messages over: what is sent is written down before, so that a crash leaves a message whose outcome is unknown and never one
 * that goes twice; the network is called with no transaction open.
 */
export const outgoing = (
  vendors: Vendors,
  sealer: Sealer,
  makers: LetterMakers,
  hooks: OutgoingHooks = {},
): NetworkHandler<Prepared, Handed> => ({
  queue: outgoingQueue,
  before: prepare({ vendors, sealer, makers, hooks }),
  async send({ messageNo, mail, text, other }) {
    if (mail && vendors.mail) return vendors.mail.send(mail)
    if (other) return other.account.vendor.send(other.message)
    if (!text) return { is: 'later', reason: 'no way out' }
    const { account, senderId, phone, content } = text
    return account.vendor.send({ messageNo, phone, senderId, content })
  },
  async after(tx, { messageNo }, handed) {
    const message = await lock(tx, messageNo)
    if (message?.messageStatus === 'queued') await settle(tx, { vendors, sealer, makers, hooks }, message, handed)
  },
})
