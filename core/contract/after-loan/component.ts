import { dictionary } from '../fields.ts'

export const components = dictionary('COMPONENT', [
  'principal',
  'interest',
  'serviceFee',
  'managementFee',
  'lateFee',
  'liquidatedDamages',
])
