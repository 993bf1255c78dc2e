import { type RawBuilder, sql } from 'kysely'
import type { Target, Targets } from '../files/uploads/targets.ts'
import { Fault, notFound } from '../http/fault.ts'
import type { Session } from '../session/session.ts'
import { flowScope } from './after-loan/flow/flow-store.ts'
import { loanFrom, loanPage, loanScope } from './after-loan/payout/desk/loan-source.ts'
import { refundReaders, refundScope } from './charge/refund/index.ts'
import { transferReaders, transferScope } from './charge/transfer/index.ts'
import { merchantScope } from './merchant/consumption/index.ts'
import { blockSeen } from './merchant/contact-block/index.ts'
import { seesPicture } from './operation/announcement/pictures.ts'
import { inviteSeen, isContentImage } from './operation/app-content/index.ts'
import { versionSeen } from './operation/app-version/index.ts'
import { isLogo, merchantPage } from './operation/merchant/merchant-source.ts'
import { findOrder } from './order/order/order-source.ts'
import { listSeen } from './risk/name-list/index.ts'
import { isFlag } from './user/language/index.ts'

/** Who sees the files of a receipt: those who read receipts, and those who decide about supplemented ones. */
const flowReaders = ['repay:flow:list', 'repay:supplement:page']

/** A record without an order behind it: who reads the list and sees the record sees its files. */
const ofNoOrder = (perm: string, seen: (session: Session, no: string) => RawBuilder<unknown>): Target => ({
  perm,
  orderOf: async (tx, session, no) => {
    if (!(await tx.maybe(seen(session, no)))) throw notFound()
    return undefined
  },
})

/** Records that take files, and the order behind each. */
export const attachTargets: Targets = {
  order: {
    perm: 'order:detail:view',
    orderOf: async (tx, session, orderNo) => (await findOrder(tx, session, orderNo)).orderNo,
  },
  loanCode: {
    perm: loanPage,
    orderOf: async (tx, session, loanCode) => {
      const found = await tx.maybe(sql<{ orderNo: string }>`
        select lc.order_no from ${loanFrom} where lc.loan_code = ${loanCode} and ${loanScope(session)}`)
      if (!found) throw notFound()
      return found.orderNo
    },
  },
  flow: {
    orderOf: async (tx, session, flowNo) => {
      const perm = flowReaders.find(code => session.perms.has(code))
      if (!perm) throw new Fault('forbidden', 'errors.forbidden')
      const seen = sql`select 1 from repay_flow f where f.flow_no = ${flowNo} and ${flowScope(session, perm)}`
      if (!(await tx.maybe(seen))) throw notFound()
      return undefined
    },
  },
  refund: {
    orderOf: async (tx, session, refundNo) => {
      if (![...refundReaders].some(perm => session.perms.has(perm))) throw new Fault('forbidden', 'errors.forbidden')
      const found = await tx.maybe(
        sql`select 1 from client_refund r where r.refund_no = ${refundNo} and ${refundScope(session)}`,
      )
      if (!found) throw notFound()
      return undefined
    },
  },
  transfer: {
    orderOf: async (tx, session, transferNo) => {
      if (!transferReaders.some(perm => session.perms.has(perm))) throw new Fault('forbidden', 'errors.forbidden')
      const found = await tx.maybe(
        sql`select 1 from transfer_apply t where t.transfer_no = ${transferNo} and ${transferScope(session)}`,
      )
      if (!found) throw notFound()
      return undefined
    },
  },
  barred: ofNoOrder(
    'loans:blacklist:page',
    (session, nameListNo) =>
      sql`select 1 from name_list x where x.name_list_no = ${nameListNo} and ${listSeen(session, 'x', 'loans:blacklist:page')}`,
  ),
  contactBlock: ofNoOrder(
    'contact:blacklist:page',
    (session, blockNo) =>
      sql`select 1 from contact_block b where b.block_no = ${blockNo} and ${blockSeen(session, 'b')}`,
  ),
  consumption_record: ofNoOrder(
    'merchant:consumption:page',
    (session, consumptionNo) =>
      sql`select 1 from consumption_record r where r.consumption_no = ${consumptionNo} and ${merchantScope(session, 'r.merchant_no', 'merchant:consumption:page')}`,
  ),
  merchantRecharge: ofNoOrder(
    'merchant:recharge:page',
    (session, rechargeNo) =>
      sql`select 1 from merchant_recharge c where c.recharge_no = ${rechargeNo} and ${merchantScope(session, 'c.merchant_no', 'merchant:recharge:page')}`,
  ),
  nameList: ofNoOrder(
    'risk:list:page',
    (session, nameListNo) =>
      sql`select 1 from name_list x where x.name_list_no = ${nameListNo} and ${listSeen(session, 'x')}`,
  ),
  language: {
    orderOf: async (tx, _session, _no, uploadNo) => {
      if (!uploadNo || !(await isFlag(tx, uploadNo))) throw notFound()
      return undefined
    },
  },
  merchant: {
    perm: merchantPage,
    orderOf: async (tx, session, merchantNo, uploadNo) => {
      if (!uploadNo || !(await isLogo(tx, session, merchantNo, uploadNo))) throw notFound()
      return undefined
    },
  },
  marketProduct: {
    perm: '/AdminContent/LoanSupermarketSystem/LoanSupermarketProductManagement',
    orderOf: async (tx, _session, _no, uploadNo) => {
      const found = uploadNo && (await tx.maybe(sql`select 1 from market_product where logo = ${uploadNo}`))
      if (!found) throw notFound()
      return undefined
    },
  },
  appContent: {
    perm: 'app:content:page',
    orderOf: async (tx, _session, _no, uploadNo) => {
      if (!uploadNo || !(await isContentImage(tx, uploadNo))) throw notFound()
      return undefined
    },
  },
  appInvite: ofNoOrder(
    'app:content:page',
    (session, no) => sql`select 1 from app_invite x where x.invite_no = ${no} and ${inviteSeen(session)}`,
  ),
  appVersion: ofNoOrder(
    'app:version:page',
    (session, versionNo) =>
      sql`select 1 from app_version x where x.version_no = ${versionNo} and ${versionSeen(session)}`,
  ),
  announcement: {
    orderOf: async (tx, session, _, uploadNo) => {
      if (!uploadNo || !(await seesPicture(tx, session, uploadNo))) throw notFound()
      return undefined
    },
  },
}
