import { Fragment, useId, useState } from 'react'
import type { MenuNode } from '../../../core/contract/user/user.ts'
import type { Translate } from '../../../core/element/i18n.ts'
import { useText } from '../../../core/element/i18n.ts'
import { EntryName } from '../../../core/engine/menu-drawing.tsx'
import { Icon } from '../../../core/ui/icons.tsx'
import { DropdownMenu } from '../../../core/ui/overlay/dropdown-menu.tsx'
import { useWayOut } from '../way-out.ts'
import { type Badges, waitingAt } from './badges.ts'
import { MenuIcon } from './menu-icon.tsx'
import { useFitting } from './use-fitting.ts'

type Props = { menu: readonly MenuNode[]; badges: Badges; current: string; go: (path: string) => void }

/** What a menu node is called in the language of the page. */
export const nameOf = (t: Translate, node: MenuNode) => t.maybe(node.menuName) ?? node.menuName
const isCurrent = (node: MenuNode, current: string) => node.perms?.toLowerCase() === current.toLowerCase()
const holds = (node: MenuNode, current: string): boolean =>
  isCurrent(node, current) || node.childList.some(child => holds(child, current))

const isOut = (node: MenuNode): node is MenuNode & { externalUrl: string } => node.externalUrl !== null

/** The name of a node, behind the drawing that was chosen for it. */
const Named = ({ node }: { node: MenuNode }) => <EntryName name={nameOf(useText(), node)} icon={node.icon} />

/** How much waits; the number is read as what it means. */
const Badge = ({ id, waiting }: { id: string; waiting: number }) => {
  const t = useText()
  if (!waiting) return null
  return (
    <>
      <span className="mk-menu-badge" aria-hidden="true">
        {waiting > 999 ? '999+' : waiting}
      </span>
      <span id={id} hidden>
        {t('shell.waiting', { n: waiting })}
      </span>
    </>
  )
}

/** The badge of a node, and what describes it by that. */
const useBadge = (node: MenuNode, badges: Badges, shown = true) => {
  const id = useId()
  const waiting = shown ? waitingAt(node, badges) : 0
  return { badge: <Badge id={id} waiting={waiting} />, describedBy: waiting ? id : undefined }
}

const Page = ({ node, badges, current, go }: { node: MenuNode } & Omit<Props, 'menu'>) => {
  const { badge, describedBy } = useBadge(node, badges)
  const goOut = useWayOut()
  const href = node.externalUrl ?? node.perms ?? '#'
  return (
    <a
      className="mk-menu-page"
      aria-describedby={describedBy}
      href={href}
      target={node.externalUrl ? '_blank' : undefined}
      rel={node.externalUrl ? 'noreferrer' : 'opener'}
      aria-current={isCurrent(node, current) ? 'page' : undefined}
      onClick={event => {
        if (!node.externalUrl && (event.ctrlKey || event.metaKey || event.shiftKey)) return
        event.preventDefault()
        if (isOut(node)) void goOut(node)
        else go(href)
      }}
    >
      <span>
        <Named node={node} />
      </span>
      {badge}
    </a>
  )
}

const Catalog = ({ node, ...rest }: { node: MenuNode } & Omit<Props, 'menu'>) => {
  const [open, setOpen] = useState(true)
  const { badge, describedBy } = useBadge(node, rest.badges, !open)
  return (
    <li>
      <button
        type="button"
        className="mk-menu-catalog"
        aria-expanded={open}
        aria-describedby={describedBy}
        onClick={() => setOpen(!open)}
      >
        <span>
          <Named node={node} />
        </span>
        {badge} <Icon name={open ? 'chevronUp' : 'chevronDown'} size={12} />
      </button>
      {open && (
        <ul>
          {node.childList.map(child => (
            <li key={child.menuNo}>
              <Page node={child} {...rest} />
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

const CrossItem = ({ node, badges, current, go }: { node: MenuNode } & Omit<Props, 'menu'>) => {
  const goOut = useWayOut()
  const { badge, describedBy } = useBadge(node, badges)
  return (
    <DropdownMenu.Item
      aria-current={isCurrent(node, current) ? 'page' : undefined}
      aria-describedby={describedBy}
      onSelect={() => (isOut(node) ? void goOut(node) : go(node.perms ?? '#'))}
    >
      <Named node={node} />
      {badge}
    </DropdownMenu.Item>
  )
}

/** A node in the line of the header, or of the folded menu, which shows its drawing in the place of its name. */
const CrossNode = ({ node, folded, ...rest }: { node: MenuNode; folded?: boolean } & Omit<Props, 'menu'>) => {
  const t = useText()
  const { badge, describedBy } = useBadge(node, rest.badges)
  const goOut = useWayOut()
  const name = nameOf(t, node)
  const face = folded
    ? { className: 'mk-head-button mk-folded-node', 'aria-label': name, title: name }
    : { className: 'mk-head-button' }
  const shown = folded ? <MenuIcon node={node} name={name} /> : <Named node={node} />
  if (!node.childList.length)
    return (
      <button
        type="button"
        {...face}
        data-current={isCurrent(node, rest.current) || undefined}
        aria-describedby={describedBy}
        onClick={() => (isOut(node) ? void goOut(node) : rest.go(node.perms ?? '#'))}
      >
        {shown}
        {badge}
      </button>
    )
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger>
        <button
          type="button"
          {...face}
          data-current={holds(node, rest.current) || undefined}
          aria-describedby={describedBy}
        >
          {shown}
          {badge} {!folded && <Icon name="chevronDown" size={12} />}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content size="1" {...(folded ? { side: 'right', align: 'start' } : {})}>
        {folded && <DropdownMenu.Label>{name}</DropdownMenu.Label>}
        {node.childList.map(child => (
          <CrossItem key={child.menuNo} node={child} {...rest} />
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

/** The systems that the line has no room for, one under the other with their pages. */
const MoreSystems = ({ nodes, ...rest }: { nodes: readonly MenuNode[] } & Omit<Props, 'menu'>) => {
  const t = useText()
  const isHere = nodes.some(node => holds(node, rest.current))
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger>
        <button type="button" className="mk-head-button" data-current={isHere || undefined}>
          {t('shell.moreSystems')} <Icon name="chevronDown" size={12} />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content size="1">
        {nodes.map(node =>
          node.childList.length ? (
            <Fragment key={node.menuNo}>
              <DropdownMenu.Label>{nameOf(t, node)}</DropdownMenu.Label>
              {node.childList.map(child => (
                <CrossItem key={child.menuNo} node={child} {...rest} />
              ))}
            </Fragment>
          ) : (
            <CrossItem key={node.menuNo} node={node} {...rest} />
          ),
        )}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

/** The menu across: catalogs open by click, arrows move inside, Esc closes; what has no room waits in the last of them. */
export const CrossMenu = ({ menu, ...rest }: Props) => {
  const t = useText()
  const { line, fitting } = useFitting()
  return (
    <nav className="mk-cross" aria-label={t('shell.menu')}>
      <div className="mk-cross-line" ref={line}>
        {menu.map((node, at) => (
          <span key={node.menuNo} data-out={at >= fitting || undefined}>
            <CrossNode node={node} {...rest} />
          </span>
        ))}
      </div>
      {fitting < menu.length && <MoreSystems nodes={menu.slice(fitting)} {...rest} />}
    </nav>
  )
}

/** The menu at the left where there is little room: a drawing for each catalog, whose pages open beside it. */
export const FoldedMenu = ({ menu, ...rest }: Props) => {
  const t = useText()
  return (
    <nav className="mk-side mk-folded" aria-label={t('shell.menu')}>
      {menu.map(node => (
        <CrossNode key={node.menuNo} node={node} folded {...rest} />
      ))}
    </nav>
  )
}
