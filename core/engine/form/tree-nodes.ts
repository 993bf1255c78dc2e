import type { Company, Organization } from '../../contract/common/common.ts'
import type { TreeNode } from '../../ui/choose/tree.ts'

/** Merchants in their companies; where a company has several organizations, in these. Branches are prefixed, since numbers of branches and leaves may be the same. */
export const companyNodes = (companies: readonly Company[]): TreeNode[] =>
  companies.flatMap(({ companyCode, companyName, childList }) => {
    const company = `company:${companyCode}`
    const orgs = [...new Set(childList.map(({ orgName }) => orgName))]
    const branch = (orgName: string) => (orgs.length > 1 ? `org:${companyCode}:${orgName}` : company)
    return [
      { value: company, label: companyName, parent: null, leaf: false },
      ...(orgs.length > 1
        ? orgs.map(orgName => ({ value: branch(orgName), label: orgName, parent: company, leaf: false }))
        : []),
      ...childList.map(({ merchantNo, merchantName, orgName }) => ({
        value: merchantNo,
        label: merchantName,
        parent: branch(orgName),
        leaf: true,
      })),
    ]
  })

/** Organizations in those that they belong to; each is chosen by itself. */
export const organizationNodes = (list: readonly Organization[], parent: string | null = null): TreeNode[] =>
  list.flatMap(({ orgNo, orgName, childSet }) => [
    { value: orgNo, label: orgName, parent, leaf: true },
    ...organizationNodes(childSet, orgNo),
  ])
