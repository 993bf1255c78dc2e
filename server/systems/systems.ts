import { approvalModule } from '../approval/approval.ts'
import { exportModule } from '../files/exports/module.ts'
import { importModule } from '../files/imports/module.ts'
import { storedUploads } from '../files/imports/uploads.ts'
import { uploadModule } from '../files/uploads/module.ts'
import { totalsModule } from '../lists/totals.ts'
import type { Deps, Module } from '../module.ts'
import { outgoingModule } from '../outgoing/module.ts'
import { autoCancelModule } from './after-loan/auto-cancel/auto-cancel.ts'
import { autoSettleModule } from './after-loan/auto-settle/auto-settle.ts'
import { autoWriteOffModule } from './after-loan/auto-write-off/auto-write-off.ts'
import { balanceModule } from './after-loan/balance/balance.ts'
import { bankBatchModule } from './after-loan/bank-batch/bank-batch.ts'
import { delayedModule } from './after-loan/delayed/delayed.ts'
import { callbackModule } from './after-loan/flow/callback.ts'
import { flowModule } from './after-loan/flow/flow.ts'
import { payInModule } from './after-loan/flow/pay-in.ts'
import { fundAccountModule } from './after-loan/fund-account/fund-account.ts'
import { jobModule } from './after-loan/job/job.ts'
import { ledgerModule } from './after-loan/ledger/ledger.ts'
import { loanRouteModule } from './after-loan/loan-route/loan-route.ts'
import { payLinkModule } from './after-loan/pay-link/pay-link.ts'
import { loanModule } from './after-loan/payout/desk/loan.ts'
import { askTimes } from './after-loan/payout/payout.ts'
import { reservationModule } from './after-loan/payout/unpaid.ts'
import { receiptModule } from './after-loan/receipt/receipt.ts'
import { reconModule } from './after-loan/reconciliation/recon.ts'
import { statementModule } from './after-loan/reconciliation/statement.ts'
import { dayRollModule } from './after-loan/repayment/day-roll.ts'
import { repayModule } from './after-loan/repayment/repay.ts'
import { statementImportModule } from './after-loan/statement/statement-import.ts'
import { supplementModule } from './after-loan/supplement/supplement.ts'
import { walletModule } from './after-loan/wallet/wallet.ts'
import { withdrawalSender } from './after-loan/wallet/wallet-store.ts'
import { attachTargets } from './attach-targets.ts'
import { allotModule } from './audit/allotment/allot.ts'
import { machineReviewModule } from './audit/machine-review/machine-review.ts'
import { orderManageModule } from './audit/order-list/order-manage.ts'
import { orderShortModule } from './audit/order-list/order-short.ts'
import { auditPersonModule } from './audit/person/person.ts'
import { questionModule } from './audit/question/question.ts'
import { reReviewModule } from './audit/re-review/re-review.ts'
import { reReviewConfigModule } from './audit/re-review/re-review-config.ts'
import { retrievalModule } from './audit/retrieval/retrieval.ts'
import { auditTaskModule } from './audit/task/audit-task.ts'
import { myAuditModule } from './audit/task/my-audit.ts'
import { refundModule } from './charge/refund/refund.ts'
import { refundSender } from './charge/refund/refund-sender.ts'
import { transferModule } from './charge/transfer/transfer.ts'
import { transferSender } from './charge/transfer/transfer-sender.ts'
import { auditChainModule } from './common/audit-chain.ts'
import { businessConfigModule } from './common/business-config.ts'
import { commonModule } from './common/common.ts'
import { retentionModule } from './common/retention.ts'
import { optOutModule } from './marketing/opt-out/opt-out.ts'
import { smsTaskModule } from './marketing/sms-task/sms-task.ts'
import { smsTemplateModule } from './marketing/sms-template/sms-template.ts'
import { unrenewedModule } from './marketing/unrenewed/unrenewed.ts'
import { userGroupModule } from './marketing/user-group/user-group.ts'
import { blacklistModule } from './merchant/blacklist/blacklist.ts'
import { consumptionModule } from './merchant/consumption/consumption.ts'
import { consumptionTypeModule } from './merchant/consumption-type/consumption-type.ts'
import { contactBlockModule } from './merchant/contact-block/contact-block.ts'
import { maturityModule } from './merchant/maturity/maturity.ts'
import { merchantConfigModule } from './merchant/merchant-config/merchant-config.ts'
import { orderAcquireModule } from './merchant/order-acquire/order-acquire.ts'
import { paymentDisplayModule } from './merchant/payment-display/payment-display.ts'
import { rechargeModule } from './merchant/recharge/recharge.ts'
import { activityModule } from './operation/activity/activity.ts'
import { announcementModule } from './operation/announcement/announcement.ts'
import { appContentModule } from './operation/app-content/app-content.ts'
import { appContractModule } from './operation/app-content/app-contract.ts'
import { appInviteModule } from './operation/app-content/app-invite.ts'
import { appVersionModule } from './operation/app-version/app-version.ts'
import { businessNodeModule } from './operation/business-node/business-node.ts'
import { couponModule } from './operation/coupon/coupon.ts'
import { hotlineModule } from './operation/hotline/hotline.ts'
import { launchModule } from './operation/launch/launch.ts'
import { loanLimitModule } from './operation/loan-limit/loan-limit.ts'
import { merchantModule } from './operation/merchant/merchant.ts'
import { messageCenterModule } from './operation/message-center/message-center.ts'
import { messageEngineModule } from './operation/message-engine/message-engine.ts'
import { messageTemplateModule } from './operation/message-template/message-template.ts'
import { phoneBillSender } from './operation/phone-bill/index.ts'
import { phoneBillModule } from './operation/phone-bill/phone-bill.ts'
import { productModules } from './operation/product/product.ts'
import { sensitiveInfoModule } from './operation/sensitive-info/sensitive-info.ts'
import { sensitiveWordModule } from './operation/sensitive-word/sensitive-word.ts'
import { smsRouterModule } from './operation/sms-router/sms-router.ts'
import { tempQuotaModule } from './operation/temp-quota/temp-quota.ts'
import { trafficModule } from './operation/traffic/traffic.ts'
import { verifyCodeModule } from './operation/verify-code/verify-code.ts'
import { orderCollectedModule } from './order/collected/collected.ts'
import { intakeModule } from './order/intake/intake.ts'
import { creditModule } from './order/order/credit.ts'
import { lookupModule } from './order/order/lookup.ts'
import { orderDetailModule } from './order/order/order-detail.ts'
import { homeModule } from './portal/home/home.ts'
import { messageModule } from './portal/message/message.ts'
import { pageStayModule } from './portal/tracking/page-stay.ts'
import { viewModule } from './portal/view/view.ts'
import { platformWarnings } from './portal/warning/platform-warnings.ts'
import { warningModule } from './portal/warning/warning.ts'
import { daySnapshotModule } from './report/snapshot/day-snapshot.ts'
import { cutoffModule } from './risk/cutoff/cutoff.ts'
import { legalCapModule } from './risk/legal-cap/legal-cap.ts'
import { nameListModule } from './risk/name-list/name-list.ts'
import { planModule } from './risk/plan/plan.ts'
import { pricingModule } from './risk/pricing/pricing.ts'
import { outcomeModule } from './risk/risk-model/outcomes.ts'
import { riskModelModule } from './risk/risk-model/risk-model.ts'
import { ruleSetModule } from './risk/rule-set/rule-set.ts'
import { ruleTestModule } from './risk/rule-test/rule-test.ts'
import { leaveModule } from './schedule/leave/leave.ts'
import { serviceCouponModule } from './service/coupon/service-coupon.ts'
import { platformModule } from './supermarket/platform/platform.ts'
import { marketProductModule } from './supermarket/product/product.ts'
import { recommendModule } from './supermarket/recommend/recommend.ts'
import { reviewModule } from './supermarket/review/review.ts'
import { vipModule } from './supermarket/vip/vip.ts'
import { baseOptionModule } from './telemarketing/base-option/base-option.ts'
import { teleBlockModule } from './telemarketing/blacklist/blacklist.ts'
import { authModule } from './user/account/auth.ts'
import { embedModule } from './user/account/embedding/embed.ts'
import { mfaModule } from './user/account/mfa.ts'
import { selfModule } from './user/account/self.ts'
import { sessionModule } from './user/account/session.ts'
import { deptModule } from './user/dept/dept.ts'
import { dictionaryModule } from './user/dictionary/dictionary.ts'
import { languageModule } from './user/language/language.ts'
import { menuModule } from './user/menu/menu.ts'
import { peopleModule } from './user/people/people.ts'
import { roleModule } from './user/role/role.ts'
import { signInModule } from './user/sign-in/sign-in.ts'

/** The network of a demo answers at once: nobody wants to wait a minute for the first question. */
const demoAskTimes = { after: [5, 15, 60], thenEvery: 300 }

/** What money is sent for besides loan codes. */
const senders = [refundSender, transferSender, withdrawalSender, phoneBillSender]

/** Everything the server does. */
export const modules = (deps: Deps): Module[] => {
  const own: Module[] = [
    authModule(),
    signInModule(deps),
    mfaModule(deps),
    selfModule(deps),
    sessionModule(),
    roleModule(),
    peopleModule(deps),
    deptModule(),
    languageModule(),
    menuModule(),
    homeModule(deps),
    embedModule(),
    viewModule(),
    commonModule(),
    lookupModule(),
    messageModule(),
    announcementModule(),
    sensitiveInfoModule(),
    sensitiveWordModule(),
    phoneBillModule(),
    hotlineModule(),
    appContentModule(deps),
    appContractModule(),
    appInviteModule(),
    launchModule(),
    trafficModule(),
    appVersionModule(deps),
    merchantConfigModule(deps),
    orderAcquireModule(),
    paymentDisplayModule(),
    merchantModule(),
    verifyCodeModule(deps),
    platformModule(deps),
    marketProductModule(deps),
    recommendModule(),
    reviewModule(deps),
    messageEngineModule(deps),
    messageCenterModule(deps),
    businessNodeModule(deps),
    smsRouterModule(deps),
    messageTemplateModule(),
    smsTemplateModule(),
    unrenewedModule(deps),
    smsTaskModule(deps),
    userGroupModule(deps),
    optOutModule(),
    vipModule(),
    maturityModule(),
    consumptionTypeModule(),
    consumptionModule(),
    rechargeModule(),
    businessConfigModule(),
    legalCapModule(),
    pricingModule(),
    riskModelModule(deps),
    ruleSetModule(),
    ruleTestModule(),
    cutoffModule(),
    planModule(),
    outcomeModule(),
    nameListModule(deps),
    contactBlockModule(deps),
    blacklistModule(deps),
    teleBlockModule(deps),
    ...productModules(),
    loanLimitModule(),
    leaveModule(),
    retentionModule(),
    pageStayModule(),
    auditChainModule(deps),
    intakeModule(deps),
    machineReviewModule(deps),
    allotModule(deps),
    myAuditModule(deps),
    auditTaskModule(deps),
    orderDetailModule(deps),
    orderCollectedModule(deps),
    orderManageModule(deps),
    orderShortModule(deps),
    questionModule(),
    loanModule(deps, deps.demo ? demoAskTimes : askTimes, senders),
    refundModule(deps, deps.demo ? demoAskTimes : askTimes),
    transferModule(deps, deps.demo ? demoAskTimes : askTimes),
    walletModule(deps, deps.demo ? demoAskTimes : askTimes),
    auditPersonModule(),
    reReviewConfigModule(),
    reReviewModule(),
    retrievalModule(),
    bankBatchModule(deps),
    fundAccountModule(deps),
    balanceModule(deps),
    serviceCouponModule(),
    jobModule(),
    ledgerModule(),
    supplementModule(deps),
    delayedModule(deps),
    payLinkModule(deps),
    loanRouteModule(deps),
    autoCancelModule(),
    autoSettleModule(),
    autoWriteOffModule(),
    callbackModule(deps),
    repayModule(deps),
    receiptModule(),
    payInModule(deps),
    statementModule(deps),
    reconModule(),
    statementImportModule(deps.uploads.dir),
    flowModule(deps),
    dayRollModule(deps),
    daySnapshotModule(),
    creditModule(),
    reservationModule(),
    couponModule(deps),
    activityModule(deps),
    tempQuotaModule(deps),
    uploadModule(deps.uploads, attachTargets),
  ]
  const holds = own.flatMap(module => module.holds ?? [])
  const choices = own.flatMap(module => module.choices ?? [])
  own.push(dictionaryModule(holds, choices), baseOptionModule(holds))
  const lists = own.flatMap(module => module.lists ?? [])
  return [
    ...own,
    warningModule([...own.flatMap(module => module.warnings ?? []), ...platformWarnings]),
    approvalModule(own.flatMap(module => module.approvals ?? [])),
    outgoingModule(
      deps,
      Object.assign({}, ...own.map(module => module.letters ?? {})),
      Object.assign({}, ...own.map(module => module.outgoing ?? {})),
    ),
    totalsModule(lists),
    exportModule(deps.exportDir, lists),
    importModule(
      deps.importDir,
      own.flatMap(module => module.imports ?? []),
      storedUploads(deps.uploads.dir),
    ),
  ]
}
