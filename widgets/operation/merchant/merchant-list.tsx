import { common } from '../../../core/contract/common/common.ts'
import { upload } from '../../../core/contract/common/upload.ts'
import { licenceDays, merchant, merchants } from '../../../core/contract/operation/merchant.ts'
import { useText } from '../../../core/element/i18n.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { Action, Screen } from '../../../core/engine/screen.ts'
import { Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { settingCalls } from '../../shared/business-config-dialog.tsx'
import { FilterTab, LicenceTab, StaffTab } from './merchant-tabs.tsx'
import type { MerchantRow, Place } from './place.ts'
import { changesOf, SignInPolicyDialog } from './place-dialogs.tsx'

const Traffic = ({ limit }: { limit: number }) => {
  const t = useText()
  if (limit < 0) return t('merchant.unlimited')
  return limit === 0 ? t('merchant.newOnly') : t('merchant.settledAtLeast', { n: limit })
}

const BrandNo = ({ no }: { no: string }) => (
  <span className="mk-key">
    {no}
    <CopyIcon value={no} />
  </span>
)

const Licence = ({ row }: { row: MerchantRow }) => {
  const { licenceExpiry, licenceLeft } = row
  if (licenceExpiry === null) return '–'
  return (
    <Text size="2" color={licenceLeft !== null && licenceLeft <= licenceDays ? 'red' : undefined}>
      {licenceExpiry}
    </Text>
  )
}

const stopping = ([row]: readonly MerchantRow[]) => ({
  key: 'merchant.confirmDisable' as const,
  params: { merchantName: row?.merchantName ?? '', n: row?.reviewCount ?? 0, loans: row?.loanCount ?? 0 },
})

const draining = ([row]: readonly MerchantRow[]) => ({
  key: row?.drain ? ('merchant.confirmRefill' as const) : ('merchant.confirmDrain' as const),
  params: { merchantName: row?.merchantName ?? '', n: row?.payoutCount ?? 0 },
})

const settings: Action<MerchantRow>[] = [
  {
    run: merchant.traffic,
    label: 'merchant.traffic',
    ask: ['trafficLimit', 'registerAllowed'],
    from: 'row',
    done: 'config.saved',
  },
  {
    run: merchant.conditionSave,
    label: 'merchant.condition',
    ask: ['minContacts', 'settledHours', 'noOverdue'],
    from: 'row',
    done: 'config.saved',
  },
  {
    run: merchant.filterSave,
    label: 'merchant.filter',
    ask: ['refusedHere', 'refusedHereDays', 'openOrder', 'sameDevice', 'sameAccount'],
    from: 'row',
    done: 'config.saved',
  },
  { run: merchant.logo, label: 'merchant.logo', ask: ['logo'], done: 'config.saved' },
  {
    run: merchant.drain,
    label: 'merchant.drain',
    tone: 'danger',
    when: row => row.enabled === 'enabled' || 'merchant.onlyEnabled',
    input: ([row]) => ({ merchantNo: row?.merchantNo, version: row?.version, drain: !row?.drain }),
    confirm: draining,
    done: 'config.sentForApproval',
  },
]

/** What is made or changed of the branch that the list stands in. */
const branchActions = (place: Place): Action<never>[] => {
  const company: Action<never> = {
    run: merchant.companyAdd,
    label: 'merchant.newCompany',
    ask: ['companyCode', 'companyName'],
    done: 'config.saved',
  }
  const policy: Action<never> = {
    label: 'merchant.signInPolicy',
    needs: { perm: merchant.page.perm },
    dialog: SignInPolicyDialog,
  }
  if (place.is === 'all') return [company, policy]
  const { companyCode } = place
  const changed: Action<never> = {
    label: 'merchant.branchChanges',
    needs: { perm: common.auditLog.perm },
    dialog: changesOf(place),
  }
  const add: Action<never> = {
    run: merchant.organizationAdd,
    label: 'merchant.newOrganization',
    ask: ['orgName', 'orgType'],
    input: () => ({ companyCode, ...(place.is === 'organization' ? { parentOrgNo: place.orgNo } : {}) }),
    done: 'config.saved',
  }
  if (place.is === 'company')
    return [
      add,
      {
        run: merchant.companyUpdate,
        label: 'merchant.editCompany',
        ask: ['companyName'],
        from: () => ({ companyName: place.companyName }),
        input: () => ({ companyCode, version: place.version }),
        done: 'config.saved',
      },
      changed,
    ]
  return [
    add,
    {
      run: merchant.organizationUpdate,
      label: 'merchant.editOrganization',
      ask: ['orgName', 'orgType'],
      from: () => ({ orgName: place.orgName, orgType: place.orgType }),
      input: () => ({ orgNo: place.orgNo, version: place.version }),
      done: 'config.saved',
    },
    policy,
    changed,
  ]
}

const startOf = (place: Place) =>
  place.is === 'company'
    ? { companyCode: place.companyCode }
    : place.is === 'organization'
      ? { orgNo: place.orgNo }
      : {}

/** Who the merchant is, whom it takes, and until when it may lend. */
const columns = [
  'merchantName',
  { id: 'number', label: 'merchant.number', cell: (row: MerchantRow) => <BrandNo no={row.merchantNo} /> },
  'brandName',
  'orgName',
  'companyName',
  'appCodes',
  { id: 'trafficLimit', cell: (row: MerchantRow) => <Traffic limit={row.trafficLimit} /> },
  'registerAllowed',
  'licenceNo',
  { id: 'licenceExpiry', cell: (row: MerchantRow) => <Licence row={row} /> },
  'peopleCount',
  'openOrderCount',
  'drain',
] as const

/** What the first tab of the drawer shows. */
const shown = [
  'merchantNo',
  'merchantName',
  'brandName',
  'orgName',
  'companyName',
  'appCodes',
  'trafficLimit',
  'registerAllowed',
  'minContacts',
  'settledHours',
  'noOverdue',
  'drain',
  'openOrderCount',
  'reviewCount',
  'loanCount',
  'payoutCount',
] as const

/** The merchants of a branch of the tree. */
export const listOf = (place: Place): Screen =>
  configScreen({
    config: merchants,
    start: startOf(place),
    filters: ['merchantName', 'orgNo', 'drain', 'licenceWithin'],
    columns,
    more: ['legalName', 'supportEmail', 'physicalAddress', 'reviewCount', 'loanCount', 'payoutCount'],
    settings: shown,
    tabs: [
      { name: 'licence', label: 'merchant.licence', body: row => <LicenceTab row={row} /> },
      { name: 'filter', label: 'merchant.filter', body: row => <FilterTab row={row} /> },
      { name: 'staff', label: 'merchant.staff', body: row => <StaffTab row={row} /> },
    ],
    presets: [{ label: 'merchant.licenceEnding', filters: { licenceWithin: '60' } }],
    confirm: { enable: 'merchant.confirmEnable', disable: stopping, delete: 'merchant.confirmDelete' },
    toolbar: branchActions(place),
    row: settings,
    also: [
      ...settings.flatMap(one => ('run' in one ? [one.run] : [])),
      merchant.companyAdd,
      merchant.companyUpdate,
      merchant.organizationAdd,
      merchant.organizationUpdate,
      merchant.staff,
      merchant.filters,
      common.organizations,
      common.auditLog,
      ...settingCalls,
      upload.token,
      upload.chunk,
      upload.complete,
      upload.file,
    ],
  })
