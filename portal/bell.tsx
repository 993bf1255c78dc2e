import { useState } from 'react'
import { useRead } from '../core/client/providers.tsx'
import { message } from '../core/contract/message.ts'
import { useText } from '../core/element/i18n.ts'
import { Icon } from '../core/ui/icons.tsx'
import { MessageCenter } from './message-center.tsx'

/** Opens the message center, and says how much in it is unread. */
export const Bell = ({ ready, go }: { ready: boolean; go: (path: string) => void }) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  const { data } = useRead(message.count, ready ? {} : null, { background: true, refreshInterval: 60_000 })
  const unread = data?.unread ?? 0
  return (
    <>
      <button
        type="button"
        className="mk-head-button mk-bell"
        aria-haspopup="dialog"
        aria-label={unread ? t('shell.messagesUnread', { n: unread }) : t('shell.messages')}
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unread > 0 && <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>}
      </button>
      {open && (
        <MessageCenter
          approvals={data?.approvals ?? 0}
          close={() => setOpen(false)}
          go={path => {
            setOpen(false)
            go(path)
          }}
        />
      )}
    </>
  )
}
