import { businessConfigs, type MarketingText } from '../../../../core/contract/common/business-config.ts'
import {
  fallbackOf,
  type MarketingValue,
  marketingValues,
} from '../../../../core/contract/marketing/marketing-value.ts'
import type { MeasuredContent } from '../../../../core/contract/marketing/sms-template.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { hostsIn } from '../../../../core/rules/market/hosts.ts'
import { withOptOut, wrongLinks } from '../../../../core/rules/message/marketing-text.ts'
import { fill, isWellFormed, placesIn } from '../../../../core/rules/message/template-text.ts'
import { mul } from '../../../../core/rules/money.ts'
import { maxParts, smsParts } from '../../../../core/rules/text/sms-parts.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { businessValue } from '../../common/index.ts'
import { costOfPart } from '../../operation/message-template/index.ts'
import { hitsIn } from '../../operation/sensitive-word/index.ts'

/** The same words in the languages of customers. */
export type Contents = { contentEn: string; contentSw: string; contentZh?: string | null | undefined }

const fieldOf = { en: 'contentEn', sw: 'contentSw', zh: 'contentZh' } as const satisfies Record<
  Language,
  keyof Contents
>
/** The languages of texts, English first. */
const order = ['en', 'sw', 'zh'] as const

/** The words in a language; English where there are none in it. */
export const contentIn = (contents: Contents, language: Language): { language: Language; content: string } => {
  const content = contents[fieldOf[language]]
  return content ? { language, content } : { language: 'en', content: contents.contentEn }
}

/** What texts of marketing end with, and where their links may lead. */
export const marketingText = async (tx: Tx): Promise<MarketingText> =>
  (await businessValue(tx, 'MARKETING_TEXT')) ?? businessConfigs.MARKETING_TEXT.plain

const sample = (language: Language, brand: string | null): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(marketingValues).map(([name, { example }]) => [name, example])),
  ...(brand ? { brand } : {}),
  ...(language === 'en' ? {} : { customerName: fallbackOf('customerName', language) ?? '' }),
})

/** A text as its reader would see it. */
export const sampleText = (content: string, language: Language, brand: string | null, line: string): string =>
  withOptOut(fill(content, sample(language, brand)).text ?? content, line)

/** Values for a test of a text. */
export const testValues = (language: Language): Record<string, string> => sample(language, null)

type Flaws = MeasuredContent['flaws']
const flawsOf = (content: string, parts: number, hosts: readonly string[]): Flaws => {
  const unknown = placesIn(content).filter(name => !(name in marketingValues))
  const links = wrongLinks(content, hosts)
  const when = (wrong: boolean, reason: Key, params: Flaws[number]['params'] = {}) =>
    wrong ? [{ reason, params }] : []
  return [
    ...when(!content.trim(), 'validation.contentEmpty'),
    ...when(!isWellFormed(content), 'validation.placeForm'),
    ...when(unknown.length > 0, 'validation.noSuchValue', { names: unknown.map(name => `{${name}}`).join(', ') }),
    ...when(links.length > 0, 'validation.marketingLink', { links: links.join(', ') }),
    ...when(parts > maxParts, 'validation.tooManyParts', { n: parts, max: maxParts }),
  ]
}

/** How texts look in each language that has one, what they take and cost, and what is wrong with them. */
export const measured = async (
  tx: Tx,
  contents: Partial<Contents>,
  brand: string | null,
): Promise<MeasuredContent[]> => {
  const { optOutLine, linkHosts } = await marketingText(tx)
  const each = await costOfPart(tx)
  const list: MeasuredContent[] = []
  for (const language of order) {
    const content = contents[fieldOf[language]]
    if (content === null || content === undefined || (language === 'zh' && content === '')) continue
    const messageText = sampleText(content, language, brand, optOutLine[language])
    const { encoding, length, room, parts: segments, forced } = smsParts(messageText)
    const sent = (await hitsIn(tx, 'sms', content)).filter(({ word }) => word.wordAction !== 'replace')
    const hits = [...(await hitsIn(tx, 'template', content)), ...sent]
    list.push({
      ...{ language, messageText, encoding, length, room, segments, forced },
      cost: each && mul(each, String(segments)),
      flaws: flawsOf(content, segments, hostsIn(linkHosts)),
      words: [...new Map(hits.map(({ word: { word, wordAction } }) => [word, { word, wordAction }])).values()],
    })
  }
  return list
}

/** Refuses texts that may not be sent, with the first thing that is wrong with one; what they take where nothing is. */
export const checked = async (tx: Tx, contents: Contents, brand: string | null): Promise<MeasuredContent[]> => {
  const list = await measured(tx, contents, brand)
  for (const { language, flaws, words } of list) {
    const [flaw] = flaws
    if (flaw) throw invalid(fieldOf[language], flaw.reason as Key, flaw.params)
    if (words.length)
      throw invalid(fieldOf[language], 'errors.sensitiveWord', { word: words.map(({ word }) => word).join(', ') })
  }
  return list
}

/** The values of a text with what stands for those that are not known; null where one is missing that nothing stands for. */
export const filledIn = (
  content: string,
  language: Language,
  known: Readonly<Partial<Record<MarketingValue, string>>>,
): Record<string, string> | null => {
  const values: Record<string, string> = {}
  for (const name of placesIn(content)) {
    const value = known[name as MarketingValue] ?? fallbackOf(name as MarketingValue, language)
    if (!value) return null
    values[name] = value
  }
  return values
}
