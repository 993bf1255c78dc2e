import { randomUUID } from 'node:crypto'
import { type Language, languageOf } from '../core/i18n/language.ts'

/** The caller's request id where it has the form of one, else a new one. */
export const newRequestId = (given?: string): string => (given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID())

/** Both header names may carry the token; two different ones are nobody's. */
export const tokenOf = (headers: Headers): string | undefined => {
  const own = headers.get('token') ?? undefined
  const bearer = headers.get('authorization')?.match(/^Bearer (.+)$/)?.[1]
  return own && bearer && own !== bearer ? undefined : (own ?? bearer)
}

/** The language that a caller wants to be answered in. */
export const spokenIn = (headers: Headers): Language =>
  languageOf(headers.get('language')) ?? languageOf(headers.get('accept-language')) ?? 'zh'
