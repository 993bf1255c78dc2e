import { expect, test } from 'vitest'
import { companyNodes, organizationNodes } from './tree-nodes.ts'

const merchant = (merchantNo: string, orgName: string) => ({ merchantNo, merchantName: merchantNo, orgName })
const outline = (nodes: ReturnType<typeof companyNodes>) =>
  nodes.map(({ value, parent, leaf }) => `${parent ?? ''}>${value}${leaf ? '' : '/'}`)

test('merchants stand below their company, or below its organizations where it has several', () => {
  const nodes = companyNodes([
    { companyCode: 'C1', companyName: 'Nile', childList: [merchant('M1', 'Kampala'), merchant('M2', 'Kampala')] },
    { companyCode: 'C2', companyName: 'Lake', childList: [merchant('M3', 'Kampala'), merchant('M4', 'Gulu')] },
  ])
  expect(outline(nodes)).toEqual([
    '>company:C1/',
    'company:C1>M1',
    'company:C1>M2',
    '>company:C2/',
    'company:C2>org:C2:Kampala/',
    'company:C2>org:C2:Gulu/',
    'org:C2:Kampala>M3',
    'org:C2:Gulu>M4',
  ])
})

test('each organization can be chosen, wherever it stands', () => {
  const below = { orgNo: 'O1', orgName: 'Kampala', childSet: [{ orgNo: 'O2', orgName: 'Ntinda', childSet: [] }] }
  expect(outline(organizationNodes([{ orgNo: 'O0', orgName: 'Nile', childSet: [below] }]))).toEqual([
    '>O0',
    'O0>O1',
    'O1>O2',
  ])
})
