import { common } from '../../core/contract/common/common.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { hotline, hotlines } from '../../core/contract/operation/hotline.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { ArrangeDialog, ContactPage } from './hotline/contact-page.tsx'

type Row = ConfigRow<typeof hotlines>

const Merchant = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

/** What customers see instead, once a contact is off. */
const off = ([row]: readonly Row[]) => {
  const { contactValue = '', nextContact = null, usedCount = 0, hotlineType, appCodes = [] } = row ?? {}
  const params = { contactValue, apps: appCodes.join(', '), n: usedCount }
  return nextContact !== null && hotlineType === 'phone'
    ? { key: 'hotline.confirmDisableNext' as const, params: { ...params, next: nextContact } }
    : { key: 'hotline.confirmDisable' as const, params }
}

/** Operations staff keep the phone lines, WhatsApp numbers and addresses under which customers of each app reach us. */
export default configScreen({
  config: hotlines,
  filters: ['merchantNo', 'appCode', 'hotlineType', 'complaint'],
  columns: [
    'displayName',
    'hotlineType',
    'contactValue',
    { id: 'merchantName', cell: (row: Row) => <Merchant name={row.merchantName} /> },
    'appCodes',
    'languages',
    'workDays',
    { id: 'opensAt', label: 'hotline.hours', cell: (row: Row) => `${row.opensAt}–${row.closesAt}` },
    'openNow',
    'complaint',
    'sort',
  ],
  more: ['answeredHere', 'usedCount', 'hotlineNo'],
  settings: [
    'displayName',
    'hotlineType',
    'contactValue',
    'merchantName',
    'appCodes',
    'languages',
    'workDays',
    'opensAt',
    'closesAt',
    'complaint',
    'answeredHere',
    'sort',
    'usedCount',
  ],
  confirm: { enable: 'hotline.confirmEnable', disable: off, delete: 'hotline.confirmDelete' },
  toolbar: [
    { label: 'hotline.preview', needs: { perm: hotline.page.perm }, dialog: ContactPage },
    {
      label: 'hotline.sort',
      needs: { perm: hotline.arrange.perm, audit: hotline.arrange.audit },
      dialog: ArrangeDialog,
    },
  ],
  also: [common.merchants, common.apps, hotline.shown, hotline.arrange],
})
