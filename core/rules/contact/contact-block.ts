import { phoneFormat } from '../text/formats.ts'

/** What a number on the do-not-contact list is kept from. */
export const blockScopes = ['collection', 'telemarketing', 'marketing', 'all'] as const
export type BlockScope = (typeof blockScopes)[number]
/** What a contact is for. */
export const contactKinds = ['service', 'reminder', 'collection', 'marketing'] as const
export type ContactKind = (typeof contactKinds)[number]
/** How somebody is reached. */
export const contactMedia = ['text', 'call', 'robot'] as const
export type ContactMedium = (typeof contactMedia)[number]
/** One contact that somebody is about to make. */
export type ContactUse = { kind: ContactKind; medium: ContactMedium }
/** An entry of a number: of the do-not-contact list, or of the one that keeps telemarketing away. */
export type BlockEntry = { book: 'contact' | 'tele'; blockScope: BlockScope; blockReason: string | null }

/**
 * Whether an entry forbids a contact. `own`: the number is the customer's own registered one, to which codes, receipts and decisions go
 * whatever is blocked.
 */
export const forbids = ({ book, blockScope }: BlockEntry, { kind, medium }: ContactUse, own: boolean): boolean => {
  if (book === 'tele') return kind === 'marketing'
  if (blockScope === 'all') return kind !== 'service' || !own
  if (blockScope === 'collection') return kind === 'collection' || kind === 'reminder'
  if (blockScope === 'telemarketing') return kind === 'marketing' && medium !== 'text'
  return kind === 'marketing' && medium === 'text'
}

/** What the guard says of an entry that forbids: the person opted out, or the number is blocked for another reason. */
export const refusalOf = ({ book, blockReason }: BlockEntry, { kind }: ContactUse): 'opted_out' | 'blacklisted' =>
  book === 'contact' && blockReason === 'asked_to_stop' && kind === 'marketing' ? 'opted_out' : 'blacklisted'

/** Whether a scope keeps from everything that another one keeps from. */
export const covers = (wide: BlockScope, narrow: BlockScope): boolean => wide === narrow || wide === 'all'

/** A number as it is kept: `07…`, `+256…` and spaces become `256…`; null where it is no phone of Uganda. */
export const standardPhone = (text: string): string | null => {
  const digits = text.normalize('NFKC').replace(/[\s().-]/g, '')
  const phone = digits
    .replace(/^\+/, '')
    .replace(/^00(?=256)/, '')
    .replace(/^0(?=[1-9])/, '256')
  return phoneFormat.test(phone) ? phone : null
}

/** The numbers of a text, one a line or separated by commas, each once, as they were written. */
export const numbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;，；]/)
      .map(one => one.trim())
      .filter(Boolean),
  ),
]
