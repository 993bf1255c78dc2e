import { useRead } from '../../../core/client/providers.tsx'
import { consumptionType } from '../../../core/contract/merchant/consumption-type.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** The prices of a service in the order of time, those of single merchants behind the one for all. */
export const PriceLines = ({ typeNo }: { typeNo: string }) => {
  const t = useText()
  const read = useRead(consumptionType.prices, { typeNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={consumptionType.prices.output.shape.list.element}
          rows={list}
          rowKey="versionNo"
          names={['merchantName', 'unitPrice', 'effectiveTime', 'supersededTime']}
          cells={{ merchantName: row => row.merchantName ?? t('config.forAll') }}
          empty={t('consumptionType.noPrice')}
        />
      )}
    </Loaded>
  )
}

const isPrice = /^\d{1,9}(\.\d{1,4})?$/

const Simulated = ({ priceNo, unitPrice }: { priceNo: string; unitPrice: string }) => {
  const t = useText()
  const read = useRead(consumptionType.simulate, { priceNo, unitPrice }, { background: true })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={consumptionType.simulate.output.shape.list.element}
          rows={list}
          rowKey="merchantNo"
          names={['merchantName', 'quantity', 'before', 'after']}
          label={t('consumptionType.simulation')}
          empty={t('consumptionType.nothingUsed')}
        />
      )}
    </Loaded>
  )
}

/** The bill of the last 30 days at the price that is being typed. */
export const PriceSimulation = ({ priceNo, unitPrice }: { priceNo: string; unitPrice: string }) =>
  isPrice.test(unitPrice) ? <Simulated priceNo={priceNo} unitPrice={unitPrice} /> : null
