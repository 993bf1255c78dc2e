import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useRead } from '../../core/client/providers.tsx'
import { message } from '../../core/contract/portal/message.ts'
import { useText } from '../../core/element/i18n.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { type Tab, tabFor, tabs } from '../dialogs/message-tabs.ts'
import { useLeave } from './leaving.tsx'
import { useGoKey } from './palette/go-keys.ts'

const MessageCenter = lazy(async () => ({ default: (await import('../dialogs/message-center.tsx')).MessageCenter }))

/** A tile of Home leads here: `?messages=approvals` in the address opens that tab. */
const askedFor = (search: string): Tab | null => {
  const asked = new URLSearchParams(search).get('messages')
  return tabs.find(tab => tab === asked) ?? null
}

/** Opens the message center, and says how much in it is unread. */
export const Bell = ({ ready }: { ready: boolean }) => {
  const t = useText()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const leave = useLeave()
  const [opened, setOpened] = useState<Tab | null>(null)
  const tab = askedFor(search) ?? opened
  const close = () => {
    setOpened(null)
    if (askedFor(search)) navigate(pathname, { replace: true })
  }
  const { data } = useRead(message.count, ready ? {} : null, { background: true, refreshInterval: 60_000 })
  const unread = (data?.unread ?? 0) + (data?.announcements ?? 0)
  useGoKey('m', () => setOpened(tabFor(data)))
  return (
    <>
      <button
        type="button"
        className="mk-head-button mk-bell"
        aria-haspopup="dialog"
        aria-keyshortcuts="g m"
        aria-label={unread ? t('shell.messagesUnread', { n: unread }) : t('shell.messages')}
        onClick={() => setOpened(tabFor(data))}
      >
        <Icon name="bell" />
        {unread > 0 && <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>}
      </button>
      <Suspense fallback={null}>
        {tab && (
          <MessageCenter
            key={tab}
            announcements={data?.announcements ?? 0}
            approvals={data?.approvals ?? 0}
            tab={tab}
            close={close}
            go={path =>
              leave(() => {
                setOpened(null)
                navigate(path)
              })
            }
          />
        )}
      </Suspense>
    </>
  )
}
