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
