import { useRead } from '../../../core/client/providers.tsx'
import { type Attempt, type VerifyCodeRow, verifyCode } from '../../../core/contract/operation/verify-code.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** Where the code and its text stand. */
export const codeHead = (row: VerifyCodeRow) => (
  <>
    <Dict dict="VERIFY_CODE_STATUS" value={row.codeStatus} />
    <Dict dict="MESSAGE_STATUS" value={row.messageStatus} />
  </>
)

const facts = ['sendTime', 'phone', 'channelType', 'scene', 'appCode', 'merchantName', 'tries', 'ip', 'nextVendor']

/** One text with what its vendor answered, step by step. */
const One = ({ attempt }: { attempt: Attempt }) => {
  const t = useText()
  const { vendorName, scene, createdTime, messageStatus, steps } = attempt
  return (
    <Section
      title={`${eatDateTime(createdTime)} · ${vendorName ?? '–'} · ${dictText(t, 'VERIFY_SCENE', scene)}`}
      aside={<Dict dict="MESSAGE_STATUS" value={messageStatus} />}
    >
      <Facts
        schema={verifyCode.attempts.output.shape.list.element}
        value={attempt}
        names={['codeNo', 'codeStatus', 'senderId', 'segments', 'deliverySeconds', 'failReason']}
      />
      <SmallTable
        schema={verifyCode.attempts.output.shape.list.element.shape.steps.element}
        rows={steps}
        rowKey="at"
        names={['at', 'toState', 'said']}
        empty="–"
      />
    </Section>
  )
}

/** What was sent to the phone of a code within a day, by which vendors, and what became of it. */
export const CodeAttempts = ({ row }: { row: VerifyCodeRow }) => {
  const t = useText()
  const read = useRead(verifyCode.attempts, { codeNo: row.codeNo }, { follows: true })
  return (
    <>
      <Section title={t('fields.codeNo')}>
        <Facts schema={verifyCode.page.row} value={row} names={facts} />
        <Text as="p" size="1" color="gray">
          {t('verifyCode.fixed')}
        </Text>
      </Section>
      <Loaded read={read}>
        {({ list, sentInHour, perHour, liftedUntil }) => (
          <>
            <Section title={t('verifyCode.attempts')}>
              <Flex gap="3" wrap="wrap">
                <Text size="2">{t('verifyCode.hourCount', { n: sentInHour, max: perHour })}</Text>
                {liftedUntil && (
                  <Text size="2">{t('verifyCode.lifted', { time: eatDateTime(liftedUntil).slice(0, 16) })}</Text>
                )}
                {list.length === 0 && <Text size="2">{t('verifyCode.none')}</Text>}
              </Flex>
            </Section>
            {list.map(attempt => (
              <One key={attempt.messageNo} attempt={attempt} />
            ))}
          </>
        )}
      </Loaded>
    </>
  )
}
