import { dictionary } from '../fields.ts'

export const loanKinds = dictionary('LOAN_KIND', ['first', 'repeat'])
export const modelLevels = dictionary('MODEL_LEVEL', ['A', 'B', 'C', 'D', 'E'])
export const memberLevels = dictionary('MEMBER_LEVEL', ['V1', 'V2', 'V3', 'V4'])
