import { auditAllot } from './allotment.ts'
import { auditManage } from './order-list.ts'
import { orderShort } from './order-short.ts'
import { auditQueue } from './queue.ts'
import { auditReview } from './review.ts'

/** The audit of orders; a screen imports only the part that it calls. */
export const audit = { ...auditAllot, ...auditQueue, ...auditReview, ...auditManage, ...orderShort }
