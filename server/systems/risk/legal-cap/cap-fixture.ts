import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import type { Fixture } from '../../../testing/facts.ts'

const { legalCap } = contract
export type CapKey = 'interest_month' | 'interest_year' | 'default_charges'
export type Cap = { capValue: string; capMode: 'off' | 'warn' | 'enforce' }

/** What a version of a cap holds. */
export const capOf = ({ capValue, capMode }: Cap) => ({
  capValue,
  capMode,
  capBase: 'principal' as const,
  feeTreatment: 'interestOnly' as const,
  legalSource: 'Draft guidelines',
})

/** A cap of the law, there is one of each kind; a new one asks nothing. */
export const capNoOf = async (fixture: Fixture, capKey: CapKey): Promise<string> => {
  const [there] = await fixture.rows(
    sql<{ no: string }>`select cap_no as no from legal_cap where cap_key = ${capKey} and deleted_time is null`,
  )
  if (there) return there.no
  const made = await done(fixture, legalCap.save, { capKey, ...capOf({ capValue: '60', capMode: 'off' }) })
  return String(made.key)
}

/** The version of a cap that is not in force yet. */
export const openCap = (capNo: string) => sql<{ versionNo: string; version: number }>`
  select version_no, version from legal_cap_version
  where cap_no = ${capNo} and version_status in ('draft', 'rejected', 'scheduled') order by created_time desc limit 1`

/** Keeps what is drafted of a cap. */
export const saveCap = async (fixture: Fixture, capKey: CapKey, cap: Cap) => {
  const capNo = await capNoOf(fixture, capKey)
  const [draft] = await fixture.rows(openCap(capNo))
  await done(fixture, legalCap.versionSave, { capNo, ...draft, ...capOf(cap) })
  return fixture.one(openCap(capNo))
}

/** Sends it to a second person; in so many days it starts. */
export const submitCap = async (fixture: Fixture, capKey: CapKey, cap: Cap, days = 0): Promise<string> => {
  const { versionNo, version } = await saveCap(fixture, capKey, cap)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'as the regulator says', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, legalCap.versionSubmit, input)).approvalNo)
}

/** Two people put a cap in force. */
export const enforceCap = async (fixture: Fixture, capKey: CapKey, cap: Cap): Promise<void> =>
  void (await fixture.agree(await submitCap(fixture, capKey, cap)))
