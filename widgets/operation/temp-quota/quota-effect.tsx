import { useRef, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { tempQuota } from '../../../core/contract/operation/temp-quota.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { Put } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { customersOfFile } from './customer-file.ts'

/** Takes the customers of a file into the form, where they can be looked at before they are sent. */
const FromFile = ({ put }: { put: Put }) => {
  const t = useText()
  const [name, setName] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    setName(file.name)
    put('customers', customersOfFile(await file.text()).join('\n'))
    put('userGroupNo', undefined)
  }
  return (
    <Flex direction="column" gap="1" align="start">
      <Text size="2">{t('quota.fromFile')}</Text>
      <Flex gap="2" align="center">
        <Button type="button" size="1" variant="soft" onClick={() => box.current?.click()}>
          {t('common.choose')}
        </Button>
        <Text size="1" color="gray" aria-live="polite">
          {name}
        </Text>
      </Flex>
      <input
        ref={box}
        hidden
        type="file"
        aria-label={t('quota.fromFile')}
        accept=".csv,.txt,text/csv,text/plain"
        onChange={event => void read(event.target.files?.[0])}
      />
    </Flex>
  )
}

/** What a task comes to: how many customers, how much more lending, who is left out and why, and what the merchant may still pay out. */
export const QuotaEffect = ({ put, ...values }: Readonly<Record<string, unknown>> & { put: Put }) => {
  const t = useText()
  const { merchantNo, quotaAmount, customers, userGroupNo } = values
  const whole = tempQuota.effect.input.safeParse({
    ...{ merchantNo, quotaAmount },
    ...(customers ? { customers } : {}),
    ...(userGroupNo ? { userGroupNo } : {}),
  })
  const { data } = useRead(tempQuota.effect, whole.success ? whole.data : null)
  const list = data?.leftOut.map(({ failReason, count }) => `${t(`dict.QUOTA_FAIL.${failReason}`)} ${count}`).join(', ')
  return (
    <>
      <FromFile put={put} />
      {data && (
        <Callout.Root size="1" color={data.found === 0 ? 'amber' : 'gray'} role="status">
          <Callout.Text>
            {t('quota.effect', { n: data.found, total: formatMoney(data.totalAmount) })}
            {list && ` · ${t('quota.leftOut', { list })}`}
            {data.limitLeft !== null && ` · ${t('quota.effectLeft', { left: formatMoney(data.limitLeft) })}`}
          </Callout.Text>
        </Callout.Root>
      )}
    </>
  )
}
