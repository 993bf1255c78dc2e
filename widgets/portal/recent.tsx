import { useMay } from '../../core/client/providers.tsx'
import { builtPages } from '../../core/contract/page-table.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'

/** Links to the screens that were opened last in this browser, as far as the caller may still open them. */
export const Recent = () => {
  const t = useText()
  const host = useHost()
  const may = useMay()
  const names = String(host.props.recent ?? '').split(',')
  const pages = names.flatMap(name => {
    const route = builtPages.find(one => one.name === name && may.open(one.path))
    const title = route && t.maybe(`screens.${route.tag}`)
    return title ? { path: route.path, title } : []
  })
  if (!pages.length) return null
  return (
    <nav aria-label={t('home.recent')}>
      <h2>{t('home.recent')}</h2>
      <ul className="mk-recent">
        {pages.map(({ path, title }) => (
          <li key={path}>
            <a
              href={path}
              onClick={event => {
                if (event.ctrlKey || event.metaKey) return
                event.preventDefault()
                host.emit('mkopo-navigate', { to: path, query: {}, target: 'same' })
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
