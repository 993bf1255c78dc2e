import { useRead } from '../../core/client/providers.tsx'
import { autoWriteOff, autoWriteOffs } from '../../core/contract/after-loan/auto-write-off.ts'
import { common } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { moneyFormat } from '../../core/rules/text/formats.ts'
import { Hint } from './rule/hint.tsx'
import { placeColumns } from './rule/place-cells.tsx'

type Values = Record<string, unknown>

const money = (value: unknown) => (typeof value === 'string' && moneyFormat.test(value) ? value : null)

/** The orders that the limits of the form would let be settled now. */
const Simulation = ({ merchantNo, productNo, shortfallLimit, principalLimit }: Values) => {
  const t = useText()
  const [most, ofPrincipal] = [money(shortfallLimit), money(principalLimit)]
  const place = {
    ...(typeof merchantNo === 'string' ? { merchantNo } : {}),
    ...(typeof productNo === 'string' ? { productNo } : {}),
  }
  const asked = most && ofPrincipal ? { ...place, shortfallLimit: most, principalLimit: ofPrincipal } : null
  const { data } = useRead(autoWriteOff.simulate, asked)
  if (!asked || !data) return null
  const { orders, waived, principal } = data
  return (
    <Hint>
      {t('autoWriteOff.simulation', {
        most: formatMoney(asked.shortfallLimit),
        n: orders,
        waived: formatMoney(waived),
        principal: formatMoney(principal),
      })}
    </Hint>
  )
}

/** The finance lead says how far a receipt may miss the amount due and still settle an order, without anybody being asked. */
export default configScreen({
  config: autoWriteOffs,
  filters: ['merchantNo'],
  columns: [
    ...placeColumns,
    'shortfallLimit',
    'principalLimit',
    'overflowLimit',
    'autoPartial',
    'autoExtension',
    'usedLately',
    'waivedLately',
  ],
  more: ['configNo'],
  settings: [
    'configNo',
    'merchantName',
    'productName',
    'shortfallLimit',
    'principalLimit',
    'overflowLimit',
    'autoPartial',
    'autoExtension',
    'usedLately',
    'waivedLately',
  ],
  confirm: {
    enable: 'autoWriteOff.confirmEnable',
    disable: 'autoWriteOff.confirmDisable',
    delete: 'autoWriteOff.confirmDelete',
  },
  preview: values => <Simulation {...values} />,
  also: [common.merchants, common.products, autoWriteOff.simulate],
})
