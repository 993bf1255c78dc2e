import { useText } from '../core/element/i18n.ts'
import { Drawer } from '../core/ui/drawer.tsx'
import { Tabs } from '../core/ui/more.ts'
import { Approvals } from './approvals.tsx'
import { Notices } from './notices.tsx'

export type Tab = 'notices' | 'approvals'
type Props = {
  /** Which one is shown first. */
  tab: Tab
  /** How many approvals wait for the reader. */
  approvals: number
  close: () => void
  go: (path: string) => void
}

/** What a member of staff was told, and what waits for their decision. */
export const MessageCenter = ({ tab, approvals, close, go }: Props) => {
  const t = useText()
  return (
    <Drawer open onClose={close} title={t('shell.messages')}>
      <Tabs.Root defaultValue={tab}>
        <Tabs.List size="1">
          <Tabs.Trigger value="notices">{t('shell.notices')}</Tabs.Trigger>
          <Tabs.Trigger value="approvals">
            {approvals ? `${t('shell.approvals')} (${approvals})` : t('shell.approvals')}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="notices">
          <Notices go={go} />
        </Tabs.Content>
        <Tabs.Content value="approvals">
          <Approvals go={go} />
        </Tabs.Content>
      </Tabs.Root>
    </Drawer>
  )
}
