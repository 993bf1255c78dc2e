import { confirmRecord } from './fund/confirm-record.ts'
import { gatewayAttempt } from './fund/gateway-attempt.ts'
import { loanCode } from './fund/loan-code.ts'
import { reconItem } from './fund/recon-item.ts'
import { statementLine } from './fund/statement-line.ts'
import type { Machine } from './machine.ts'
import { announcement } from './operation/announcement.ts'
import { auditTask } from './order/audit-task.ts'
import { order } from './order/order.ts'
import { approval } from './platform/approval.ts'
import { exportJob } from './platform/export-job.ts'
import { idempotencyRecord } from './platform/idempotency-record.ts'
import { importJob } from './platform/import-job.ts'
import { jobRun } from './platform/job-run.ts'
import { outboxMessage } from './platform/outbox-message.ts'
import { upload } from './platform/upload.ts'
import { flow } from './repay/flow.ts'
import { overpayment } from './repay/overpayment.ts'
import { plan } from './repay/plan.ts'
import { repaymentRecord } from './repay/repayment-record.ts'
import { leave } from './schedule/leave.ts'
import { embedToken } from './user/embed-token.ts'
import { mfa } from './user/mfa.ts'

/** Machines that have a table, by their name here; endpoints name them in `on`. The others wait in `allMachines`. */
export const machines = {
  order,
  auditTask,
  loanCode,
  gatewayAttempt,
  confirmRecord,
  plan,
  flow,
  repaymentRecord,
  overpayment,
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
  leave,
  embedToken,
  mfa,
} satisfies Record<string, Machine>

export type MachineName = keyof typeof machines
