import { contract, endpoints } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { isKey, text } from '../../../../core/i18n/server.ts'

/** What is known of an operation code. */
export type CodeFlags = { money: boolean; stepUp: boolean; checked: boolean }

const calls = new Map<string, Endpoint[]>()
for (const { endpoint } of endpoints)
  if (endpoint.perm) calls.set(endpoint.perm, [...(calls.get(endpoint.perm) ?? []), endpoint])

/** The calls that a code opens. */
export const callsOf = (code: string): readonly Endpoint[] => calls.get(code) ?? []

const base = (code: string) => code.replace(/:check$/, '')
const isCheck = (code: string) => code !== base(code)

/** Whether a code moves or forgives money, itself or by agreeing to it. */
const isMoney = (code: string): boolean => callsOf(base(code)).some(call => call.money !== undefined)

/**
 * What granting a code means. The right to change roles is checked like money: who has it could take every other right.
 */
export const flagsOf = (code: string): CodeFlags => ({
  money: isMoney(code),
  stepUp: callsOf(code).some(call => call.stepUp === true),
  checked: isMoney(code) || isCheck(code) || code === contract.role.permissions.perm,
})

const eventsIn = (language: Language, code: string): string => {
  const events = callsOf(code).flatMap(({ on, audit }) => [on?.event, ...(on?.or ?? []), audit])
  const words = events.flatMap(event => {
    const key = `machines.${event}`
    return event && isKey(key) ? [text(language, key)] : []
  })
  return [...new Set(words)].slice(0, 3).join(' · ')
}

/** A code in words: its own, else those of the events that its calls fire; with the code, which documents name. */
export const nameOf = (language: Language, code: string): string => {
  const wordsOf = (one: string) => {
    const key = `permissions.${one.replaceAll(':', '.')}`
    return isKey(key) ? text(language, key) : eventsIn(language, one)
  }
  const own = wordsOf(code)
  const name = own || !isCheck(code) ? own : text(language, 'permissions.checked', { name: wordsOf(base(code)) })
  return name ? `${name} (${code})` : code
}

/** Every code on money. */
export const moneyCodes: readonly string[] = [
  ...new Set([...calls.keys()].flatMap(code => (isMoney(code) ? [base(code), `${base(code)}:check`] : []))),
]
