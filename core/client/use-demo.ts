import type { OutputOf } from '../contract/endpoint.ts'
import { user } from '../contract/user/user.ts'
import { useRead } from './providers.tsx'

/** The accounts a demo offers to visitors, with their current codes; nothing on any other server. */
export const useDemo = (): OutputOf<typeof user.demoAccounts> | undefined =>
  useRead(
    user.demoAccounts,
    {},
    { background: true, refreshInterval: latest => (latest?.mfa?.secondsLeft ?? 0) * 1000 },
  ).data
