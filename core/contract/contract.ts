import { announcement } from './announcement.ts'
import { attach } from './attach.ts'
import { audit } from './audit.ts'
import { bankBatch } from './bank-batch.ts'
import { common } from './common.ts'
import { embed } from './embed.ts'
import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { exports } from './exports.ts'
import { home } from './home.ts'
import { imports } from './imports.ts'
import { intake } from './intake.ts'
import { leave } from './leave.ts'
import { loan } from './loan.ts'
import { message } from './message.ts'
import { mfa } from './mfa.ts'
import { order } from './order.ts'
import { repay } from './repay.ts'
import { session } from './session.ts'
import { upload } from './upload.ts'
import { user } from './user.ts'
import { view } from './view.ts'

/** Every call there is. The server refuses to start while one of them has no handler. */
export const contract = {
  user,
  home,
  session,
  mfa,
  leave,
  view,
  message,
  announcement,
  common,
  intake,
  order,
  audit,
  loan,
  bankBatch,
  repay,
  exports,
  imports,
  upload,
  attach,
  embed,
} as const

/** An endpoint, and behind a list its totals and the calls that write it to a file and take a file in. */
const withDerived = (name: string, endpoint: Endpoint): { name: string; endpoint: Endpoint }[] => {
  const { totalling, exporting, importing } = endpoint as Partial<ListEndpoint>
  return [
    { name, endpoint },
    ...(totalling ? [{ name: `${name}Totals`, endpoint: totalling }] : []),
    ...(exporting ? [{ name: `${name}Export`, endpoint: exporting }] : []),
    ...(importing
      ? [
          { name: `${name}Import`, endpoint: importing.command },
          { name: `${name}ImportTemplate`, endpoint: importing.template },
        ]
      : []),
  ]
}

/** All endpoints with their names, `audit.cancel` and so on. */
export const endpoints: readonly { name: string; endpoint: Endpoint }[] = Object.entries(contract).flatMap(
  ([noun, calls]) =>
    Object.entries(calls).flatMap(([name, endpoint]) =>
      withDerived(`${noun}.${name}`, endpoint as unknown as Endpoint),
    ),
)
