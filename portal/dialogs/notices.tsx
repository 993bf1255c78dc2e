import { useState } from 'react'
import { refresh, useClient, useRead } from '../../core/client/providers.tsx'
import { type MessageRow, message, messageTypes } from '../../core/contract/portal/message.ts'
import { useText } from '../../core/element/i18n.ts'
import { useToast } from '../../core/engine/form/use-act.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Badge, Button, Flex, Text } from '../../core/ui/basics.ts'
import { Select } from '../../core/ui/choose/select.tsx'
import { Switch } from '../../core/ui/more.ts'
import { Pager } from '../../core/ui/pager.tsx'
import { Empty } from '../../core/ui/states.tsx'
import { NoticeFile } from './notice-file.tsx'
import { ReadState } from './read-state.tsx'

const pageSize = 20

/** Marks messages as read, all of them without numbers, and lets every count follow. */
const useMarkRead = () => {
  const client = useClient()
  return async (staffMessageNos?: string[]) => {
    const { read } = await client.call(message.markRead, staffMessageNos ? { staffMessageNos } : {})
    refresh(message.page, message.count)
    return read
  }
}

const Notice = ({ row, go }: { row: MessageRow; go: (path: string) => void }) => {
  const t = useText()
  const markRead = useMarkRead()
  const { staffMessageNo, route, readTime } = row
  const mark = () => void (readTime === null && markRead([staffMessageNo]).catch(() => undefined))
  return (
    <li className="mk-notice" data-unread={readTime === null || undefined}>
      <Flex align="center" gap="2">
        <Badge size="1" color={readTime === null ? 'teal' : 'gray'}>
          {t(`dict.MESSAGE_TYPE.${row.messageType}`)}
        </Badge>
        {route ? (
          <a
            className="mk-link"
            href={route}
            onClick={event => {
              mark()
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              go(route)
            }}
          >
            {row.title}
          </a>
        ) : (
          <b>{row.title}</b>
        )}
        <time dateTime={row.createdTime}>{eatDateTime(row.createdTime)}</time>
      </Flex>
      <Flex align="start" justify="between" gap="3">
        <Text as="p" size="2">
          {row.content}
        </Text>
        {readTime === null && (
          <Button size="1" variant="ghost" aria-label={`${t('shell.markRead')}: ${row.title}`} onClick={mark}>
            {t('shell.markRead')}
          </Button>
        )}
      </Flex>
      <NoticeFile row={row} taken={mark} />
    </li>
  )
}

const UnreadOnly = ({ on, choose }: { on: boolean; choose: (on: boolean) => void }) => {
  const t = useText()
  return (
    <Text as="label" size="2">
      <Flex align="center" gap="2">
        <Switch size="1" checked={on} onCheckedChange={choose} />
        {t('shell.unreadOnly')}
      </Flex>
    </Text>
  )
}

type Kind = 'all' | MessageRow['messageType']

/** Messages of one kind, or of all. */
const KindChoice = ({ kind, choose }: { kind: Kind; choose: (kind: Kind) => void }) => {
  const t = useText()
  return (
    <Select.Root size="1" value={kind} onValueChange={next => choose(next as Kind)}>
      <Select.Trigger aria-label={t('fields.messageType')} />
      <Select.Content>
        <Select.Item value="all">{t('shell.allKinds')}</Select.Item>
        {messageTypes.values.map(one => (
          <Select.Item key={one} value={one}>
            {t(`dict.MESSAGE_TYPE.${one}`)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  )
}

/** Messages, the newest first. */
export const Notices = ({ go }: { go: (path: string) => void }) => {
  const t = useText()
  const toast = useToast()
  const markRead = useMarkRead()
  const [unread, setUnread] = useState(false)
  const [pageNum, setPageNum] = useState(1)
  const [kind, setKind] = useState<Kind>('all')
  const only = { ...(unread ? { unread } : {}), ...(kind === 'all' ? {} : { messageType: kind }) }
  const read = useRead(message.page, { pageNum, pageSize, ...only }, { background: true })
  const markAll = async () => {
    try {
      toast.done(t('shell.allRead', { n: await markRead() }))
    } catch {
      toast.failed(t('common.noConnection'))
    }
  }
  return (
    <>
      <Flex align="center" justify="between" my="3">
        <UnreadOnly
          on={unread}
          choose={on => {
            setUnread(on)
            setPageNum(1)
          }}
        />
        <KindChoice
          kind={kind}
          choose={next => {
            setKind(next)
            setPageNum(1)
          }}
        />
        <Button size="1" variant="soft" color="gray" onClick={() => void markAll()}>
          {t('shell.markAllRead')}
        </Button>
      </Flex>
      <ReadState read={read}>
        {({ list, total }) =>
          list.length ? (
            <>
              <ul className="mk-notices" aria-label={t('shell.notices')}>
                {list.map(row => (
                  <Notice key={row.staffMessageNo} row={row} go={go} />
                ))}
              </ul>
              {total > pageSize && <Pager page={pageNum} pages={Math.ceil(total / pageSize)} go={setPageNum} />}
            </>
          ) : (
            <Empty
              title={t(unread ? 'shell.noUnread' : 'shell.noMessages')}
              hint={unread ? undefined : t('shell.noMessagesHint')}
            />
          )
        }
      </ReadState>
    </>
  )
}
