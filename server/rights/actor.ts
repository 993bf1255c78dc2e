/** Who does something: a member of staff, a merchant's system, or the machine itself. */
export type Actor = {
  no: string
  name: string
  requestId: string
  ip: string | null
  /** The partner through whose page it is done. */
  partnerNo?: string
}

/** The actor of jobs and callbacks; `requestId` says which. */
export const system = (requestId: string): Actor => ({ no: 'system', name: 'system', requestId, ip: null })
