import { type Selectable, sql } from 'kysely'
import type { Key } from '../../core/i18n/index.ts'
import type { Language } from '../../core/i18n/language.ts'
import { isKey, text } from '../../core/i18n/server.ts'
import { fill } from '../../core/rules/message/template-text.ts'
import { networkOf } from '../../core/rules/text/network.ts'
import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { DB } from '../db/types.gen.ts'
import type { Params } from '../http/fault.ts'
import { enqueue } from '../jobs/queue.ts'
import { newNo } from '../money/numbers.ts'
import { type Actor, system } from '../rights/actor.ts'
import type { Sealer } from '../session/seal.ts'
import { create } from '../states/transition.ts'

export type Message = Selectable<DB['message']>

/**
 * Values of a letter that are made when it is sent, such as a one-time link, and kept nowhere.
 * @returns null where the letter has lost its reason, and is not sent
 */
export type LetterMaker = (tx: Tx, message: Message) => Promise<Params | null>
export type LetterMakers = Readonly<Record<string, LetterMaker>>

/** Letters by their words: `letter.{template}.subject` and `.body`, and `letter.{template}.sms` for a phone. */
export type LetterTemplate = 'link' | 'code' | 'locked' | 'recoveryUsed' | 'mfaReset' | 'passwordChanged' | 'routeTest'

export type Channel = 'sms' | 'app_push' | 'email' | 'voice' | 'phone_sms' | 'whatsapp'

/** What a message is whose words are those of a template: of a business node that causes it, or of marketing, which has none. */
export type NodeLetter = {
  nodeNo: string | null
  templateNo: string | null
  templateVersion: number | null
  title: string | null
  content: string | null
  contactKind: string
  /** Which time it happened: it is said once over each channel. Null where the caller sees to that. */
  occurrence: string | null
  /** The place of its channel among those of its node. */
  channelAt: number
  isOwn: boolean
  appCode: string | null
  merchantNo: string | null
  customerNo: string | null
  orderNo: string | null
}

/** One letter over one channel. */
export type Letter = {
  channel: Channel
  to: string
  template: LetterTemplate | 'node'
  language: Language
  /** Places of the words that anybody who reads the table may know. */
  params?: Params
  /** Places that only the receiver may read: they are kept sealed, and wiped once they are of no use. */
  secrets?: Readonly<Record<string, string>>
  userNo?: string | null
  objectType: string
  objectNo: string
  /** Accounts by which it is not to go. */
  avoid?: readonly string[]
  node?: NodeLetter
  /** Why it is not sent at all: it is kept as blocked. */
  blocked?: string
  /** It waits until then. */
  runAt?: Date
}

/** The queue of what waits to be handed over. */
export const outgoingQueue = 'message.send'

/** Has a message handed over, now or later; each try has a key of its own. */
export const sendSoon = (tx: Tx, messageNo: string, tries: number, runAt?: Date): Promise<boolean> =>
  enqueue(tx, outgoingQueue, `${messageNo} ${tries}`, { messageNo }, runAt ? { runAt } : {})

/**
 * Puts a letter or a text into the queue, in the transaction of its cause: it is sent only if that commits.
 * @returns the number of the message
 */
export const post = async (tx: Tx, letter: Letter, sealer?: Sealer, by?: Actor): Promise<string> => {
  const { channel, to, template, language, params = {}, secrets, userNo = null, objectType, objectNo } = letter
  if (secrets && !sealer) throw new Error(`${template} holds a secret and nothing seals it`)
  const messageNo = newNo('MS', tx.now)
  const sealed = secrets && sealer ? sealer.seal(Buffer.from(JSON.stringify(secrets)), messageNo) : null
  const values = {
    ...{ messageNo, channelType: channel, template, language, params: json(params), sealed },
    ...{ userNo, recipient: to, network: channel === 'sms' ? networkOf(to) : null, objectType, objectNo },
    ...{ tried: [...(letter.avoid ?? [])], createdTime: tx.now, ...letter.node, blockReason: letter.blocked ?? null },
  }
  const as = letter.blocked ? 'blocked' : 'queued'
  await create(tx, 'message', values, { event: 'msg.queue', as }, by ?? system('message'))
  if (!letter.blocked) await sendSoon(tx, messageNo, 0, letter.runAt)
  return messageNo
}

/** The words of a message for its channel, once all its values are known. */
export const lettersOf = (
  {
    template,
    channelType,
    language,
    title,
    content,
  }: Pick<Message, 'template' | 'channelType' | 'language' | 'title' | 'content'>,
  values: Params,
): { subject: string; body: string } => {
  if (content !== null) {
    const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
    const [subject, body] = [fill(title ?? '', given), fill(content, given)]
    if (subject.missing || body.missing) throw new Error(`a message lacks ${subject.missing ?? body.missing}`)
    return { subject: subject.text, body: body.text }
  }
  const said = (part: string): string => {
    const key = `letter.${template}.${part}`
    if (!isKey(key)) throw new Error(`there are no words ${key}`)
    return text(language as Language, key as Key, values)
  }
  return channelType === 'sms' ? { subject: '', body: said('sms') } : { subject: said('subject'), body: said('body') }
}

/** Staff who have never signed in read English: the language of schools and offices in Uganda. */
const firstLanguage: Language = 'en'

type Reach = { email: string | null; phone: string | null; language: string | null }

/** Tells a member of staff over each channel that is known to be theirs; who has none reads it in the console alone. */
export const postToStaff = async (
  tx: Tx,
  userNo: string,
  template: LetterTemplate,
  params: Params = {},
): Promise<void> => {
  const reach = await tx.maybe(sql<Reach>`
    select case when email_verified then email end as email, case when phone_verified then phone end as phone, language
    from app_user where user_no = ${userNo}`)
  const language = (reach?.language as Language | null) ?? firstLanguage
  const about = { template, language, params, userNo, objectType: 'user', objectNo: userNo }
  if (reach?.email) await post(tx, { ...about, channel: 'email', to: reach.email })
  else if (reach?.phone) await post(tx, { ...about, channel: 'sms', to: reach.phone })
}

/** The language in which somebody reads letters. */
export const languageOf = (given: string | null | undefined): Language =>
  (given as Language | null | undefined) ?? firstLanguage
