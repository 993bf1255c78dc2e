import type { ConfigRow } from '../../../core/contract/config.ts'
import type { merchants } from '../../../core/contract/operation/merchant.ts'

/** A merchant as the list shows it. */
export type MerchantRow = ConfigRow<typeof merchants>

/** Where in the tree of companies and organizations a list of merchants stands. */
export type Place =
  | { is: 'all' }
  | { is: 'company'; companyCode: string; companyName: string; version: number }
  | {
      is: 'organization'
      companyCode: string
      orgNo: string
      orgName: string
      orgType: string
      version: number
    }
