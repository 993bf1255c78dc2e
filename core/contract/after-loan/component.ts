import { dictionary } from '../fields.ts'

/** What an amount of a bill is made of, in the words of the ledger. */
export const components = dictionary('COMPONENT', [
  'principal',
  'interest',
  'serviceFee',
  'managementFee',
  'lateFee',
  'liquidatedDamages',
])
