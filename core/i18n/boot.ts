import en from './en/boot.json'
import { fill, type Params } from './fill.ts'
import type { Language } from './language.ts'
import sw from './sw/boot.json'
import zh from './zh/boot.json'

const words = { zh, en, sw }

/** The few words that must be there when a language could not be loaded, and that the small elements need. */
export const bootText = (language: Language, key: keyof typeof zh, params?: Params) =>
  fill(words[language][key], params)
