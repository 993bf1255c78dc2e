const hour = 3600
const day = 24 * hour

export type Lie =
  /** The same answer lies there a second time, under another name. */
  | 'twice'
  /** The answer speaks of a file that nobody sent. */
  | 'foreign'
  /** The answer tells another amount than was paid. */
  | 'amount'

/** What the bank does with a payment, in seconds of its clock after it read the file. `ACSC` moves the money; a return shows on the statement alone. */
export type Step = {
  after: number
  say?: 'ACSC' | 'RJCT' | 'PDNG'
  reason?: string
  moves?: true
  lie?: Lie
  comesBack?: true
}

/** Cases of one payment, with their variants; the first is taken where none is named. */
export const paymentCases = {
  G01: { paid: [{ after: 0, say: 'ACSC' }] },
  G25: {
    ACSC: [{ after: 0, say: 'ACSC' }],
    RJCT: [{ after: 0, say: 'RJCT', reason: 'AC04' }],
    PDNG: [
      { after: 0, say: 'PDNG' },
      { after: 2 * day, say: 'ACSC' },
    ],
    silentPaid: [{ after: 0, moves: true }],
    silent: [],
  },
  G27: {
    twice: [{ after: 0, say: 'ACSC', lie: 'twice' }],
    foreign: [
      { after: 0, say: 'RJCT', reason: 'AC04', lie: 'foreign' },
      { after: hour, say: 'ACSC' },
    ],
    amount: [{ after: 0, say: 'ACSC', lie: 'amount' }],
  },
  G28: {
    returned: [
      { after: 0, say: 'ACSC' },
      { after: 3 * day, comesBack: true },
    ],
  },
} as const satisfies Record<string, Record<string, readonly Step[]>>

/** Cases of a whole file: refused for the given reason, while the money of its payments moves or not. */
export const fileCases = {
  G26: {
    schema: { reason: 'FF01', moves: false },
    /** The first copy of the file runs. */
    duplicate: { reason: 'DU01', moves: true },
    duplicateLost: { reason: 'DU01', moves: false },
  },
} as const satisfies Record<string, Record<string, { reason: string; moves: boolean }>>

export type PaymentCase = keyof typeof paymentCases
export type FileCase = keyof typeof fileCases

export const isPaymentCase = (code: unknown): code is PaymentCase =>
  typeof code === 'string' && Object.hasOwn(paymentCases, code)
export const isFileCase = (code: unknown): code is FileCase =>
  typeof code === 'string' && Object.hasOwn(fileCases, code)

const variantOf = <T>(variants: Readonly<Record<string, T>>, variant: string | null): T =>
  (variant !== null && Object.hasOwn(variants, variant) ? variants[variant] : Object.values(variants)[0]) as T

export const stepsOf = (code: PaymentCase, variant: string | null): readonly Step[] =>
  variantOf<readonly Step[]>(paymentCases[code], variant)
export const refusalOf = (code: FileCase, variant: string | null) =>
  variantOf<{ reason: string; moves: boolean }>(fileCases[code], variant)
