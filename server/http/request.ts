import { randomUUID } from 'node:crypto'
import { type Language, languageOf } from '../../core/i18n/language.ts'

/** The caller's request id where it has the form of one, else a new one. */
export const newRequestId = (given?: string): string => (given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID())

const tokensOf = (headers: Headers) => ({
  own: headers.get('token') ?? undefined,
  bearer: headers.get('authorization')?.match(/^Bearer +(.+)$/i)?.[1],
})

/** Whether the two header names carry different tokens: which of them is meant is ambiguous. */
export const hasTwoTokens = (headers: Headers): boolean => {
  const { own, bearer } = tokensOf(headers)
  return own !== undefined && bearer !== undefined && own !== bearer
}

/** The token, from either header name; two different ones count as none. */
export const tokenOf = (headers: Headers): string | undefined => {
  const { own, bearer } = tokensOf(headers)
  return hasTwoTokens(headers) ? undefined : (own ?? bearer)
}

/** The language that a caller wants to be answered in. */
export const spokenIn = (headers: Headers): Language =>
  languageOf(headers.get('language')) ?? languageOf(headers.get('accept-language')) ?? 'zh'
