import { sql } from 'kysely'
import {
  debtPlaces,
  debtWords,
  type MessageEvent,
  type MessageValue,
  valuesOfEvent,
} from '../../../../core/contract/operation/message-event.ts'
import type { MeasuredText } from '../../../../core/contract/operation/message-template.ts'
import { debtIn, fill, hasLink, isWellFormed, placesIn } from '../../../../core/rules/message/template-text.ts'
import { type Money, mul } from '../../../../core/rules/money.ts'
import { maxParts, smsParts } from '../../../../core/rules/text/sms-parts.ts'
import type { Tx } from '../../../db/database.ts'
import { sampleValues } from '../message-engine/shared.ts'
import { hitsIn } from '../sensitive-word/index.ts'

/** What is measured of a text. */
export type Draft = {
  eventKey: MessageEvent
  /** Why the node contacts people. */
  contactKind: string
  channelType: string
  contactType: string
  title?: string | null | undefined
  content: string
}
type Flaws = MeasuredText['flaws']

const isByPhone = (channel: string) => channel === 'sms' || channel === 'phone_sms'
const monthMs = 30 * 86_400_000

/** What a part of a text has cost of late, as vendors said; null while none did. */
export const costOfPart = async (tx: Tx): Promise<Money | null> =>
  (
    await tx.one(sql<{ cost: Money | null }>`
      select (sum(cost) / nullif(sum(segments), 0))::numeric(18,2) as cost from message
      where channel_type = 'sms' and cost is not null and segments > 0 and created_time > ${new Date(tx.now.getTime() - monthMs)}`)
  ).cost

/** What keeps a text from being put in force, beyond sensitive words. */
const flawsOf = ({ eventKey, contactKind, contactType, channelType, title, content }: Draft): Flaws => {
  const whole = `${title ?? ''} ${content}`
  const known: readonly string[] = valuesOfEvent(eventKey)
  const unknown = placesIn(whole).filter(name => !known.includes(name))
  const debt = contactType === 'self' ? [] : debtIn(whole, { places: debtPlaces, words: debtWords })
  const parts = isByPhone(channelType) ? smsParts(fill(content, sampleValues).text ?? content).parts : 1
  const when = (wrong: boolean, reason: string, params: Flaws[number]['params'] = {}) =>
    wrong ? [{ reason, params }] : []
  return [
    ...when(!content.trim(), 'validation.contentEmpty'),
    ...when(!isWellFormed(whole), 'validation.placeForm'),
    ...when(unknown.length > 0, 'validation.unknownValue', { names: unknown.map(name => `{${name}}`).join(', ') }),
    ...when(
      contactKind === 'collection' && !['brand', 'hotline'].every(name => placesIn(whole).includes(name)),
      'validation.collectionBrand',
    ),
    ...when(hasLink(whole), 'validation.templateLink'),
    ...when(parts > maxParts, 'validation.tooManyParts', { n: parts, max: maxParts }),
    ...when(debt.length > 0, 'validation.debtToOthers', { names: debt.join(', ') }),
  ]
}

/** How a text looks, what it takes and costs, and what is wrong with it. */
export const measure = async (
  tx: Tx,
  draft: Draft,
  values: { readonly [V in MessageValue]?: string } = {},
): Promise<MeasuredText> => {
  const shown = { ...sampleValues, ...values }
  const textOf = (text: string) => fill(text, shown).text ?? text
  const [title, messageText] = [draft.title ? textOf(draft.title) : null, textOf(draft.content)]
  const parts = isByPhone(draft.channelType) ? smsParts(messageText) : null
  const each = parts ? await costOfPart(tx) : null
  const hits = await hitsIn(tx, 'template', `${draft.title ?? ''} ${draft.content}`)
  return {
    ...{ title, messageText, encoding: parts?.encoding ?? null, length: parts?.length ?? messageText.length },
    ...{ room: parts?.room ?? null, segments: parts?.parts ?? null, forced: parts?.forced ?? [] },
    cost: each && parts ? mul(each, String(parts.parts)) : null,
    flaws: flawsOf(draft),
    words: [...new Map(hits.map(({ word: { word, wordAction } }) => [word, { word, wordAction }])).values()],
  }
}
