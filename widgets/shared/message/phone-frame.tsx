import type { ReactNode } from 'react'
import type { MeasuredText } from '../../../core/contract/operation/message-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Callout, Flex, Text } from '../../../core/ui/basics.ts'
import sheet from './phone.css?sheet'

/** A text with the characters marked that make it dear. */
const marked = (text: string, forced: readonly string[]): ReactNode => {
  if (forced.length === 0) return text
  const letters = [...text]
  // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a text have no other identity
  return letters.map((letter, at) => (forced.includes(letter) ? <mark key={at}>{letter}</mark> : letter))
}

/** A message as a phone shows it. */
export const PhoneFrame = ({
  from,
  title,
  text,
  forced = [],
}: {
  from: string
  title?: string | null
  text: string
  forced?: readonly string[]
}) => {
  useSheet(sheet)
  return (
    <div className="mk-phone">
      <div className="mk-phone-head">
        <Text size="1" color="gray">
          {from}
        </Text>
      </div>
      <div className="mk-phone-text" data-forced={forced.length > 0 || undefined}>
        {title && (
          <Text as="div" size="2" weight="bold">
            {title}
          </Text>
        )}
        <Text size="2">{marked(text, forced)}</Text>
      </div>
    </div>
  )
}

/** A text as it was measured; one of a text message alone has no title. */
export type Measure = Omit<MeasuredText, 'title'> & { title?: string | null }

/** How long a text is, in how many parts it goes and what it costs, and what makes it dear. */
export const TextMeasure = ({ of }: { of: Measure }) => {
  const t = useText()
  const { encoding, length, room, segments, forced, cost } = of
  if (segments === null || room === null || encoding === null)
    return <Text size="2">{t('messageTemplate.letters', { n: length })}</Text>
  return (
    <Flex direction="column" gap="1" role="status">
      <Text size="2">
        {t('messageTemplate.measure', { n: segments, length, room, encoding: dictText(t, 'SMS_ENCODING', encoding) })}
      </Text>
      <Text size="2" color="gray">
        {cost === null ? t('messageTemplate.noCost') : t('messageTemplate.cost', { cost: formatMoney(cost) })}
      </Text>
      {forced.length > 0 && (
        <Text size="2" color="amber">
          {t('messageTemplate.forced', { letters: forced.join(' ') })}
        </Text>
      )}
    </Flex>
  )
}

/** What keeps a text from being enabled. */
export const TextFlaws = ({ of: { flaws, words } }: { of: Measure }) => {
  const t = useText()
  const said = [
    ...flaws.map(({ reason, params }) => t(reason as Key, params)),
    ...(words.length ? [t('errors.sensitiveWord', { word: words.map(({ word }) => word).join(', ') })] : []),
  ]
  if (said.length === 0) return null
  return (
    <Callout.Root color="amber" size="1" role="status">
      {said.map(one => (
        <Callout.Text key={one}>{one}</Callout.Text>
      ))}
    </Callout.Root>
  )
}

/** A text as its reader sees it, what it takes, and what is wrong with it. */
export const MeasuredPreview = ({ of, from }: { of: Measure; from: string }) => (
  <Flex direction="column" gap="3">
    <PhoneFrame from={from} title={of.title ?? null} text={of.messageText} forced={of.forced} />
    <TextMeasure of={of} />
    <TextFlaws of={of} />
  </Flex>
)
