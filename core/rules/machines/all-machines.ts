import { refund } from './charge/refund.ts'
import { refundAudit } from './charge/refund-audit.ts'
import { refundVerification } from './charge/refund-verification.ts'
import { transferApplication } from './charge/transfer-application.ts'
import { badDebtEntry } from './collection/bad-debt-entry.ts'
import { caseAllocation } from './collection/case-allocation.ts'
import { collectionCase } from './collection/collection-case.ts'
import { levelPolicy } from './collection/level-policy.ts'
import { outsource } from './collection/outsource.ts'
import { promise } from './collection/promise.ts'
import { balanceEntry } from './fund/balance-entry.ts'
import { confirmRecord } from './fund/confirm-record.ts'
import { gatewayAttempt } from './fund/gateway-attempt.ts'
import { loanCode } from './fund/loan-code.ts'
import { payoutChannel } from './fund/payout-channel.ts'
import { reconItem } from './fund/recon-item.ts'
import { statementLine } from './fund/statement-line.ts'
import { walletWithdrawal } from './fund/wallet-withdrawal.ts'
import type { Machine } from './machine.ts'
import { smsTask } from './marketing/sms-task.ts'
import { smsTemplate } from './marketing/sms-template.ts'
import { consumptionRecord } from './merchant/consumption-record.ts'
import { contactBlock } from './merchant/contact-block.ts'
import { merchantRecharge } from './merchant/merchant-recharge.ts'
import { activityAward } from './operation/activity-award.ts'
import { announcement } from './operation/announcement.ts'
import { appVersion } from './operation/app-version.ts'
import { configItem } from './operation/config-item.ts'
import { configVersion } from './operation/config-version.ts'
import { coupon } from './operation/coupon.ts'
import { couponIssueBatch } from './operation/coupon-issue-batch.ts'
import { credit } from './operation/credit.ts'
import { merchantLoanLimit } from './operation/merchant-loan-limit.ts'
import { message } from './operation/message.ts'
import { phoneRecharge } from './operation/phone-recharge.ts'
import { tempQuotaGrant } from './operation/temp-quota-grant.ts'
import { tempQuotaTask } from './operation/temp-quota-task.ts'
import { auditTask } from './order/audit-task.ts'
import { order } from './order/order.ts'
import { reReviewApplication } from './order/re-review-application.ts'
import { retrievalBatch } from './order/retrieval-batch.ts'
import { retrievalItem } from './order/retrieval-item.ts'
import { approval } from './platform/approval.ts'
import { exportJob } from './platform/export-job.ts'
import { idempotencyRecord } from './platform/idempotency-record.ts'
import { importJob } from './platform/import-job.ts'
import { jobRun } from './platform/job-run.ts'
import { outboxMessage } from './platform/outbox-message.ts'
import { upload } from './platform/upload.ts'
import { warning } from './platform/warning.ts'
import { disciplineMonth } from './quality/discipline-month.ts'
import { disciplineRecord } from './quality/discipline-record.ts'
import { qualityCheck } from './quality/quality-check.ts'
import { delayedArrival } from './repay/delayed-arrival.ts'
import { exemption } from './repay/exemption.ts'
import { extension } from './repay/extension.ts'
import { flow } from './repay/flow.ts'
import { overpayment } from './repay/overpayment.ts'
import { plan } from './repay/plan.ts'
import { repaymentLink } from './repay/repayment-link.ts'
import { repaymentRecord } from './repay/repayment-record.ts'
import { virtualAccount } from './repay/virtual-account.ts'
import { writeOffBatch } from './repay/write-off-batch.ts'
import { writeOffRow } from './repay/write-off-row.ts'
import { nameListItem } from './risk/name-list-item.ts'
import { robotSchedule } from './robot/robot-schedule.ts'
import { robotTarget } from './robot/robot-target.ts'
import { roboticTask } from './robot/robotic-task.ts'
import { leave } from './schedule/leave.ts'
import { scheduleOutlier } from './schedule/schedule-outlier.ts'
import { schedulePlan } from './schedule/schedule-plan.ts'
import { couponApplication } from './service/coupon-application.ts'
import { feedback } from './service/feedback.ts'
import { inCall } from './service/in-call.ts'
import { privacyRequest } from './service/privacy-request.ts'
import { marketProduct } from './supermarket/market-product.ts'
import { productReview } from './supermarket/product-review.ts'
import { attribution } from './telemarketing/attribution.ts'
import { attributionClaim } from './telemarketing/attribution-claim.ts'
import { call } from './telemarketing/call.ts'
import { callSeat } from './telemarketing/call-seat.ts'
import { customerStatus } from './telemarketing/customer-status.ts'
import { dialTask } from './telemarketing/dial-task.ts'
import { listEntry } from './telemarketing/list-entry.ts'
import { listFollow } from './telemarketing/list-follow.ts'
import { embedToken } from './user/embed-token.ts'
import { employee } from './user/employee.ts'
import { language } from './user/language.ts'
import { loginChallenge } from './user/login-challenge.ts'
import { loginLock } from './user/login-lock.ts'
import { mfa } from './user/mfa.ts'
import { password } from './user/password.ts'
import { session } from './user/session.ts'
import { userAccount } from './user/user-account.ts'
import { verificationCode } from './user/verification-code.ts'

/**
 * Every machine of the house by system, those of screens still to come among them. The documentation and the tests ask here;
 * the server and the browser work with `machines`, so that nothing reaches a browser that no endpoint names.
 */
export const systems = {
  user: {
    loginChallenge,
    session,
    embedToken,
    userAccount,
    loginLock,
    employee,
    mfa,
    password,
    verificationCode,
    language,
  },
  order: { order, auditTask, retrievalItem, retrievalBatch, reReviewApplication },
  fund: {
    loanCode,
    gatewayAttempt,
    confirmRecord,
    walletWithdrawal,
    reconItem,
    balanceEntry,
    statementLine,
    payoutChannel,
  },
  repay: {
    plan,
    flow,
    repaymentRecord,
    delayedArrival,
    writeOffBatch,
    writeOffRow,
    extension,
    exemption,
    overpayment,
    repaymentLink,
    virtualAccount,
  },
  charge: { refund, refundAudit, refundVerification, transferApplication },
  collection: { collectionCase, caseAllocation, badDebtEntry, promise, outsource, levelPolicy },
  quality: { qualityCheck, disciplineRecord, disciplineMonth },
  operation: {
    coupon,
    tempQuotaTask,
    tempQuotaGrant,
    credit,
    announcement,
    phoneRecharge,
    configItem,
    appVersion,
    message,
    configVersion,
    couponIssueBatch,
    activityAward,
    merchantLoanLimit,
  },
  supermarket: { marketProduct, productReview },
  merchant: { merchantRecharge, contactBlock, consumptionRecord },
  risk: { nameListItem },
  telemarketing: { listEntry, customerStatus, call, callSeat, dialTask, listFollow, attribution, attributionClaim },
  robot: { roboticTask, robotSchedule, robotTarget },
  marketing: { smsTemplate, smsTask },
  service: { couponApplication, feedback, privacyRequest, inCall },
  schedule: { leave, schedulePlan, scheduleOutlier },
  platform: { importJob, exportJob, upload, approval, idempotencyRecord, outboxMessage, jobRun, warning },
} satisfies Record<string, Record<string, Machine>>

/** The same, by name. */
export const allMachines: Readonly<Record<string, Machine>> = Object.assign({}, ...Object.values(systems))
