/** One thing that happens to an operation, once it is due: after seconds of the network's clock or at the n-th status call. */
export type Step = { after?: number; asks?: number } & Deed

export type Deed =
  | { do: 'succeed' }
  | { do: 'fail' }
  /** Succeeds, fails or stays open, as the variant says: `TS` or `paid`, `TF`, `unpaid`. */
  | { do: 'conclude' }
  /** Tells the owner what is so, or the given lie. */
  | { do: 'tell'; lie?: Lie }
  /** The same reference moves money once more. */
  | { do: 'moveAgain' }
  /** The money comes back: a payout is returned, a payment to us is taken back. */
  | { do: 'giveBack' }

export type Lie = 'failed' | 'unknownRef' | 'otherAmount' | 'otherParty'

/** How the request itself is answered. */
export type Answering =
  | 'accept'
  /** The connection is cut after the request was taken in. */
  | 'cut'
  /** The connection is cut and the request never arrived. */
  | 'lost'
  /** Unreadable or far too late; the first status call likewise. */
  | 'garbled'
  /** 429 or 503 the first time, without taking it in. */
  | 'busy'
  /** All tokens die; the same request with a new one is taken in. */
  | 'tokenDies'
  /** First the callback, then the answer. */
  | 'callbackFirst'
  /** The answer is held back for some seconds. */
  | 'held'

export type Behaviour = {
  answering: Answering
  steps: readonly Step[]
  variants?: readonly string[]
  /** Seconds for which the status says "not found". */
  hiddenFor?: number
  /** Status tells another amount. */
  wrongAmount?: true
  /** Fees differ from payment to payment. */
  fees?: true
  /** No line on the statement. */
  offStatement?: true
  /** Nothing moves at all: only the callback exists. */
  forged?: true
  /** While it is open, the status says that nobody can tell. */
  ambiguous?: true
  /** The status stays open forever, without a callback. */
  mute?: true
}

/** Seconds until money moves, and until the callback. */
export const soon = 0.4
const tellAfter = 0.7
const hour = 3600
const day = 24 * hour

const paid: Step[] = [
  { after: soon, asks: 1, do: 'succeed' },
  { after: tellAfter, do: 'tell' },
]
const refused: Step[] = [
  { after: soon, asks: 1, do: 'fail' },
  { after: tellAfter, do: 'tell' },
]
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

/** Requests: transfers, and payments that we ask for. */
export const requestCases = {
  G01: { answering: 'accept', steps: paid },
  G02: { answering: 'accept', steps: [{ asks: 3, do: 'succeed' }, { do: 'tell' }] },
  /** Its variants are the reasons of the network. */
  G03: { answering: 'accept', steps: refused },
  G04: { answering: 'cut', steps: [{ do: 'succeed' }] },
  G05: { answering: 'cut', steps: [{ do: 'fail' }] },
  G06: { answering: 'accept', hiddenFor: 1200, steps: [{ do: 'succeed' }, { after: 1200, do: 'tell' }] },
  G07: { answering: 'lost', steps: [] },
  G08: { answering: 'accept', steps: [...refused, { after: hour, do: 'succeed' }, { after: hour + 1, do: 'tell' }] },
  G09: { answering: 'accept', steps: [...refused, { after: hour, do: 'succeed' }, { after: hour + 1, do: 'tell' }] },
  G10: { answering: 'accept', steps: [...paid, { after: 2 * tellAfter, do: 'tell', lie: 'failed' }] },
  G11: {
    answering: 'accept',
    steps: [
      { after: soon, asks: 1, do: 'succeed' },
      ...times(5, (i): Step => ({ after: tellAfter * (i + 1), do: 'tell' })),
    ],
  },
  G12: { answering: 'callbackFirst', steps: [{ do: 'succeed' }, { do: 'tell' }] },
  G13: {
    answering: 'accept',
    wrongAmount: true,
    steps: [
      { after: soon, asks: 1, do: 'succeed' },
      { after: tellAfter, do: 'tell', lie: 'unknownRef' },
      { after: tellAfter, do: 'tell', lie: 'otherAmount' },
      { after: tellAfter, do: 'tell', lie: 'otherParty' },
    ],
  },
  G14: { answering: 'held', steps: [{ do: 'succeed' }] },
  G15: { answering: 'garbled', steps: [{ do: 'succeed' }], variants: ['500', 'html', 'empty', 'broken', 'late'] },
  G16: { answering: 'busy', steps: paid, variants: ['429', '503'] },
  G17: { answering: 'tokenDies', steps: paid, variants: ['once'] },
  G18: { answering: 'accept', steps: refused },
  G19: { answering: 'accept', steps: refused },
  G20: { answering: 'accept', ambiguous: true, steps: [{ asks: 3, do: 'conclude' }], variants: ['TS', 'TF'] },
  /** With the variant `paid` the money moves all the same. */
  G21: { answering: 'accept', mute: true, steps: [{ do: 'conclude' }], variants: ['unpaid'] },
  G22: { answering: 'accept', steps: [...paid, { after: 2 * tellAfter, do: 'moveAgain' }] },
  G23: { answering: 'accept', offStatement: true, steps: paid },
  G24: { answering: 'accept', fees: true, steps: paid },
  G28: { answering: 'accept', steps: [...paid, { after: 3 * day, do: 'giveBack' }] },
} as const satisfies Record<string, Behaviour>

const received: Step[] = [{ do: 'succeed' }, { after: 0.2, do: 'tell' }]

/** What customers pay by themselves. */
export const payInCases = {
  R01: { answering: 'accept', steps: received },
  R02: { answering: 'accept', steps: [...received, { after: 0.4, do: 'tell' }] },
  R03: { answering: 'accept', offStatement: true, steps: received },
  R04: { answering: 'accept', steps: [{ do: 'succeed' }] },
  /** The customer mistypes the pay code. */
  R05: { answering: 'accept', steps: received },
  R06: { answering: 'accept', steps: [{ do: 'succeed' }, { after: 0.2, do: 'tell', lie: 'otherAmount' }] },
  R07: { answering: 'accept', forged: true, steps: [{ after: 0.2, do: 'tell' }] },
  R08: { answering: 'accept', steps: [...received, { after: day, do: 'giveBack' }] },
  /** The network gives the serial number of the payment before. */
  R09: { answering: 'accept', steps: received },
} as const satisfies Record<string, Behaviour>

export type RequestCase = keyof typeof requestCases
export type PayInCase = keyof typeof payInCases
export type CaseCode = RequestCase | PayInCase

export const isRequestCase = (code: unknown): code is RequestCase =>
  typeof code === 'string' && Object.hasOwn(requestCases, code)
export const isPayInCase = (code: unknown): code is PayInCase =>
  typeof code === 'string' && Object.hasOwn(payInCases, code)

export const behaviourOf = (code: CaseCode): Behaviour => ({ ...requestCases, ...payInCases })[code]

export type Chosen = { code: CaseCode; variant: string | null }
