import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { marketProduct } from '../../../core/contract/supermarket/market-product.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { AppOrder } from '../../shared/app-order.tsx'

/** Puts the products that an app shows into their order. */
export const OrderDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const [app, setApp] = useState<string>()
  const input = {
    appCode: app ?? '',
    productStatus: ['online' as const],
    sort: 'sort' as const,
    pageSize: 100 as const,
  }
  const { data } = useRead(marketProduct.page, app === undefined ? null : input)
  return (
    <AppOrder
      title={t('market.sort')}
      words={{ up: 'market.up', down: 'market.down' }}
      app={app}
      choose={setApp}
      lines={(data?.list ?? []).map(one => ({ value: one.marketProductNo, label: one.marketProductName }))}
      command={marketProduct.arrange as Endpoint}
      input={(appCode, marketProductNos) => ({ appCode, marketProductNos })}
      close={close}
    />
  )
}
