import { CallError } from '../../core/client/errors.ts'
import { useRead, useSelf } from '../../core/client/providers.tsx'
import { toEntries } from '../../core/client/url-state.ts'
import { codes } from '../../core/contract/codes.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { user } from '../../core/contract/user.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { Forbidden } from '../../core/engine/refused.tsx'
import { minutesText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { eatDate, eatDateTime } from '../../core/rules/time.ts'
import { Skeleton } from '../../core/ui/basics.ts'
import { Empty, Failed } from '../../core/ui/states.tsx'
import sheet from './home.css?sheet'

type Queue = OutputOf<typeof user.home>['queues'][number]

const Tile = ({ queue }: { queue: Queue }) => {
  const t = useText()
  const host = useHost()
  const query = Object.fromEntries(toEntries({ filters: queue.filters, sort: '', pageNum: 1, pageSize: 20 }))
  return (
    <a
      className="mk-tile"
      href={`${queue.route}?${new URLSearchParams(query)}`}
      onClick={event => {
        if (event.ctrlKey || event.metaKey) return
        event.preventDefault()
        host.emit('mkopo-navigate', { to: queue.route, query, target: 'same' })
      }}
    >
      <span>{t.maybe(`home.queue.${queue.key}`) ?? queue.key}</span>
      <b>{queue.count}</b>
      <small>
        {[
          queue.amount !== null && `UGX ${formatMoney(queue.amount)}`,
          queue.oldestMinutes !== null &&
            queue.count > 0 &&
            t('home.oldest', { age: minutesText(t, queue.oldestMinutes) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </a>
  )
}

/** The welcome line and a tile for each queue that waits for the caller. */
export const Welcome = () => {
  useSheet(sheet)
  const t = useText()
  const self = useSelf()
  const { data, error, retry } = useRead(user.home, {}, { background: true, refreshInterval: 30_000 })
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
          {info ? (
            `${info.deptName} · ${eatDate(new Date())}`
          ) : self.error ? (
            eatDate(new Date())
          ) : (
            <Skeleton width="160px" height="14px" />
          )}
          {data?.lastLogin.time && (
            <span>
              {' '}
              · {t('home.lastLogin', { time: eatDateTime(data.lastLogin.time), ip: data.lastLogin.ip ?? '–' })}
            </span>
          )}
        </p>
      </header>
      {error && !data ? (
        <Failed
          message={error instanceof CallError ? error.message : t('common.noConnection')}
          onRetry={() => void retry()}
        />
      ) : (
        <section className="mk-tiles" aria-label={t('home.queues')}>
          {data
            ? data.queues.map(queue => <Tile key={queue.key} queue={queue} />)
            : [1, 2, 3, 4].map(one => <Skeleton key={one} height="96px" />)}
        </section>
      )}
      {data?.queues.length === 0 && <Empty title={t('home.nothing')} hint={t('home.nothingHint')} />}
    </div>
  )
}
