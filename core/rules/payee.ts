/** What is known of whose account a loan goes to; the dictionary VERIFY_RESULT names them in words. */
export const verifyResults = ['not_verified', 'passed', 'failed', 'unavailable', 'accepted'] as const
/** How a payee's holder name compares with the customer's own. */
export type VerifyResult = (typeof verifyResults)[number]

/** Results with which money may leave: the channel named the customer, or two persons accepted the account. */
export const provenResults = ['passed', 'accepted'] as const satisfies readonly VerifyResult[]

/** Whether the name is proven, so that money may go there. */
export const isProvenPayee = (result: string): boolean => (provenResults as readonly string[]).includes(result)

/**
 * What holds of an account after it was asked about again: no answer takes nothing away, and what two persons accepted stays
 * accepted until the account changes.
 */
export const standingResult = (before: string, found: VerifyResult): string =>
  isProvenPayee(before) && (found === 'unavailable' || (before === 'accepted' && found !== 'passed')) ? before : found
