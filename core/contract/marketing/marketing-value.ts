/** The languages of texts. */
type Language = 'zh' | 'en' | 'sw'

type Value = {
  /** How it may look. */
  example: string
  /** What is said where it is not known; a text without one is not sent. */
  fallback?: Readonly<Record<Language, string>>
}

/** What a text of marketing may name. */
export const marketingValues = {
  customerName: { example: 'Sarah', fallback: { zh: '客户', en: 'customer', sw: 'mteja' } },
  brand: { example: 'Nile Credit' },
  hotline: { example: '0800 100 200' },
  settledAmount: { example: 'UGX 150,000' },
} as const satisfies Readonly<Record<string, Value>>
/** A value that a text of marketing may name. */
export type MarketingValue = keyof typeof marketingValues

/** The values by their names. */
export const marketingValueNames = Object.keys(marketingValues) as [MarketingValue, ...MarketingValue[]]

/** What stands for a value that is not known; null where the text is not sent then. */
export const fallbackOf = (name: MarketingValue, language: Language): string | null => {
  const { fallback }: Value = marketingValues[name]
  return fallback?.[language] ?? null
}
