import type { Envelope } from '../../core/contract/endpoint.ts'
import type { Language } from '../../core/i18n/language.ts'
import { isKey as isText, text } from '../../core/i18n/server.ts'
import type { Fault } from './fault.ts'

/** The words of a refusal. */
export const say = (language: Language, fault: Fault): string => {
  const params = Object.fromEntries(
    Object.entries(fault.params).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(value) ? text(language, value) : value,
    ]),
  )
  return text(language, fault.key, params)
}

/** The body of every answer. */
export const envelope = (code: number, msg: string, data: unknown): Envelope => ({ code, msg, data })

/** The envelope of a refusal. */
export const refusal = (language: Language, fault: Fault): Envelope => {
  const data = fault.data as {
    fields?: { path: string; key: Parameters<typeof text>[1]; params: Record<string, string | number> }[]
  } | null
  const placed = data?.fields?.map(({ path, key, params }) => ({ path, msg: text(language, key, params) }))
  return envelope(fault.code, say(language, fault), placed ? { ...data, fields: placed } : fault.data)
}
