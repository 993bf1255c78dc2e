import { z } from 'zod'
import { Paper } from '../common/paper.ts'
import { endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

const anyPerm = ['repay:order:page', 'repay:bill:page']
const ofRecord = { repaymentNo: field.key() }
const ofOrder = { orderNo: field.key() }

/** Papers of a loan for its customer, in the language of the customer. */
export const receipt = noun('after-loan/receipt', {
  /** What was received, and what it paid. */
  receipt: read('/rePayManage/receipt/{repaymentNo}', { anyPerm, input: ofRecord, output: Paper }),
  receiptFile: endpoint({
    method: 'GET',
    path: '/rePayManage/receipt/{repaymentNo}/file',
    anyPerm,
    writes: true,
    file: true,
    input: z.strictObject(ofRecord),
    output: z.null(),
  }),
  /** That a loan was repaid, and that nothing is owed on it. */
  clearance: read('/rePayManage/clearance/{orderNo}', { anyPerm, input: ofOrder, output: Paper }),
  clearanceFile: endpoint({
    method: 'GET',
    path: '/rePayManage/clearance/{orderNo}/file',
    anyPerm,
    writes: true,
    file: true,
    input: z.strictObject(ofOrder),
    output: z.null(),
  }),
})
