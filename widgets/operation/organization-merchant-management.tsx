import { useRead } from '../../core/client/providers.tsx'
import { type CompanyNode, merchant, type OrganizationNode } from '../../core/contract/operation/merchant.ts'
import { useText } from '../../core/element/i18n.ts'
import { Panes, type Part } from '../../core/engine/config/panes.tsx'
import { type Screen, screen } from '../../core/engine/screen.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { listOf } from './merchant/merchant-list.tsx'
import type { Place } from './merchant/place.ts'

const all = listOf({ is: 'all' })
const made = new Map<string, Screen>([['', all]])
/** The list of a branch; another one once the branch itself was changed. */
const screenOf = (key: string, place: Place): Screen => {
  const at = `${key} ${'version' in place ? place.version : ''}`
  const found = key === '' ? all : (made.get(at) ?? listOf(place))
  made.set(at, found)
  return found
}

const space = '\u2003'
const endingIn = (nodes: readonly OrganizationNode[]) =>
  nodes.reduce((sum, { childSet }) => sum + childSet.filter(one => one.licenceEnding).length, 0)
const sizeOf = (nodes: readonly OrganizationNode[]) => nodes.reduce((sum, { childSet }) => sum + childSet.length, 0)

/** An organization with those below it. */
const withBelow = (list: readonly OrganizationNode[], top: OrganizationNode): OrganizationNode[] => [
  top,
  ...list.filter(one => one.parentOrgNo === top.orgNo).flatMap(one => withBelow(list, one)),
]
const levelOf = (list: readonly OrganizationNode[], { parentOrgNo }: OrganizationNode): number => {
  const above = list.find(one => one.orgNo === parentOrgNo)
  return above ? levelOf(list, above) + 1 : 1
}

type Branch = { part: Part; place: Place }

const useBranches = () => {
  const t = useText()
  /** A short mark beside the name says that licences end; the hint says it in words. */
  const marked = (label: string, ending: number) => (ending > 0 ? `⚠ ${ending} · ${label}` : label)
  const hinted = (name: string, ending: number) =>
    ending > 0 ? `${name} · ${t('merchant.licencesEnding', { n: ending })}` : name
  return (companies: readonly CompanyNode[]): Branch[] =>
    companies.flatMap(({ companyCode, companyName, childList, version }): Branch[] => [
      {
        part: {
          name: `company:${companyCode}`,
          label: marked(companyName, endingIn(childList)),
          hint: hinted(companyName, endingIn(childList)),
          count: sizeOf(childList),
        },
        place: { is: 'company', companyCode, companyName, version },
      },
      ...childList.map((one): Branch => {
        const branch = withBelow(childList, one)
        const { orgNo, orgName, orgType } = one
        return {
          part: {
            name: orgNo,
            label: `${space.repeat(levelOf(childList, one))}${marked(orgName, endingIn(branch))}`,
            hint: hinted(orgName, endingIn(branch)),
            count: sizeOf(branch),
          },
          place: { is: 'organization', companyCode, orgNo, orgName, orgType, version: one.version },
        }
      }),
    ])
}

const ByPlace = () => {
  const t = useText()
  const branchesOf = useBranches()
  const read = useRead(merchant.tree, {}, { follows: true })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={8} />
  const branches = branchesOf(read.data.list)
  const everything = read.data.list.flatMap(one => one.childList)
  return (
    <Panes
      by="place"
      apart
      label={t('merchant.places')}
      parts={[
        { name: '', label: t('merchant.all'), count: sizeOf(everything) },
        ...branches.map(branch => branch.part),
      ]}
      screenOf={({ name }) => screenOf(name, branches.find(({ part }) => part.name === name)?.place ?? { is: 'all' })}
    />
  )
}

/** The operations head opens companies, organizations and lending brands, and decides which customers each brand takes. */
export default screen([...all.calls, merchant.tree], () => <ByPlace />)
