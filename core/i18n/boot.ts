import en from './en/boot.json'
import type { Language } from './language.ts'
import sw from './sw/boot.json'
import zh from './zh/boot.json'

const words = { zh, en, sw }

type Name = keyof typeof zh extends `boot.${infer N}` ? N : never

/** The few words that must be there when a language could not be loaded, and that the small elements need. */
export const bootText = (language: Language, name: Name) => words[language][`boot.${name}`]
