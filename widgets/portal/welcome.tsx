import { CallError } from '../../core/client/errors.ts'
import { useRead, useSelf } from '../../core/client/providers.tsx'
import { codes } from '../../core/contract/codes.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { homePath } from '../../core/contract/pages.ts'
import { home } from '../../core/contract/portal/home.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { Forbidden } from '../../core/engine/list/chosen/refused.tsx'
import { eatDateTime } from '../../core/rules/time.ts'
import { Skeleton } from '../../core/ui/basics.ts'
import { Empty, Failed } from '../../core/ui/states.tsx'
import { Announcements } from './announcements.tsx'
import sheet from './home.css?sheet'
import { Recent } from './recent.tsx'
import { Tiles } from './tiles.tsx'

/** When and from where the account was used before, and what to do when that was somebody else. */
const LastLogin = ({ time, ip }: OutputOf<typeof home.mine>['lastLogin']) => {
  const t = useText()
  const host = useHost()
  if (!time) return null
  return (
    <span>
      {' '}
      · {t('home.lastLogin', { time: eatDateTime(time), ip: ip ?? '–' })}{' '}
      <button
        type="button"
        className="mk-text-button"
        onClick={() =>
          void host.emit('mkopo-navigate', { to: homePath, query: { dialog: 'sessions' }, target: 'same' })
        }
      >
        {t('home.notMe')}
      </button>
    </span>
  )
}

/** The welcome line, what waits for the caller, and where they were last. */
export const Welcome = () => {
  useSheet(sheet)
  const t = useText()
  const self = useSelf()
  const { data, error, retry } = useRead(
    home.mine,
    {},
    {
      background: true,
      follows: true,
      refreshInterval: 30_000,
    },
  )
  const code = error instanceof CallError ? error.code : undefined
  if (code === codes.forbidden) return <Forbidden />
  const info = self.data?.userInfo
  return (
    <div className="mk-home">
      <header>
        <h1>
          {info ? (
            t('home.welcome', { name: info.realName })
          ) : self.error ? (
            t('systems.product')
          ) : (
            <Skeleton width="220px" height="24px" />
          )}
        </h1>
        <p>
          {info || self.error ? (
            [info?.deptName, data?.today].filter(Boolean).join(' · ')
          ) : (
            <Skeleton width="160px" height="14px" />
          )}
          {data && <LastLogin {...data.lastLogin} />}
        </p>
      </header>
      {error && !data ? (
        <Failed
          message={error instanceof CallError ? error.message : t('common.noConnection')}
          onRetry={() => void retry()}
        />
      ) : data?.queues.length === 0 ? (
        <Empty title={t('home.nothing')} hint={t('home.nothingHint')} />
      ) : (
        <Tiles queues={data?.queues} />
      )}
      {data && <Announcements list={data.announcements} />}
      <Recent />
    </div>
  )
}
