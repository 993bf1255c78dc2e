/** What becomes of a text, and what its vendor says of it. */
export type Fate = {
  /** The answer to the request: a status code, or none at all. */
  answer: number | 'none'
  /** It reaches the phone. */
  arrives: boolean
  /** Reports, each after some seconds. */
  reports: readonly { after: number; status: string; failureReason?: string }[]
  /** What the person answers. */
  reply?: { after: number; text: string }
}
/** What a vendor says of a text. */
export type Said = Fate['reports'][number]

const success = { after: 3, status: 'Success' }
const delivered: Fate = { answer: 101, arrives: true, reports: [success] }

/** By the last two digits of a number. */
const byTwo: Readonly<Record<string, Fate>> = {
  '00': { answer: 102, arrives: true, reports: [] },
  '01': { answer: 406, arrives: false, reports: [] },
  '02': { answer: 101, arrives: true, reports: [{ after: 90, status: 'Success' }] },
  '03': { answer: 403, arrives: false, reports: [] },
  '04': {
    answer: 101,
    arrives: true,
    reports: [success, { after: 5, status: 'Sent' }, { after: 6, status: 'Success' }],
  },
  '05': { answer: 'none', arrives: true, reports: [success] },
  '06': { answer: 'none', arrives: false, reports: [] },
  '07': { answer: 101, arrives: true, reports: [success], reply: { after: 30, text: 'STOP' } },
}

/** By the last digit. */
const byOne: Readonly<Record<string, Fate>> = {
  '8': { answer: 101, arrives: false, reports: [{ after: 3, status: 'Rejected', failureReason: 'UserInBlackList' }] },
  '9': { answer: 101, arrives: false, reports: [{ after: 3, status: 'Failed', failureReason: 'UserIsInactive' }] },
}

/** How the whole vendor behaves, whatever the number. */
export const modes = ['ok', 'refuse', 'timeout', 'silent', 'down'] as const
export type Mode = (typeof modes)[number]

const byMode: Readonly<Partial<Record<Mode, Fate>>> = {
  refuse: { answer: 405, arrives: false, reports: [] },
  timeout: { answer: 'none', arrives: false, reports: [] },
  silent: { answer: 102, arrives: false, reports: [] },
}

/** What becomes of a text to a number while the vendor is in a mode. */
export const fateOf = (phone: string, mode: Mode): Fate =>
  byMode[mode] ?? byTwo[phone.slice(-2)] ?? byOne[phone.slice(-1)] ?? delivered
