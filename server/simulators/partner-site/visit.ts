/** How a message about a click is sent: as it should be, twice, a good while later, or signed with another key. */
export const manners = ['once', 'twice', 'late', 'wrong_key'] as const
export type Manner = (typeof manners)[number]

/** A customer who was handed over: by a link alone, or with what fills in the form. */
export type Visit = {
  clickId: string
  at: string
  by: 'link' | 'prefill'
  consentVersion: number | null
  customer: Readonly<Record<string, string | null>>
  /** What was said of the visit to the console, and what it answered. */
  said: { event: string; manner: Manner; answer: string }[]
}
