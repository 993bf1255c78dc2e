import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import {
  type AnnouncementDetail,
  type AnnouncementRecord,
  announcementManage,
} from '../../../core/contract/operation/announcement-manage.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { RichText } from '../../../core/engine/form/rich-text/rich-text.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Button, Text } from '../../../core/ui/basics.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import sheet from './announcement.css?sheet'

export const writtenIn = ['zh', 'en', 'sw'] as const
export type WrittenIn = (typeof writtenIn)[number]
export const ownNames: Record<WrittenIn, string> = { zh: '中文', en: 'English', sw: 'Kiswahili' }

type Texts = AnnouncementDetail['titles']
/** The language that a reader of another one gets: their own, else the first of sw, en, zh. */
const shownIn = (texts: Texts, language: WrittenIn): WrittenIn =>
  ([language, 'sw', 'en', 'zh'] as const).find(one => texts[one]) ?? language

/** An announcement as its readers see it, in each language. */
export const AnnouncementPreview = ({ of }: { of: AnnouncementDetail }) => {
  useSheet(sheet)
  const t = useText()
  const [language, setLanguage] = useState<WrittenIn>(t.language as WrittenIn)
  const [title, content] = [shownIn(of.titles, language), shownIn(of.contents, language)]
  return (
    <>
      <SegmentedControl.Root
        size="1"
        mb="3"
        value={language}
        aria-label={t('announcement.language')}
        onValueChange={next => setLanguage(next as WrittenIn)}
      >
        {writtenIn.map(one => (
          <SegmentedControl.Item key={one} value={one}>
            {ownNames[one]}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      {content !== language && (
        <Text as="p" size="1" color="gray" mb="2">
          {t('announcement.fallback', { language: ownNames[content] })}
        </Text>
      )}
      <article className="mk-notice-preview">
        <Text as="div" size="4" weight="bold" lang={title}>
          {of.titles[title]}
        </Text>
        <Text as="p" size="1" color="gray" mb="2">
          {t('shell.announcedBy', { name: of.createdName, time: eatDateTime(of.startTime) })}
        </Text>
        <RichText html={of.contents[content] ?? ''} lang={content} />
      </article>
    </>
  )
}

/** The same in a dialog. */
export const PreviewDialog = ({ rows: [row], close }: DialogProps<AnnouncementRecord>) => {
  const t = useText()
  const read = useRead(announcementManage.detail, { announcementNo: row.announcementNo })
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.previewAnnouncement')}
      footer={
        <Button variant="soft" color="gray" onClick={() => close()}>
          {t('common.close')}
        </Button>
      }
    >
      <Loaded read={read}>{of => <AnnouncementPreview of={of} />}</Loaded>
    </ModalDialog>
  )
}
