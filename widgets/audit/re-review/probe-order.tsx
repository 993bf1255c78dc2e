import { type FormEvent, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { reReviewRule } from '../../../core/contract/audit/re-review-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { Loaded } from '../../shared/loaded.tsx'

const Result = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(reReviewRule.probe, { orderNo })}>
      {({ eligible, ineligibleReason, ruleNo }) => (
        <Flex gap="2" align="center" role="status">
          <StatusBadge
            tone={eligible ? 'good' : 'attention'}
            label={
              ineligibleReason === null ? t('reReviewRule.yes') : t(`dict.RE_REVIEW_INELIGIBLE.${ineligibleReason}`)
            }
          />
          {ruleNo && (
            <Text size="1" color="gray">
              {t('reReviewRule.by', { no: ruleNo })}
            </Text>
          )}
        </Flex>
      )}
    </Loaded>
  )
}

/** Asks for one order whether it may be asked for now, and by which rule. */
export const ProbeOrder = () => {
  const t = useText()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    setAsked(text.trim())
  }
  return (
    <form onSubmit={ask}>
      <Flex direction="column" gap="2">
        <Text as="label" htmlFor="probe-order" size="1" color="gray">
          {t('reReviewRule.testHint')}
        </Text>
        <Flex gap="2">
          <TextField.Root
            id="probe-order"
            value={text}
            maxLength={40}
            onChange={event => setText(event.currentTarget.value)}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            {t('reReviewRule.test')}
          </Button>
        </Flex>
        {asked && <Result key={asked} orderNo={asked} />}
      </Flex>
    </form>
  )
}
