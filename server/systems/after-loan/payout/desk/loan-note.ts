import type { Call } from '../../../../http/serve.ts'
import type { HeldCode } from './loan-source.ts'

/** Notes in the audit log what a person did to a loan code. */
export const noteCode = (call: Pick<Call, 'audit'>, before: HeldCode, after: Record<string, unknown>): void =>
  call.audit({
    objectType: 'loanCode',
    objectNo: before.code.loanCode,
    orderNo: before.order.orderNo,
    before: { loanCodeStatus: before.code.loanCodeStatus, orderStatus: before.order.orderStatus },
    after,
  })
