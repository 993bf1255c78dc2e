import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { businessConfig, merchant } = contract
const about = 'merchants are what data rules are made of: its own test asks whom each one is shown to'
let made = 0

/** A merchant of the fixture's company; each call another name. */
const input = () => ({
  merchantName: `Brand ${++made}`,
  brandName: `Brand ${made}`,
  orgNo: 'O1',
  legalName: `Brand ${made} Limited`,
  licenceNo: `UMRA/${made}`,
  licenceExpiry: '2027-03-01',
  physicalAddress: 'Plot 4, Kampala Road',
  supportEmail: 'help@brand.ug',
  appName: `Brand${made}`,
})

const added = async (fixture: Fixture): Promise<string> =>
  (fixture.must(await fixture.call(merchant.add, input() as never, { as: fixture.boss })) as { key: string }).key

/** Asks a second person about a merchant, a new one unless it is named. */
const asked = async (fixture: Fixture, call: Endpoint, what: object, named?: string) => {
  const merchantNo = named ?? (await added(fixture))
  const { version } = fixture.must(await fixture.call(merchant.detail, { merchantNo }, { as: fixture.boss })) as {
    version: number
  }
  const answer = await fixture.call(call, { merchantNo, version, ...what } as never, { as: fixture.boss })
  return { merchantNo, ...(fixture.must(answer) as { approvalNo: string }) }
}

/** Asks for another policy of signing in. */
const policy = async (fixture: Fixture): Promise<string> => {
  const configKey = 'SIGN_IN_POLICY' as const
  const held = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
  const input = { configKey, version: held.version, value: { slide: 'after_failures' as const, codeFor: ['O2'] } }
  return fixture.must(await fixture.call(businessConfig.update, input, { as: fixture.boss })).approvalNo
}

export default facts({
  lists: [
    {
      list: merchant.page,
      key: 'merchantNo',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object('merchant_no', 'MC' || n % 7 || '-' || n, ${prefixed('merchant_name')}, ${at('updated_time')}, 'licence_expiry', date '2027-01-01' + n % 9, 'drain', n % 3 = 0)`
        await copied(fixture, 'merchant', `merchant_no = '${no}'`, changes)
      },
      means: {
        waiting: (_row, mine: boolean) => !mine,
        merchantName: (row, text: string) =>
          `${row.merchantNo} ${row.merchantName} ${row.brandName ?? ''}`.toLowerCase().includes(text.toLowerCase()),
        orgNo: (row, orgNo: string) => orgNo === 'O0' || row.orgName === { O1: 'Kampala', O2: 'Gulu' }[orgNo],
        companyCode: (_row, code: string) => code === 'C1',
        licenceWithin: (row, days: string) => row.licenceLeft !== null && Number(row.licenceLeft) <= Number(days),
      },
    },
  ],
  approvals: [
    { action: 'businessConfig.SIGN_IN_POLICY', ask: policy },
    {
      action: 'merchant.state',
      ask: async fixture => (await asked(fixture, merchant.state, { enabled: true })).approvalNo,
    },
    {
      action: 'merchant.drain',
      ask: async fixture => {
        const { approvalNo, merchantNo } = await asked(fixture, merchant.state, { enabled: true })
        fixture.must(await fixture.call(contract.common.approve, { approvalNo, version: 0 }, { as: fixture.second }))
        return (await asked(fixture, merchant.drain as Endpoint, { drain: true }, merchantNo)).approvalNo
      },
    },
  ],
  calls: Object.values(merchant)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about })),
})
