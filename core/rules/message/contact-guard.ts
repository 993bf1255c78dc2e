import type { BlockScope, ContactKind, ContactMedium as Medium } from '../contact/contact-block.ts'
import { phoneFormat } from '../text/formats.ts'
import { addDays, eatDate, eatDateTime, startOfEatDay } from '../time.ts'

/** Why somebody may not be contacted now, in the order in which it is looked for. */
export const contactRefusals = [
  'invalid_phone',
  'erased',
  'opted_out',
  'blacklisted',
  'complaint_open',
  'wrong_number',
  'not_needed',
  'cap_reached',
  'number_in_call',
  'outside_hours',
] as const
export type ContactRefusal = (typeof contactRefusals)[number]

/** Times of the EAT day between which somebody is contacted: from, inclusive, to, exclusive. */
export type Window = { from: string; to: string }

/** How often a number is contacted at most. */
export type Caps = {
  /** Texts of marketing. */
  textsADay: number
  textsIn7Days: number
  /** Calls and robots together; the second of marketing alone. */
  callsADay: number
  callsIn7Days: number
}

/** What holds until somebody sets something else. */
export const plainWindow: Window = { from: '08:00', to: '20:00' }
export const plainCaps: Caps = { textsADay: 1, textsIn7Days: 3, callsADay: 3, callsIn7Days: 8 }

/** What is known of a contact that is about to be made. */
export type ContactFacts = {
  phone: string
  kind: ContactKind
  medium: Medium
  at: Date
  window: Window
  caps: Caps
  /** It is the number under which the customer is registered. */
  isOwn: boolean
  /** The customer had their data deleted. */
  erased?: boolean
  /** Scopes in which the owner of the number asked to stop. */
  stopped?: readonly BlockScope[]
  /** Scopes in which the number is on a blacklist for any other reason. */
  blocked?: readonly BlockScope[]
  /** A complaint is open: robots and marketing wait, with `hold` everybody who collects. */
  complaint?: 'open' | 'hold'
  wrongNumber?: boolean
  /** What it is about still holds: something is due, or the customer still fits. */
  isNeeded: boolean
  /** Contacts of the same medium that count towards the caps, today and in the 7 days up to now. */
  today: number
  in7Days: number
  inCall?: boolean
}

/** The scopes of a blacklist that keep a kind of contact over a medium from being made. */
const scopesOf = (kind: ContactKind, medium: Medium): readonly BlockScope[] => {
  if (kind === 'marketing') return [medium === 'text' ? 'marketing' : 'telemarketing', 'all']
  return kind === 'service' ? ['all'] : ['collection', 'all']
}

const isBlocked = ({ kind, medium, isOwn, blocked = [] }: ContactFacts): boolean =>
  !(kind === 'service' && isOwn) && scopesOf(kind, medium).some(scope => blocked.includes(scope))

const complains = ({ kind, medium, complaint }: ContactFacts): boolean => {
  if (!complaint || kind === 'service') return false
  return kind === 'marketing' || medium === 'robot' || complaint === 'hold'
}

const isCapped = ({ kind, medium, caps, today, in7Days }: ContactFacts): boolean => {
  if (kind === 'service') return false
  if (medium === 'text') return kind === 'marketing' && (today >= caps.textsADay || in7Days >= caps.textsIn7Days)
  return today >= caps.callsADay || (kind === 'marketing' && in7Days >= caps.callsIn7Days)
}

const clockOf = (at: Date): string => eatDateTime(at).slice(11, 16)

/** Whether a moment is within a window. */
export const isWithin = ({ from, to }: Window, at: Date): boolean => clockOf(at) >= from && clockOf(at) < to

/** What lies in both of two windows; never, where they do not meet. */
export const narrower = (one: Window, other: Window): Window => {
  const isLater = one.from > other.from
  const isEarlier = one.to < other.to
  return { from: isLater ? one.from : other.from, to: isEarlier ? one.to : other.to }
}

/** The next moment within a window: now, where that is within it. */
export const nextWithin = (window: Window, at: Date): Date => {
  if (isWithin(window, at)) return at
  const today = eatDate(at)
  const date = clockOf(at) < window.from ? today : addDays(today, 1)
  const [hours = 0, minutes = 0] = window.from.split(':').map(Number)
  return new Date(Date.parse(startOfEatDay(date)) + (hours * 60 + minutes) * 60_000)
}

const isText = (facts: ContactFacts) => facts.kind === 'service' && facts.medium === 'text'

const asked: Readonly<Record<ContactRefusal, (facts: ContactFacts) => boolean>> = {
  invalid_phone: ({ phone }) => !phoneFormat.test(phone),
  erased: ({ erased }) => erased === true,
  opted_out: ({ kind, medium, stopped = [] }) =>
    kind === 'marketing' && scopesOf(kind, medium).some(scope => stopped.includes(scope)),
  blacklisted: isBlocked,
  complaint_open: complains,
  wrong_number: ({ kind, wrongNumber }) => kind !== 'service' && wrongNumber === true,
  not_needed: ({ kind, isNeeded }) => kind !== 'service' && !isNeeded,
  cap_reached: isCapped,
  number_in_call: ({ medium, inCall }) => medium !== 'text' && inCall === true,
  outside_hours: facts => !isText(facts) && !isWithin(facts.window, facts.at),
}

/**
 * Whether somebody may be contacted now, over any medium and for any reason: the one rule of texts, calls and robots.
 * @returns the first reason against it, or null; only `outside_hours` passes with time
 */
export const contactRefusal = (facts: ContactFacts): ContactRefusal | null =>
  contactRefusals.find(reason => asked[reason](facts)) ?? null
