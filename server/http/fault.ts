import { type Code, codes } from '../../core/contract/codes.ts'
import type { Key } from '../../core/i18n/index.ts'

/** Values for the places of a text; a string that is a text key is said in the reader's language. */
export type Params = Record<string, string | number>

/** A refusal with its catalogue code and its words; nothing of the transaction that throws it remains. */
export class Fault extends Error {
  readonly code: Code
  readonly key: Key
  readonly params: Params
  data: unknown

  constructor(code: keyof typeof codes, key: Key, params: Params = {}, data: unknown = null) {
    super(`${code}: ${key}`)
    this.code = codes[code]
    this.key = key
    this.params = params
    this.data = data
  }
}

/** The record does not exist, or is outside the caller's data rule: the two are not distinguished. */
export const notFound = () => new Fault('notFound', 'errors.notFound')
/** A value that its schema allows and the records do not: placed at its field. */
export const invalid = (path: string, key: Key, params: Params = {}) =>
  new Fault('validation', key, params, { fields: [{ path, key, params }] })
/** The record is in a state that does not take the command (40901); `dict` names its words. */
export const stateConflict = (status: string, dict: string) =>
  new Fault('stateConflict', 'errors.stateChanged', { status: `dict.${dict}.${status}` }, { status })

/** The row was changed since the caller saw it. */
export const checkVersion = (row: { version: number }, seen: number) => {
  if (row.version !== seen) throw new Fault('versionConflict', 'errors.recordChanged', {}, { version: row.version })
}
