import { randomBytes } from 'node:crypto'

/** Names a click to a partner: nothing of the customer follows from it, and no other click can be guessed. */
export const newClickId = (): string => randomBytes(18).toString('base64url')
