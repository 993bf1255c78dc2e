import { newKey } from './call.ts'

const key = 'mkopoDevice'

/** The mark of this browser, made at the first sign-in: two accounts that sign in with one mark may be one person's. */
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
