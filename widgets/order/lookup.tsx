import { type FormEvent, useId, useState } from 'react'
import { orderPath } from '../../core/contract/pages.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button, Text, TextField } from '../../core/ui/basics.ts'

/** Goes to an order by its number, on the screen that is open. */
export const Lookup = ({ given = '' }: { given?: string }) => {
  const t = useText()
  const host = useHost()
  const id = useId()
  const [orderNo, setOrderNo] = useState(given)
  const go = (event: FormEvent) => {
    event.preventDefault()
    const query = { orderNo: orderNo.trim() }
    if (query.orderNo) host.emit('mkopo-navigate', { to: host.path ?? orderPath, query, target: 'same' })
  }
  return (
    <form className="mk-lookup" onSubmit={go}>
      <div className="mk-field">
        <Text as="label" size="2" htmlFor={id}>
          {t('fields.orderNo')}
        </Text>
        <TextField.Root
          id={id}
          value={orderNo}
          maxLength={40}
          autoFocus
          onChange={event => setOrderNo(event.target.value)}
        />
      </div>
      <Button type="submit" disabled={!orderNo.trim()}>
        {t('order.openOrder')}
      </Button>
    </form>
  )
}
