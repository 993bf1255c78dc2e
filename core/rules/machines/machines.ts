import { announcement } from './announcement.ts'
import { approval } from './approval.ts'
import { auditTask } from './audit-task.ts'
import { confirmRecord } from './confirm-record.ts'
import { embedToken } from './embed-token.ts'
import { exportJob } from './export-job.ts'
import { flow } from './flow.ts'
import { gatewayAttempt } from './gateway-attempt.ts'
import { idempotencyRecord } from './idempotency-record.ts'
import { importJob } from './import-job.ts'
import { jobRun } from './job-run.ts'
import { leave } from './leave.ts'
import { loanCode } from './loan-code.ts'
import type { Machine } from './machine.ts'
import { mfa } from './mfa.ts'
import { order } from './order.ts'
import { outboxMessage } from './outbox-message.ts'
import { overpayment } from './overpayment.ts'
import { plan } from './plan.ts'
import { reconItem } from './recon-item.ts'
import { repaymentRecord } from './repayment-record.ts'
import { upload } from './upload.ts'

/** Every machine by its name here; endpoints name them in `on`. */
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
  exportJob,
  upload,
  importJob,
  announcement,
  leave,
  embedToken,
  mfa,
} satisfies Record<string, Machine>

export type MachineName = keyof typeof machines
