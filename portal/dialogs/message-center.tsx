import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import sheet from '../../core/engine/engine.css?sheet'
import { ExportEntries } from '../../core/engine/files/my-exports.tsx'
import { Tabs } from '../../core/ui/more.ts'
import { Drawer } from '../../core/ui/overlay/drawer.tsx'
import { Announcements } from './announcements.tsx'
import { Approvals } from './approvals.tsx'
import type { Tab } from './message-tabs.ts'
import { Notices } from './notices.tsx'

type Props = {
  /** Which one is shown first. */
  tab: Tab
  /** How many announcements are unread, and how many approvals wait for the reader. */
  announcements: number
  approvals: number
  close: () => void
  go: (path: string) => void
}

/** Files that were written for the reader, until they expire. */
const Files = () => {
  useSheet(sheet)
  return <ExportEntries />
}

/** The messages of a member of staff, and the requests that wait for their decision. */
export const MessageCenter = ({ tab, announcements, approvals, close, go }: Props) => {
  const t = useText()
  return (
    <Drawer open onClose={close} title={t('shell.messages')}>
      <Tabs.Root defaultValue={tab}>
        <Tabs.List size="1">
          <Tabs.Trigger value="notices">{t('shell.notices')}</Tabs.Trigger>
          <Tabs.Trigger value="announcements">
            {announcements ? `${t('shell.announcements')} (${announcements})` : t('shell.announcements')}
          </Tabs.Trigger>
          <Tabs.Trigger value="approvals">
            {approvals ? `${t('shell.approvals')} (${approvals})` : t('shell.approvals')}
          </Tabs.Trigger>
          <Tabs.Trigger value="files">{t('shell.files')}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="notices">
          <Notices go={go} />
        </Tabs.Content>
        <Tabs.Content value="announcements">
          <Announcements />
        </Tabs.Content>
        <Tabs.Content value="approvals">
          <Approvals go={go} />
        </Tabs.Content>
        <Tabs.Content value="files">
          <Files />
        </Tabs.Content>
      </Tabs.Root>
    </Drawer>
  )
}
