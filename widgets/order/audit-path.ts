/** Where an order is decided. */
export const auditPath = '/AdminContent/OrderDetailAudit/OrderAudit'
export const myAuditPath = '/AdminContent/AuditSystem/MyAudit'
