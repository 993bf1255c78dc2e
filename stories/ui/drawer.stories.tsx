import type { Meta } from '@storybook/web-components-vite'
import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { Button } from '../../core/ui/basics.ts'
import { Drawer } from '../../core/ui/overlay/drawer.tsx'
import { act, pressFirst } from '../act.ts'
import { orderNo } from '../fixtures/order.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Drawer' } satisfies Meta

const Record = ({ footer }: { footer?: boolean }) => {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <>
      <Button onClick={() => setShown(true)}>{t('order.openDetail')}</Button>
      <Drawer
        open={shown}
        onClose={() => setShown(false)}
        title={<span className="mk-key">{orderNo}</span>}
        summary={
          <>
            <Dict dict="ORDER_STATUS" value="pending_review" />
            <span>UGX 400,000</span>
          </>
        }
        footer={footer && <Button>{t('actions.allot')}</Button>}
      >
        <p>{t('order.strip')}</p>
      </Drawer>
    </>
  )
}

export const Closed = part(() => <Record />)
/** The record’s key, status and main amount stand in its head; the list stays where it was. */
export const Opened = part(() => <Record />, { play: act(pressFirst) })
export const WithActions = part(() => <Record footer />, { play: act(pressFirst) })
