import { balanceEntry } from './after-loan/balance-entry.ts'
import { confirmRecord } from './after-loan/confirm-record.ts'
import { delayedArrival } from './after-loan/delayed-arrival.ts'
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
import { walletWithdrawal } from './after-loan/wallet-withdrawal.ts'
import { auditTask } from './audit/audit-task.ts'
import { reReviewApplication } from './audit/re-review-application.ts'
import { retrievalBatch } from './audit/retrieval-batch.ts'
import { retrievalItem } from './audit/retrieval-item.ts'
import { refund } from './charge/refund.ts'
import { refundAudit } from './charge/refund-audit.ts'
import { refundVerification } from './charge/refund-verification.ts'
import { transferApplication } from './charge/transfer-application.ts'
import type { Machine } from './machine.ts'
import { smsTask } from './marketing/sms-task.ts'
import { consumptionRecord } from './merchant/consumption-record.ts'
import { contactBlock } from './merchant/contact-block.ts'
import { merchantRecharge } from './merchant/merchant-recharge.ts'
import { activityAward } from './operation/activity-award.ts'
import { announcement } from './operation/announcement.ts'
import { appVersion } from './operation/app-version.ts'
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
import { nameListItem } from './risk/name-list-item.ts'
import { leave } from './schedule/leave.ts'
import { couponApplication } from './service/coupon-application.ts'
import { productReview } from './supermarket/product-review.ts'
import { embedToken } from './user/embed-token.ts'
import { employee } from './user/employee.ts'
import { language } from './user/language.ts'
import { loginChallenge } from './user/login-challenge.ts'
import { mfa } from './user/mfa.ts'
import { userAccount } from './user/user-account.ts'
import { verificationCode } from './user/verification-code.ts'

/** Machines that have a table, by their name here; endpoints, fields and screens import the one that they mean from its own file. The others wait in `allMachines`. */
export const machines = {
  order,
  auditTask,
  reReviewApplication,
  retrievalBatch,
  retrievalItem,
  loanCode,
  gatewayAttempt,
  confirmRecord,
  payoutChannel,
  plan,
  delayedArrival,
  extension,
  flow,
  repaymentRecord,
  repaymentLink,
  overpayment,
  refund,
  walletWithdrawal,
  balanceEntry,
  refundAudit,
  refundVerification,
  transferApplication,
  approval,
  idempotencyRecord,
  outboxMessage,
  jobRun,
  reconItem,
  statementLine,
  exportJob,
  upload,
  importJob,
  announcement,
  activityAward,
  warning,
  credit,
  appVersion,
  coupon,
  couponApplication,
  couponIssueBatch,
  tempQuotaTask,
  tempQuotaGrant,
  nameListItem,
  contactBlock,
  consumptionRecord,
  merchantRecharge,
  phoneRecharge,
  leave,
  productReview,
  embedToken,
  language,
  loginChallenge,
  mfa,
  merchantLoanLimit,
  message,
  smsTask,
  verificationCode,
  userAccount,
  employee,
} satisfies Record<string, Machine>

/** The name of a machine that has a table. */
export type MachineName = keyof typeof machines

/** A machine by its name, or the instance that is given as such. */
export const machineOf = (of: MachineName | Machine): Machine => (typeof of === 'string' ? machines[of] : of)

/** The name of a machine here; of an instance, that of the machine it is made of. */
export const nameOf = (of: MachineName | Machine): string =>
  typeof of === 'string' ? of : (of.of ?? of.name).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
