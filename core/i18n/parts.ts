import { flatten, type Messages } from './index.ts'
import type { Language } from './language.ts'

const chunks = {
  zh: () => import('./zh/index.ts'),
  en: () => import('./en/index.ts'),
  sw: () => import('./sw/index.ts'),
}

/** The parts of a language's words that a widget cannot be drawn without. A built library has several parts (build/words.ts), else it is one. */
export const partsOf = (_tag: string): readonly string[] => ['all']

/** The part that dialogs and answers of the server may ask for besides. */
export const restPart = 'all'

/** All parts of a language. */
export const everyPart: readonly string[] = ['all']

/** Fetches one part of a language. */
export const fetchPart = async (language: Language, _part: string): Promise<Messages> =>
  flatten((await chunks[language]()).words)

/** Fetches a whole language. */
export const fetchAll = async (language: Language): Promise<Messages> =>
  Object.assign({}, ...(await Promise.all(everyPart.map(part => fetchPart(language, part)))))
