import { balanceEntry } from './after-loan/balance-entry.ts'
import { confirmRecord } from './after-loan/confirm-record.ts'
import { delayedArrival } from './after-loan/delayed-arrival.ts'
import { exemption } from './after-loan/exemption.ts'
import { extension } from './after-loan/extension.ts'
import { flow } from './after-loan/flow.ts'
import { gatewayAttempt } from './after-loan/gateway-attempt.ts'
import { loanCode } from './after-loan/loan-code.ts'
import { overpayment } from './after-loan/overpayment.ts'
import { payoutChannel } from './after-loan/payout-channel.ts'
import { plan } from './after-loan/plan.ts'
import { reconItem } from './after-loan/recon-item.ts'
import { repaymentLink } from './after-loan/repayment-link.ts'
import { repaymentRecord } from './after-loan/repayment-record.ts'
import { statementLine } from './after-loan/statement-line.ts'
import { virtualAccount } from './after-loan/virtual-account.ts'
import { walletWithdrawal } from './after-loan/wallet-withdrawal.ts'
import { writeOffBatch } from './after-loan/write-off-batch.ts'
import { writeOffRow } from './after-loan/write-off-row.ts'
import { auditTask } from './audit/audit-task.ts'
import { reReviewApplication } from './audit/re-review-application.ts'
import { retrievalBatch } from './audit/retrieval-batch.ts'
import { retrievalItem } from './audit/retrieval-item.ts'
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
import { order } from './order/order.ts'
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
import { nameListItem } from './risk/name-list-item.ts'
import { robotSchedule } from './robotic-task/robot-schedule.ts'
import { robotTarget } from './robotic-task/robot-target.ts'
import { roboticTask } from './robotic-task/robotic-task.ts'
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
 * Every machine by system, including those of screens still to come. Documentation and tests read this list;
 * the server works with `machines`, and a browser with the single ones that its screens import.
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
  order: { order },
  audit: { auditTask, retrievalItem, retrievalBatch, reReviewApplication },
  'after-loan': {
    loanCode,
    gatewayAttempt,
    confirmRecord,
    walletWithdrawal,
    reconItem,
    balanceEntry,
    statementLine,
    payoutChannel,
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
    appVersion,
    phoneRecharge,
    configItem,
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
  'robotic-task': { roboticTask, robotSchedule, robotTarget },
  marketing: { smsTemplate, smsTask },
  service: { couponApplication, feedback, privacyRequest, inCall },
  schedule: { leave, schedulePlan, scheduleOutlier },
  platform: { importJob, exportJob, upload, approval, idempotencyRecord, outboxMessage, jobRun, warning },
} satisfies Record<string, Record<string, Machine>>

/** The same, by name. */
export const allMachines: Readonly<Record<string, Machine>> = Object.assign({}, ...Object.values(systems))
