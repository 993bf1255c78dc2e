import { audit } from './audit.ts'
import { common } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { intake } from './intake.ts'
import { loan } from './loan.ts'
import { message } from './message.ts'
import { order } from './order.ts'
import { repay } from './repay.ts'
import { user } from './user.ts'
import { view } from './view.ts'

/** Every call there is. The server refuses to start while one of them has no handler. */
export const contract = { user, view, message, common, intake, order, audit, loan, repay } as const

/** All endpoints with their names, `audit.cancel` and so on. */
export const endpoints: readonly { name: string; endpoint: Endpoint }[] = Object.entries(contract).flatMap(
  ([noun, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => ({
      name: `${noun}.${name}`,
      endpoint: endpoint as unknown as Endpoint,
    })),
)
