import { useState } from 'react'
import { useClient } from '../../../core/client/providers.tsx'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import type { FlowRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { formatMoney, parseMoneyInput } from '../../../core/rules/amount.ts'
import { shortTime } from '../../../core/rules/time.ts'
import { Button, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'

const waiting = ['available', 'partly_used'] as const

/** What was typed or pasted, as the filter it means: an amount, a phone, or a serial number. */
const filterOf = (text: string) => {
  if (/^256\d{9}$/.test(text)) return { payerAccount: text }
  const amount = parseMoneyInput(text)
  return amount && text.length <= 12 ? { amount: [amount, amount] as [string, string] } : { serialNo: text }
}

/** Finds a receipt that waits, by serial number, amount or payer. */
export const FlowFinder = ({
  onPick,
  taken,
}: {
  onPick: (flow: FlowRow) => void
  taken: (flowNo: string) => boolean
}) => {
  const t = useText()
  const client = useClient()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly FlowRow[] | null>(null)
  const search = async () => {
    if (!text.trim()) return
    const answer = await client
      .call(repay.flows, { ...filterOf(text.trim()), flowStatus: [...waiting], pageSize: 10 })
      .catch(() => null)
    setFound(answer?.list ?? [])
  }
  return (
    <Flex direction="column" gap="1">
      <Flex gap="2">
        <TextField.Root
          size="1"
          className="mk-finder"
          value={text}
          placeholder={t('afterLoan.findFlow')}
          aria-label={t('afterLoan.findFlow')}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void search()
          }}
        >
          <TextField.Slot>
            <Icon name="search" size={12} />
          </TextField.Slot>
        </TextField.Root>
        <Button type="button" size="1" variant="soft" color="gray" onClick={() => void search()}>
          {t('common.search')}
        </Button>
      </Flex>
      <Flex gap="2" wrap="wrap" aria-live="polite">
        {found
          ?.filter(flow => !taken(flow.flowNo))
          .map(flow => (
            <Button key={flow.flowNo} type="button" size="1" variant="soft" onClick={() => onPick(flow)}>
              + {flow.serialNo} · UGX {formatMoney(flow.remaining)} · {shortTime(flow.entryTime)}
            </Button>
          ))}
        {found?.length === 0 && (
          <Text size="1" color="gray">
            {t('afterLoan.flowNotFound')}
          </Text>
        )}
      </Flex>
    </Flex>
  )
}
