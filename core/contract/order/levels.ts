import { dictionary } from '../fields.ts'

/** A customer's first loan, or a later one. */
export const loanKinds = dictionary('LOAN_KIND', ['first', 'repeat'])
/** Risk level of machine review, best first. */
export const modelLevels = dictionary('MODEL_LEVEL', ['A', 'B', 'C', 'D', 'E'])
/** Member level of a customer, lowest first. */
export const memberLevels = dictionary('MEMBER_LEVEL', ['V0', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7', 'V8', 'V9'])
