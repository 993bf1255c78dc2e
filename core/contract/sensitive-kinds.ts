import { dictionary } from './fields.ts'

/** What is sensitive, by kind: what roles reveal, settings govern and logs name. `unmask` shows everything that is not in a list in full. */
export const sensitiveKind = dictionary('SENSITIVE_KIND', [
  'phone',
  'idNumber',
  'bvn',
  'bankCardNo',
  'walletAccount',
  'contacts',
  'location',
  'operator',
  'appList',
  'device',
  'face',
  'baseSalary',
  'unmask',
])
/** One of the kinds. */
export type SensitiveKindName = (typeof sensitiveKind.values)[number]
