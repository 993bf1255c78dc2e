import { useState } from 'react'
import type { MenuNode } from '../core/contract/user.ts'
import type { Translate } from '../core/element/i18n.ts'
import { useText } from '../core/element/i18n.ts'
import { DropdownMenu } from '../core/ui/dropdown-menu.tsx'
import { Icon } from '../core/ui/icons.tsx'
import { useLeave } from './leave.ts'

type Props = { menu: readonly MenuNode[]; current: string; go: (path: string) => void }

/** What a menu node is called in the language of the page. */
export const nameOf = (t: Translate, node: MenuNode) => t.maybe(node.menuName) ?? node.menuName
const isCurrent = (node: MenuNode, current: string) => node.perms?.toLowerCase() === current.toLowerCase()
const holds = (node: MenuNode, current: string): boolean =>
  isCurrent(node, current) || node.childList.some(child => holds(child, current))

const isOut = (node: MenuNode): node is MenuNode & { externalUrl: string } => node.externalUrl !== null

const Page = ({ node, current, go }: { node: MenuNode } & Omit<Props, 'menu'>) => {
  const t = useText()
  const leave = useLeave()
  const href = node.externalUrl ?? node.perms ?? '#'
  return (
    <a
      className="mk-menu-page"
      href={href}
      target={node.externalUrl ? '_blank' : undefined}
      rel={node.externalUrl ? 'noreferrer' : 'opener'}
      aria-current={isCurrent(node, current) ? 'page' : undefined}
      onClick={event => {
        if (!node.externalUrl && (event.ctrlKey || event.metaKey || event.shiftKey)) return
        event.preventDefault()
        if (isOut(node)) void leave(node)
        else go(href)
      }}
    >
      {nameOf(t, node)}
    </a>
  )
}

const Catalog = ({ node, current, go }: { node: MenuNode } & Omit<Props, 'menu'>) => {
  const t = useText()
  const [open, setOpen] = useState(true)
  return (
    <li>
      <button type="button" className="mk-menu-catalog" aria-expanded={open} onClick={() => setOpen(!open)}>
        {nameOf(t, node)} <Icon name={open ? 'chevronUp' : 'chevronDown'} size={12} />
      </button>
      {open && (
        <ul>
          {node.childList.map(child => (
            <li key={child.menuNo}>
              <Page node={child} current={current} go={go} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The menu at the left: catalogs that open and close, pages below them. */
export const SideMenu = ({ menu, ...rest }: Props) => {
  const t = useText()
  return (
    <nav className="mk-side" aria-label={t('shell.menu')}>
      <ul>
        {menu.map(node =>
          node.childList.length ? (
            <Catalog key={node.menuNo} node={node} {...rest} />
          ) : (
            <li key={node.menuNo}>
              <Page node={node} {...rest} />
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

/** The menu across: catalogs open by click, arrows move inside, Esc closes. */
export const CrossMenu = ({ menu, current, go }: Props) => {
  const t = useText()
  const leave = useLeave()
  const open = (node: MenuNode) => (isOut(node) ? void leave(node) : go(node.perms ?? '#'))
  return (
    <nav className="mk-cross" aria-label={t('shell.menu')}>
      {menu.map(node =>
        node.childList.length ? (
          <DropdownMenu.Root key={node.menuNo}>
            <DropdownMenu.Trigger>
              <button type="button" className="mk-head-button" data-current={holds(node, current) || undefined}>
                {nameOf(t, node)} <Icon name="chevronDown" size={12} />
              </button>
            </DropdownMenu.Trigger>
            <DropdownMenu.Content size="1">
              {node.childList.map(child => (
                <DropdownMenu.Item
                  key={child.menuNo}
                  aria-current={isCurrent(child, current) ? 'page' : undefined}
                  onSelect={() => open(child)}
                >
                  {nameOf(t, child)}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Content>
          </DropdownMenu.Root>
        ) : (
          <button
            key={node.menuNo}
            type="button"
            className="mk-head-button"
            data-current={isCurrent(node, current) || undefined}
            onClick={() => open(node)}
          >
            {nameOf(t, node)}
          </button>
        ),
      )}
    </nav>
  )
}
