import type { MessageValue } from '../../../../core/contract/operation/message-event.ts'
import type { TextScope } from '../../../../core/contract/operation/sensitive-word.ts'
import type { ContactRefusal } from '../../../../core/rules/message/contact-guard.ts'
import { fill } from '../../../../core/rules/message/template-text.ts'
import { outcomeOf } from '../../../../core/rules/text/sensitive-words.ts'
import type { Tx } from '../../../db/database.ts'
import type { Channel } from '../../../outgoing/post.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { appRulesOf } from '../message-center/index.ts'
import { hitsIn } from '../sensitive-word/index.ts'
import { contactCheck } from './contact.ts'
import { nextMoment } from './contact-rules.ts'
import { isOn, type NodeRecord } from './node-store.ts'
import { addressOf, type Receiver } from './receiver.ts'
import { type TemplateRecord, templateFor } from './template-choice.ts'

type Values = { [V in MessageValue]?: string }
/** Why a message is not sent at all. */
export type Block = ContactRefusal | 'missing_value' | 'node_off' | 'sensitive_word' | 'no_template'

/** What would go over one channel: its text, and whether it goes, waits or is kept back. */
export type Composed = {
  channel: Channel
  channelAt: number
  to: string
  template: TemplateRecord | null
  text: string | null
  blocked: Block | null
  until: Date | null
}

/** What a message is about. */
export type Subject = {
  receiver: Receiver
  values: Values
  orderNo: string | null
  billNo: string | null
  /** The record that it is about, where the message is really to be sent. */
  about?: { objectType: string; objectNo: string }
}

const scopeOf = (channel: Channel): TextScope => (channel === 'email' || channel === 'whatsapp' ? channel : 'sms')

const isBadText = async (tx: Tx, channel: Channel, text: string): Promise<boolean> => {
  const outcome = outcomeOf(await hitsIn(tx, scopeOf(channel), text))
  return outcome === 'block' || outcome === 'warn'
}

/** What keeps a text back, or until when it waits. */
type One = { channel: Channel; to: string; text: string; lists: ListValues }
const held = async (tx: Tx, node: NodeRecord, of: Subject, one: One) => {
  if (await isBadText(tx, one.channel, one.text)) return { blocked: 'sensitive_word' as const, until: null }
  const { receiver, orderNo, billNo, about } = of
  const phone = one.channel === 'email' ? receiver.phone : one.to
  const refusal = await contactCheck(tx, one.lists, {
    ...{ phone, kind: node.contactKind, medium: one.channel === 'voice' ? ('robot' as const) : ('text' as const) },
    ...{
      appCode: receiver.appName,
      customerNo: receiver.customerNo,
      merchantNo: receiver.merchantNo,
      orderNo,
      billNo,
      isOwn: true,
    },
    ...(about ? { about } : {}),
  })
  if (refusal === 'outside_hours')
    return { blocked: null, until: await nextMoment(tx, node.contactKind, receiver.appName) }
  return { blocked: refusal, until: null }
}

/**
 * The message of a node over its first channel from `from` on that reaches the customer and has a text: its words with all their values,
 * checked for sensitive words and by the contact guard.
 * @returns null where no channel is left; with `no_template` where channels are and none has a text
 */
export const compose = async (
  tx: Tx,
  node: NodeRecord,
  of: Subject,
  { lists, from = 0 }: { lists: ListValues; from?: number },
): Promise<Composed | null> => {
  const { receiver } = of
  let lacking: Composed | null = null
  const { speaks } = await appRulesOf(tx, receiver.appName)
  for (const [channelAt, { channelType: channel }] of node.channelOrder.entries()) {
    // What staff send from a handset is sent by nobody else.
    const to = channelAt < from || channel === 'phone_sms' || !speaks(channel) ? null : addressOf(receiver, channel)
    if (!to) continue
    const none = { channel, channelAt, to, template: null, text: null, until: null }
    if (!isOn(node, receiver.appName)) return { ...none, blocked: 'node_off' }
    const { nodeNo } = node
    const { language, merchantNo, appName: appCode } = receiver
    const template = await templateFor(tx, { nodeNo, channel, language, merchantNo, appCode })
    if (!template) {
      lacking ??= { ...none, blocked: 'no_template' }
      continue
    }
    const [title, body] = [fill(template.title ?? '', of.values), fill(template.content, of.values)]
    if (title.missing || body.missing) return { ...none, template, blocked: 'missing_value' }
    return {
      ...none,
      template,
      text: body.text,
      ...(await held(tx, node, of, { channel, to, text: body.text, lists })),
    }
  }
  return lacking
}
