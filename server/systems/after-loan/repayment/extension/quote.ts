import { sql } from 'kysely'
import { repay } from '../../../../../core/contract/after-loan/repayment.ts'
import type { ExtensionRow } from '../../../../../core/contract/after-loan/repayment-rows.ts'
import { blocks } from '../../../../approval/blocks.ts'
import { checkVersion, Fault, notFound } from '../../../../http/fault.ts'
import { serve } from '../../../../http/serve.ts'
import type { Reader } from '../../../../lists/listed.ts'
import { transition } from '../../../../states/transition.ts'
import { orderScope } from '../../../order/order/index.ts'
import { repayBlocks } from '../repay-blocks.ts'
import { standingOf, tryOut } from '../trial.ts'
import { extensionsOfOrder, quote, type StoredExtension } from './store.ts'

type Quoted = StoredExtension & { createdBy: string }
const perm = 'postloan:repay:commit'

/** Why a quote is not taken back: only who made it does that. */
const extensionBlocks = blocks<Quoted>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<Quoted>`select * from extension where bill_extension_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.billExtensionNo, row]))
  },
  states: ({ extensionStatus }) => ({ extension: extensionStatus }),
  commands: [
    {
      command: repay.extensionCancel,
      refuses: (row, { session }) =>
        row.extensionStatus === 'quoted' && session && row.createdBy !== session.userNo
          ? new Fault('stateConflict', 'errors.quoteOfAnother')
          : null,
    },
  ],
})

/** Extensions of an order with what the server would refuse on them. */
export const openExtensions = async (at: Reader, orderNo: string): Promise<ExtensionRow[]> => {
  const rows = await extensionsOfOrder(at.tx, orderNo)
  const said = await extensionBlocks.of(
    at,
    rows.map(row => row.billExtensionNo),
  )
  return rows.map((row, index) => ({ ...row, blockedBy: said[index] ?? {} }))
}

export const extensionQuote = serve(repay.extensionQuote, async call => {
  const { tx, session, input, actor, audit } = call
  const standing = await standingOf(tx, input.orderNo, { where: orderScope(session, perm), lock: true })
  checkVersion(standing.order, input.version)
  await repayBlocks.check(call, repay.extensionQuote, input.orderNo)
  const asked = { repayType: 'extension', valueDate: tx.today, amounts: [], sources: [], smallSettle: false } as const
  const offer = tryOut(standing, asked, tx.today).trial.extension
  if (!offer) throw new Fault('stateConflict', 'errors.extensionNotAllowed')
  const { billExtensionNo } = await quote(tx, standing, offer, actor)
  const { amount, newDueDate, billNo, fee } = offer
  audit({
    objectType: 'extension',
    objectNo: billExtensionNo,
    orderNo: input.orderNo,
    after: { billNo, extensionFee: fee, amount, newDueDate },
  })
  return { billExtensionNo, amount, newDueDate }
})

export const extensionCancel = serve(repay.extensionCancel, async call => {
  const { tx, session, input, actor, audit } = call
  const found = await tx.maybe(sql<{ orderNo: string }>`
    select o.order_no from extension x join loan_order o using (order_no)
    where x.bill_extension_no = ${input.billExtensionNo} and ${orderScope(session, perm)} for update of o`)
  if (!found) throw notFound()
  const row = await tx.one(
    sql<StoredExtension>`select * from extension where bill_extension_no = ${input.billExtensionNo} for update`,
  )
  checkVersion(row, input.version)
  await extensionBlocks.check(call, repay.extensionCancel, row.billExtensionNo)
  const { version } = await transition(tx, 'extension', row, { event: 'extension.cancel' }, actor)
  audit({
    objectType: 'extension',
    objectNo: row.billExtensionNo,
    orderNo: found.orderNo,
    before: { extensionStatus: 'quoted' },
    after: { extensionStatus: 'cancelled' },
  })
  return { version }
})
