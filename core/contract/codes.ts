/** The stable answer codes. Business answers travel with HTTP 200, because a client shows `msg` only then. */
export const codes = {
  ok: 0,
  signedOut: -10,
  validation: 40001,
  needsConfirmation: 40002,
  forbidden: 40301,
  stepUp: 40302,
  notFound: 40401,
  stateConflict: 40901,
  versionConflict: 40902,
  keyReused: 40903,
  keyRunning: 40904,
  quota: 41001,
  tooMany: 42901,
  internal: 50001,
} as const

/** A number of the catalogue above. */
export type Code = (typeof codes)[keyof typeof codes]
