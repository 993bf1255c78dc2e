import { commonPasswords } from './common-passwords.ts'

/** What is asked of a new password, in the order in which it is said. */
export const passwordRules = ['pwdShort', 'pwdSame', 'pwdCommon', 'pwdContains'] as const
/** One rule that a new password must meet. */
export type PasswordRule = (typeof passwordRules)[number]

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The rules that a new password breaks. `words` are the names it must not contain, in whole or in parts of four letters or more. */
export const brokenRules = (given: {
  oldPassword: string
  newPassword: string
  words: readonly string[]
}): readonly PasswordRule[] => {
  const { oldPassword, newPassword, words } = given
  const simple = plain(newPassword)
  const parts = words.flatMap(word => [word, ...word.split(/[\s._@-]+/)]).map(plain)
  const isBroken: Record<PasswordRule, boolean> = {
    pwdShort: Array.from(newPassword).length < 8,
    pwdSame: newPassword === oldPassword,
    pwdCommon: commonPasswords.has(newPassword.toLowerCase()) || new Set(simple).size < 4,
    pwdContains: parts.some(part => part.length >= 4 && simple.includes(part)),
  }
  return passwordRules.filter(rule => isBroken[rule])
}
