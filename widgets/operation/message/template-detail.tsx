import { useRead } from '../../../core/client/providers.tsx'
import { type MessageTemplateRow, messageTemplates } from '../../../core/contract/operation/message-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { MeasuredPreview } from '../../shared/message/phone-frame.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const facts = [
  ...['templateName', 'nodeName', 'pointCode', 'channelType', 'contactType', 'language', 'appCode', 'merchantName'],
  ...['sentIn7Days', 'deliveredRate', 'templateVersion', 'updatedBy', 'updatedTime'],
]

/** Its status beside the number. */
export const templateHead = (row: MessageTemplateRow) => (
  <>
    <Dict dict="TEMPLATE_STATUS" value={row.templateStatus} />
    <Text size="2" truncate>
      {row.templateName}
    </Text>
  </>
)

/** One text: as its reader sees it, where it is used, and its versions. */
export const TemplateDetail = ({ row }: { row: MessageTemplateRow }) => {
  const t = useText()
  const read = useRead(messageTemplates.detail, { templateNo: row.templateNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ row: shown, measured, versions }) => (
        <>
          <Section title={t('messageTemplate.text')}>
            <MeasuredPreview of={measured} from={shown.appCode ?? t('messageTemplate.sender')} />
          </Section>
          <Section title={t('messageTemplate.place')}>
            <Facts schema={messageTemplates.page.row} value={shown} names={facts} />
          </Section>
          <Section title={t('messageTemplate.versions')}>
            <SmallTable
              schema={messageTemplates.detail.output.shape.versions.element}
              rows={versions}
              rowKey="templateVersion"
              names={['templateVersion', 'content', 'enabledBy', 'enabledTime']}
              empty={t('messageTemplate.neverEnabled')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** The texts that nodes in force lack, by channel and language. */
export const GapsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const read = useRead(messageTemplates.gaps, {})
  return (
    <ModalDialog open wide onClose={() => close()} title={t('actions.templateGaps')} footer={<DialogCancel />}>
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={messageTemplates.gaps.output.shape.list.element}
            rows={list}
            rowKey="gapNo"
            names={['pointCode', 'nodeName', 'channelType', 'language']}
            empty={t('messageTemplate.noGaps')}
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}
