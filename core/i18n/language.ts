/** The languages that the interface has words for; Chinese is the default. */
export const languages = ['zh', 'en', 'sw'] as const
export type Language = (typeof languages)[number]

/** `en-GB` and `EN` are English; what is not spoken here is undefined. */
export const languageOf = (tag: string | null | undefined): Language | undefined => {
  const short = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return languages.find(language => language === short)
}
