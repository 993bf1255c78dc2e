import type { OutputOf } from '../contract/endpoint.ts'
import { user } from '../contract/user/user.ts'
import { useRead } from './providers.tsx'

/** What a demo offers to whoever looks at it, with the code of this moment; of any other server nothing. */
export const useDemo = (): OutputOf<typeof user.demoAccounts> | undefined =>
  useRead(
    user.demoAccounts,
    {},
    { background: true, refreshInterval: latest => (latest?.mfa?.secondsLeft ?? 0) * 1000 },
  ).data
