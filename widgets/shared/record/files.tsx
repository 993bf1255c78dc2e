import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Attachments, useAttachments } from '../attachments.tsx'

type Props = { objectType: Parameters<typeof useAttachments>[0]; objectNo: string }

/** The files that go with a record. */
export const Files = ({ objectType, objectNo }: Props) => {
  const t = useText()
  const { data } = useAttachments(objectType, objectNo)
  if (!data?.list.length) return null
  return (
    <Section title={t('fields.attachNos')}>
      <Attachments list={data.list} />
    </Section>
  )
}
