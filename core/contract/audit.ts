import { auditAllot } from './audit-allot.ts'
import { auditManage } from './audit-manage.ts'
import { auditQueue } from './audit-queue.ts'
import { auditReview } from './audit-review.ts'

/** The audit of orders; a screen imports only the part that it calls. */
export const audit = { ...auditAllot, ...auditQueue, ...auditReview, ...auditManage }
