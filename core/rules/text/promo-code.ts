/** Letters and digits of a promo code; those that are taken for one another are left out. */
export const promoLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** What a promo code looks like. */
export const promoFormat = /^[A-HJ-NP-Z2-9]{6,12}$/

/** Most customers of one issue. */
export const maxIssued = 10_000

/** Customers as they are typed or pasted, each once: one a line, or parted by commas. */
export const customersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;，；]+/)
      .map(one => one.trim())
      .filter(Boolean),
  ),
]
