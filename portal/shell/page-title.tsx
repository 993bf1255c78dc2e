import type { Ref } from 'react'
import { builtPages } from '../../core/contract/page-table.ts'
import { homePath, type Page } from '../../core/contract/pages.ts'
import { useText } from '../../core/element/i18n.ts'
import { Icon } from '../../core/ui/icons.tsx'

type Props = {
  page: Page
  /** Where the title has the focus when somebody arrives. */
  ref?: Ref<HTMLHeadingElement>
  slot?: string
}

/** What the page is called. */
export const PageTitle = ({ page, ref, slot }: Props) => (
  <h1 className="mk-title" tabIndex={-1} ref={ref} slot={slot}>
    {useText().maybe(`screens.${page.tag}`)}
  </h1>
)

type TrailProps = Props & { from: string | null; allowedPaths: readonly string[]; go: (path: string) => void }

/** The way to a record: the list that it was opened from, where the caller has that, else Home; then the page itself. */
export const Trail = ({ slot, from, allowedPaths, go, ...title }: TrailProps) => {
  const t = useText()
  const list = builtPages.find(route => route.name === from && allowedPaths.includes(route.path.toLowerCase()))
  const path = list?.path ?? homePath
  return (
    <nav className="mk-trail" aria-label={t('shell.trail')} slot={slot}>
      <a
        href={path}
        onClick={event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          go(path)
        }}
      >
        {t.maybe(`screens.${list?.tag ?? 'mkopo-portal-home'}`)}
      </a>
      <Icon name="chevronRight" size={12} />
      <PageTitle {...title} />
    </nav>
  )
}
