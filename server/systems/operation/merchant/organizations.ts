import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type CompanyNode, licenceDays, type OrganizationNode } from '../../../../core/contract/operation/merchant.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { seenBy } from './merchant-source.ts'

const { merchant } = contract
type OrgRow = OrganizationNode & { companyCode: string }

/** Companies and organizations concern every merchant below them: headquarters keeps them. */
const requireHeadquarters = (session: Session) => {
  if (!session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
}

const once = async <T>(field: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    const name = violatedConstraint(error)
    if (name === 'company_pkey' || name === 'company_code_any') throw invalid('companyCode', 'errors.dataExists')
    if (name === 'company_name' || name === 'org_name_level') throw invalid(field, 'errors.dataExists')
    throw error
  }
}

/** Who may see every merchant sees empty branches too; others see the branches of theirs. */
const tree = serve(merchant.tree, async ({ tx, session }) => {
  const all = limitFor(session, merchant.tree.perm) === 'all' && !session.onlyMerchants
  const orgs = await tx.rows(sql<OrgRow>`
    with recursive held as (
      select o.* from org o where ${all} or o.org_no in (select x.org_no from merchant x where x.deleted_time is null and ${seenBy(session)})
      union select o.* from org o join held h on o.org_no = h.parent_org_no)
    select h.org_no, h.org_name, h.org_type, h.parent_org_no, h.version, h.company_code,
      coalesce((select json_agg(json_build_object('merchantNo', x.merchant_no, 'merchantName', x.merchant_name, 'enabled', x.enabled = 'enabled',
        'licenceEnding', coalesce(x.licence_expiry <= ${addDays(tx.today, licenceDays)}, false)) order by x.merchant_name, x.merchant_no)
        from merchant x where x.org_no = h.org_no and x.deleted_time is null and ${seenBy(session)}), '[]') as child_set
    from held h order by h.org_name, h.org_no`)
  const companies = await tx.rows(sql<CompanyNode>`
    select company_name, company_code, version from company
    where ${all} or company_code = any(${[...new Set(orgs.map(one => one.companyCode))]}) order by company_name, company_code`)
  const ofCompany = (code: string, parent: string | null): OrganizationNode[] =>
    orgs
      .filter(one => one.companyCode === code && one.parentOrgNo === parent)
      .flatMap(({ companyCode: _, ...one }) => [one, ...ofCompany(code, one.orgNo)])
  return { list: companies.map(one => ({ ...one, childList: ofCompany(one.companyCode, null) })) }
})

const companyAdd = serve(merchant.companyAdd, async ({ tx, input, actor, session, audit }) => {
  requireHeadquarters(session)
  const { companyCode, companyName } = input
  await once('companyName', () =>
    tx.exec(
      sql`insert into company (company_code, company_name, updated_by, updated_time) values (${companyCode}, ${companyName}, ${actor.no}, ${tx.now})`,
    ),
  )
  audit({ objectType: 'company', objectNo: companyCode, after: { companyName } })
  return { version: 0 }
})

const companyUpdate = serve(merchant.companyUpdate, async ({ tx, input, actor, session, audit }) => {
  requireHeadquarters(session)
  const { companyCode, companyName } = input
  const row = await tx.maybe(
    sql<{
      companyName: string
      version: number
    }>`select company_name, version from company where company_code = ${companyCode} for update`,
  )
  if (!row) throw notFound()
  checkVersion(row, input.version)
  await once('companyName', () =>
    tx.exec(
      sql`update company set company_name = ${companyName}, version = version + 1, updated_by = ${actor.no}, updated_time = ${tx.now} where company_code = ${companyCode}`,
    ),
  )
  audit({
    objectType: 'company',
    objectNo: companyCode,
    before: { companyName: row.companyName },
    after: { companyName },
  })
  return { version: row.version + 1 }
})

type Org = { orgName: string; orgType: string; companyCode: string; version: number }
const lockOrg = async (tx: Tx, orgNo: string): Promise<Org | undefined> =>
  tx.maybe(sql<Org>`select org_name, org_type, company_code, version from org where org_no = ${orgNo} for update`)

const organizationAdd = serve(merchant.organizationAdd, async ({ tx, input, actor, session, audit }) => {
  requireHeadquarters(session)
  const { companyCode, parentOrgNo, orgName, orgType } = input
  const company = await tx.maybe(sql`select 1 from company where company_code = ${companyCode}`)
  if (!company) throw invalid('companyCode', 'validation.wrongValue')
  const parent = parentOrgNo === undefined ? undefined : await lockOrg(tx, parentOrgNo)
  if (parentOrgNo !== undefined && parent?.companyCode !== companyCode)
    throw invalid('parentOrgNo', 'validation.wrongValue')
  const orgNo = newNo('OG', tx.now)
  await once('orgName', () =>
    tx.exec(sql`
      insert into org (org_no, org_name, parent_org_no, company_code, org_type, updated_by, updated_time)
      values (${orgNo}, ${orgName}, ${parentOrgNo ?? null}, ${companyCode}, ${orgType}, ${actor.no}, ${tx.now})`),
  )
  audit({
    objectType: 'org',
    objectNo: orgNo,
    after: { companyCode, parentOrgNo: parentOrgNo ?? null, orgName, orgType },
  })
  return { orgNo, version: 0 }
})

const organizationUpdate = serve(merchant.organizationUpdate, async ({ tx, input, actor, session, audit }) => {
  requireHeadquarters(session)
  const { orgNo, orgName, orgType } = input
  const row = await lockOrg(tx, orgNo)
  if (!row) throw notFound()
  checkVersion(row, input.version)
  await once('orgName', () =>
    tx.exec(sql`
      update org set org_name = ${orgName}, org_type = ${orgType}, version = version + 1, updated_by = ${actor.no}, updated_time = ${tx.now}
      where org_no = ${orgNo}`),
  )
  audit({
    objectType: 'org',
    objectNo: orgNo,
    before: { orgName: row.orgName, orgType: row.orgType },
    after: { orgName, orgType },
  })
  return { version: row.version + 1 }
})

/** The companies and organizations that merchants stand in. */
export const organizationCalls = [tree, companyAdd, companyUpdate, organizationAdd, organizationUpdate]
