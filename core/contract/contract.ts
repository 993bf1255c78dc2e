import { autoCancel } from './after-loan/auto-cancel.ts'
import { autoSettle } from './after-loan/auto-settle.ts'
import { autoWriteOff } from './after-loan/auto-write-off.ts'
import { balance } from './after-loan/balance.ts'
import { bankBatch } from './after-loan/bank-batch.ts'
import { delayed } from './after-loan/delayed-arrival.ts'
import { fundAccount } from './after-loan/fund-account.ts'
import { job } from './after-loan/job.ts'
import { ledger } from './after-loan/ledger.ts'
import { loan } from './after-loan/loan.ts'
import { loanRoute } from './after-loan/loan-route.ts'
import { payLink } from './after-loan/pay-link.ts'
import { receipt } from './after-loan/receipt.ts'
import { recon } from './after-loan/reconciliation.ts'
import { repay } from './after-loan/repayment.ts'
import { supplement } from './after-loan/supplement.ts'
import { wallet } from './after-loan/wallet.ts'
import { audit } from './audit/audit.ts'
import { auditPerson } from './audit/person.ts'
import { auditQuestion } from './audit/question.ts'
import { reReview } from './audit/re-review.ts'
import { reReviewCount, reReviewRule } from './audit/re-review-config.ts'
import { retrieval } from './audit/retrieval.ts'
import { refund } from './charge/refund.ts'
import { transfer } from './charge/transfer.ts'
import { attach } from './common/attachment.ts'
import { businessConfig } from './common/business-config.ts'
import { common } from './common/common.ts'
import { exports } from './common/exports.ts'
import { imports } from './common/imports.ts'
import { upload } from './common/upload.ts'
import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { optOuts } from './marketing/opt-out.ts'
import { smsTasks } from './marketing/sms-task.ts'
import { smsTemplates } from './marketing/sms-template.ts'
import { unrenewed } from './marketing/unrenewed.ts'
import { userGroups } from './marketing/user-group.ts'
import { blacklist } from './merchant/blacklist.ts'
import { consumption } from './merchant/consumption.ts'
import { consumptionPrice, consumptionType } from './merchant/consumption-type.ts'
import { contactBlock } from './merchant/contact-block.ts'
import { maturity } from './merchant/maturity.ts'
import { merchantConfig } from './merchant/merchant-config.ts'
import { orderAcquire } from './merchant/order-acquire.ts'
import { paymentDisplay } from './merchant/payment-display.ts'
import { recharge } from './merchant/recharge.ts'
import { activity, activityApp } from './operation/activity.ts'
import { announcement } from './operation/announcement.ts'
import { announcementManage } from './operation/announcement-manage.ts'
import { appContent, appContentApp } from './operation/app-content.ts'
import { appContract, orderContract } from './operation/app-contract.ts'
import { appInvite } from './operation/app-invite.ts'
import { appUpdate, appVersion } from './operation/app-version.ts'
import { businessNode } from './operation/business-node.ts'
import { coupon, couponApp } from './operation/coupon.ts'
import { hotline } from './operation/hotline.ts'
import { launch } from './operation/launch.ts'
import { loanLimit } from './operation/loan-limit.ts'
import { merchant } from './operation/merchant.ts'
import { messageAccount, messageApp, sentMessage } from './operation/message-center.ts'
import { messageTemplates } from './operation/message-template.ts'
import { phoneBill } from './operation/phone-bill.ts'
import { product, productNew } from './operation/product.ts'
import { sensitiveInfo } from './operation/sensitive-info.ts'
import { sensitiveWord } from './operation/sensitive-word.ts'
import { smsReport } from './operation/sms-report.ts'
import { marketingRoute, smsNetwork, verifyRoute } from './operation/sms-router.ts'
import { tempQuota, tempQuotaApp } from './operation/temp-quota.ts'
import { trafficPerson } from './operation/traffic.ts'
import { verifyCode } from './operation/verify-code.ts'
import { orderCollected } from './order/collected.ts'
import { intake } from './order/intake.ts'
import { order } from './order/order.ts'
import { home } from './portal/home.ts'
import { message } from './portal/message.ts'
import { view } from './portal/view.ts'
import { warning } from './portal/warning.ts'
import { cutoff } from './risk/cutoff.ts'
import { legalCap } from './risk/legal-cap.ts'
import { nameList } from './risk/name-list.ts'
import { riskPlan } from './risk/plan.ts'
import { pricing } from './risk/pricing.ts'
import { riskModel } from './risk/risk-model.ts'
import { ruleSet } from './risk/rule-set.ts'
import { ruleTest } from './risk/rule-test.ts'
import { leave } from './schedule/leave.ts'
import { serviceCoupon } from './service/service-coupon.ts'
import { marketProduct, marketShelf } from './supermarket/market-product.ts'
import { platform } from './supermarket/platform.ts'
import { recommend } from './supermarket/recommend.ts'
import { marketReview, review } from './supermarket/review.ts'
import { vip } from './supermarket/vip.ts'
import { baseOption } from './telemarketing/base-option.ts'
import { teleBlock } from './telemarketing/blacklist.ts'
import { dept } from './user/dept.ts'
import { dictionary } from './user/dictionary.ts'
import { embed } from './user/embed.ts'
import { languageConfig } from './user/language.ts'
import { menu } from './user/menu.ts'
import { mfa } from './user/mfa.ts'
import { people } from './user/people.ts'
import { role } from './user/role.ts'
import { session } from './user/session.ts'
import { signIn } from './user/sign-in.ts'
import { user } from './user/user.ts'

/** Every call there is. The server refuses to start while one of them has no handler. */
export const contract = {
  user,
  home,
  session,
  signIn,
  role,
  languageConfig,
  menu,
  mfa,
  people,
  dept,
  leave,
  view,
  warning,
  message,
  announcement: { ...announcement, ...announcementManage },
  sensitiveInfo,
  sensitiveWord,
  phoneBill,
  appContent,
  appContentApp,
  appInvite,
  appContract,
  orderContract,
  appUpdate,
  appVersion,
  hotline,
  launch,
  trafficPerson,
  messageApp,
  messageAccount,
  sentMessage,
  merchant,
  businessNode,
  messageTemplates,
  verifyRoute,
  marketingRoute,
  smsNetwork,
  smsReport,
  verifyCode,
  platform,
  marketProduct,
  marketShelf,
  activity,
  activityApp,
  coupon,
  couponApp,
  tempQuota,
  tempQuotaApp,
  recommend,
  review,
  marketReview,
  vip,
  dictionary,
  baseOption,
  contactBlock,
  blacklist,
  teleBlock,
  maturity,
  merchantConfig,
  orderAcquire,
  paymentDisplay,
  consumptionType,
  consumptionPrice,
  consumption,
  recharge,
  businessConfig,
  smsTemplates,
  smsTasks,
  userGroups,
  optOuts,
  unrenewed,
  legalCap,
  cutoff,
  nameList,
  riskPlan,
  pricing,
  riskModel,
  ruleSet,
  ruleTest,
  product,
  productNew,
  loanLimit,
  common,
  auditPerson,
  auditQuestion,
  reReviewRule,
  reReviewCount,
  reReview,
  retrieval,
  intake,
  order,
  orderCollected,
  audit,
  loan,
  recon,
  bankBatch,
  autoCancel,
  autoSettle,
  autoWriteOff,
  fundAccount,
  balance,
  serviceCoupon,
  job,
  ledger,
  supplement,
  delayed,
  payLink,
  loanRoute,
  repay,
  receipt,
  refund,
  transfer,
  wallet,
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
