import { audit } from './audit.ts'
import { common } from './common.ts'
import { embed } from './embed.ts'
import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { exports } from './exports.ts'
import { intake } from './intake.ts'
import { loan } from './loan.ts'
import { message } from './message.ts'
import { order } from './order.ts'
import { repay } from './repay.ts'
import { user } from './user.ts'
import { view } from './view.ts'

/** Every call there is. The server refuses to start while one of them has no handler. */
export const contract = { user, view, message, common, intake, order, audit, loan, repay, exports, embed } as const

/** An endpoint, and behind a list the command that exports it. */
const withExport = (name: string, endpoint: Endpoint): { name: string; endpoint: Endpoint }[] => {
  const { exporting } = endpoint as Partial<ListEndpoint>
  return [{ name, endpoint }, ...(exporting ? [{ name: `${name}Export`, endpoint: exporting }] : [])]
}

/** All endpoints with their names, `audit.cancel` and so on. */
export const endpoints: readonly { name: string; endpoint: Endpoint }[] = Object.entries(contract).flatMap(
  ([noun, calls]) =>
    Object.entries(calls).flatMap(([name, endpoint]) => withExport(`${noun}.${name}`, endpoint as unknown as Endpoint)),
)
