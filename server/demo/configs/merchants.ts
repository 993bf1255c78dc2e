import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { merchants as config } from '../../../core/contract/operation/merchant.ts'
import { addDays } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { merchantModule } from '../../systems/operation/merchant/merchant.ts'
import { handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { merchant } = contract
type Row = { merchantNo: string; version: number; enabled: string }

/** The merchants that lend, by what is known of each: licence, office, and which customers it takes. */
const lending = {
  M1: {
    legalName: 'Boda Cash Uganda Limited',
    licenceNo: 'UMRA/TIER4/0118',
    ends: 310,
    physicalAddress: 'Plot 14, Kampala Road, Kampala',
    trafficLimit: -1,
    filter: { sameDevice: 'count', sameAccount: 'count' },
  },
  M2: {
    legalName: 'Market Loan Limited',
    licenceNo: 'UMRA/TIER4/0204',
    ends: 40,
    physicalAddress: 'Owino Market, Nakivubo Mews, Kampala',
    trafficLimit: -1,
    filter: { refusedHere: 'count', refusedHereDays: 30 },
  },
  M3: {
    legalName: 'Shamba Advance Limited',
    licenceNo: 'UMRA/TIER4/0231',
    ends: 205,
    physicalAddress: 'Plot 3, Gulu Avenue, Gulu',
    trafficLimit: -1,
    filter: {},
  },
} as const

const off = { refusedHere: 'off', openOrder: 'off', sameDevice: 'off', sameAccount: 'off' } as const

/** Brands beside those that lend, each with another traffic limit; none has an order yet. */
const further = [
  { name: 'Kasa Loans', app: 'Kasa', org: 'Jinja', trafficLimit: 3, ends: 150, standing: 'enabled' },
  { name: 'Swift Cash', app: 'SwiftCash', org: 'Jinja', trafficLimit: 1, ends: 260, standing: 'drain' },
  { name: 'First Step', app: 'FirstStep', org: 'Mbarara', trafficLimit: 0, ends: 28, standing: 'enabled' },
  { name: 'Pamoja Credit', app: 'Pamoja', org: 'Mbarara', trafficLimit: -1, ends: 400, standing: 'disabled' },
] as const

/** A second company, licences and limits of all merchants, one of them in drain and one disabled. */
export const writeMerchants = async (tx: Tx): Promise<void> => {
  const hand = handFor([merchantModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const act = async (call: Endpoint, input: object) => {
    const answer = await hand.call(tx, boss, call as never, input as never)
    await tx.flush()
    return answer as { key?: string; orgNo?: string }
  }
  const rowOf = (merchantNo: string) =>
    tx.one(sql<Row>`select merchant_no, version, enabled from merchant where merchant_no = ${merchantNo}`)
  const versioned = async (merchantNo: string) => ({ merchantNo, version: (await rowOf(merchantNo)).version })
  const takes = async (no: string, trafficLimit: number, filter: object) => {
    await act(merchant.traffic, { ...(await versioned(no)), trafficLimit, registerAllowed: trafficLimit !== 0 })
    await act(merchant.filterSave as Endpoint, { ...(await versioned(no)), ...off, ...filter })
  }
  const held = await tx.rows(
    sql<{ merchantNo: keyof typeof lending; merchantName: string; orgNo: string; appName: string }>`
      select merchant_no, merchant_name, org_no, app_name from merchant order by merchant_no`,
  )
  for (const { merchantNo, merchantName, orgNo, appName } of held) {
    const { ends, trafficLimit, filter, ...known } = lending[merchantNo]
    await act(merchant.save, {
      ...(await versioned(merchantNo)),
      ...known,
      merchantName,
      brandName: merchantName,
      orgNo,
      licenceExpiry: addDays(tx.today, ends),
      supportEmail: `help@${appName.toLowerCase()}.ug`,
    })
    await takes(merchantNo, trafficLimit, filter)
  }
  await act(merchant.companyAdd, { companyCode: 'PEARL', companyName: 'Pearl Finance' })
  const orgs = new Map<string, string>()
  for (const orgName of ['Jinja', 'Mbarara']) {
    const orgType = orgName === 'Jinja' ? 'lender' : 'partner'
    const { orgNo } = await act(merchant.organizationAdd, { companyCode: 'PEARL', orgName, orgType })
    orgs.set(orgName, String(orgNo))
  }
  for (const { name, app, org, trafficLimit, ends, standing } of further) {
    const { key } = await act(merchant.add, {
      merchantName: name,
      brandName: name,
      orgNo: orgs.get(org),
      legalName: `${name} Limited`,
      licenceNo: `UMRA/TIER4/0${300 + ends}`,
      licenceExpiry: addDays(tx.today, ends),
      physicalAddress: `Main Street, ${org}`,
      supportEmail: `help@${app.toLowerCase()}.ug`,
      appName: app,
    })
    await takes(String(key), trafficLimit, {})
    if (standing === 'disabled') continue
    // What two people agree to elsewhere happened before the demo begins.
    const on = await transition(tx, config.machine, await rowOf(String(key)), { event: 'item.enable' }, system('demo'))
    if (standing === 'drain')
      await transition(tx, config.machine, on, { event: 'item.update', set: { drain: true } }, system('demo'))
    await tx.flush()
  }
}
