import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { legalCaps } from '../../../../core/contract/risk/legal-cap.ts'
import { done } from '../../../testing/acts.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { legalCap } = contract
const table = legalCaps.versionMachine?.table as string
const off = {
  capValue: '60',
  capBase: 'principal',
  feeTreatment: 'interestOnly',
  capMode: 'off',
  legalSource: 'Draft guidelines',
} as const

/** A cap that asks nothing: there is one of each kind. */
const added = async (fixture: Fixture): Promise<string> => {
  const [there] = await fixture.rows(
    sql<{ no: string }>`select cap_no as no from legal_cap where cap_key = 'default_charges' and deleted_time is null`,
  )
  return there?.no ?? String((await done(fixture, legalCap.save, { capKey: 'default_charges', ...off })).key)
}

const drafted = async (fixture: Fixture) => {
  const capNo = await added(fixture)
  const open = sql<{ versionNo: string; version: number }>`
    select version_no, version from ${sql.table(table)} where cap_no = ${capNo} and version_status in ('draft', 'rejected')`
  const [draft] = await fixture.rows(open)
  if (!draft) await done(fixture, legalCap.versionSave, { capNo, ...off })
  return fixture.one(open)
}

export default facts({
  approvals: [
    {
      action: 'legalCap.version',
      ask: async fixture => {
        const { versionNo, version } = await drafted(fixture)
        const input = { versionNo, version, reason: 'as the regulator says' }
        return String((await done(fixture, legalCap.versionSubmit, input)).approvalNo)
      },
    },
  ],
  lists: [{ list: legalCap.page, key: 'capNo', of: 'company', means: { waiting: (_, mine: boolean) => !mine } }],
  records: [{ fields: ['capNo'], table: 'legal_cap', key: 'cap_no', make: fixture => added(fixture) }],
  calls: Object.values(legalCap).map(call => ({ call: call as never, about: 'the law is the same for everybody' })),
})
