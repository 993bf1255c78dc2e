import { newKey } from './call.ts'

const key = 'mkopoDevice'

/** The id of this browser, made at the first sign-in: two accounts with the same id may belong to one person. */
export const deviceMark = (): string | undefined => {
  try {
    const kept = localStorage.getItem(key)
    if (kept) return kept
    const made = newKey()
    localStorage.setItem(key, made)
    return made
  } catch {
    return undefined
  }
}
