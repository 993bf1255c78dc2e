import type { Use } from '../../../../core/contract/config.ts'
import { endpoints } from '../../../../core/contract/contract.ts'
import { widgetCalls } from '../../../../core/contract/widget-calls.gen.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { dictionariesIn } from '../../../../core/i18n/needs.ts'
import { messages } from '../../../../core/i18n/server.ts'

const byName = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint]))

/** The elements whose calls speak of a dictionary. */
const tagsOf = (dictType: string): readonly string[] =>
  Object.entries(widgetCalls).flatMap(([tag, calls]) =>
    calls.some(name => {
      const call = byName.get(name)
      return call !== undefined && dictionariesIn(call).includes(dictType)
    })
      ? [tag]
      : [],
  )

/** The screens that show values of a dictionary or ask for them, by their titles. */
export const screensOf = (dictType: string, language: Language): readonly Use[] =>
  tagsOf(dictType).map(tag => ({ kind: 'screen', no: tag, name: messages[language][`screens.${tag}`] ?? tag }))
