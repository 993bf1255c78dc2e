import { randomUUID } from 'node:crypto'

/** The caller's request id where it has the form of one, else a new one. */
export const newRequestId = (given?: string): string => (given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID())
