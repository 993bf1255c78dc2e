import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSheet } from '../../element/styles.ts'
import { Icon } from '../icons.tsx'
import sheet from './tree.css?sheet'
import { checkOf, chosenBelow, firstHit, rowsOf, type Tree, type TreeRow } from './tree.ts'

const rowHeight = 28
const boxHeight = 280
const beyond = 6
const pause = 700

type Props = {
  tree: Tree
  label: string
  search: string
  chosen: ReadonlySet<string>
  single: boolean
  onPress: (value: string) => void
}

/** Letters typed one after the other lead to the next row that begins with them. */
const useLetters = (rows: readonly TreeRow[], at: number, move: (to: number) => void) => {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string) => {
    const now = Date.now()
    const text = (now - typed.current.at < pause ? typed.current.text : '') + letter.toLowerCase()
    typed.current = { text, at: now }
    const start = text.length === 1 ? at + 1 : at
    const order = [...rows.keys()].map(index => (start + index) % rows.length)
    const found = order.find(index => rows[index]?.node.label.toLowerCase().startsWith(text))
    if (found !== undefined) move(found)
  }
}

/** Which nodes are open and which row is the active one, and how keys go from row to row. */
const useTreeWalk = (
  { tree, search, onPress }: Pick<Props, 'tree' | 'search' | 'onPress'>,
  box: RefObject<HTMLDivElement | null>,
) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set((tree.below.get(null) ?? []).map(one => one.value)),
  )
  const [active, setActive] = useState<string>()
  const rows = useMemo(() => rowsOf(tree, open, search), [tree, open, search])
  const at = Math.max(
    0,
    rows.findIndex(row => row.node.value === active),
  )
  useLayoutEffect(() => {
    if (active === undefined || !box.current) return
    const { scrollTop } = box.current
    const place = at * rowHeight
    if (place < scrollTop) box.current.scrollTop = place
    if (place + rowHeight > scrollTop + boxHeight) box.current.scrollTop = place + rowHeight - boxHeight
  }, [at, active, box.current])

  const move = (to: number) => setActive(rows[Math.max(0, Math.min(rows.length - 1, to))]?.node.value)
  const unfold = (value: string, wanted: boolean) =>
    setOpen(now => {
      const next = new Set(now)
      if (wanted) next.add(value)
      else next.delete(value)
      return next
    })
  const right = ({ node, open: isOpen }: TreeRow) =>
    isOpen === false ? unfold(node.value, true) : isOpen && move(at + 1)
  const left = ({ node, level, open: isOpen }: TreeRow) => {
    if (isOpen && !search) return unfold(node.value, false)
    const above = rows.slice(0, at).findLastIndex(row => row.level < level)
    if (above >= 0) move(above)
  }
  const byLetter = useLetters(rows, at, move)
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const keys = new Map<string, () => unknown>([
      ['ArrowDown', () => move(active === undefined ? 0 : at + 1)],
      ['ArrowUp', () => move(at - 1)],
      ['ArrowRight', () => right(row)],
      ['ArrowLeft', () => left(row)],
      ['Home', () => move(0)],
      ['End', () => move(rows.length - 1)],
      ['Enter', () => onPress(row.node.value)],
      [' ', () => onPress(row.node.value)],
    ])
    const act = keys.get(event.key) ?? (event.key.length === 1 ? () => byLetter(event.key) : undefined)
    if (!act) return
    event.preventDefault()
    act()
  }
  return { rows, active, setActive, at, move, unfold, onKeyDown }
}

type ItemProps = {
  id: string
  row: TreeRow
  check: ReturnType<typeof checkOf>
  index: number
  single: boolean
  walk: Pick<ReturnType<typeof useTreeWalk>, 'at' | 'setActive' | 'unfold'>
  onPress: (value: string) => void
}

const Item = ({ id, row, check, index, single, walk: { at, setActive, unfold }, onPress }: ItemProps) => {
  const { value, label: words, leaf } = row.node
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names the active item
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the tree
    <div
      id={id}
      role="treeitem"
      className="mk-tree-item"
      style={{ top: index * rowHeight, paddingLeft: (row.level - 1) * 16 + 4 }}
      data-active={index === at || undefined}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-expanded={row.open}
      {...(single ? { 'aria-selected': leaf && check === true } : { 'aria-checked': check })}
      onClick={() => {
        setActive(value)
        if (single && !leaf) unfold(value, !row.open)
        else onPress(value)
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same */}
      <span
        style={{ width: 14 }}
        onClick={event => {
          if (row.open === undefined) return
          event.stopPropagation()
          unfold(value, !row.open)
        }}
      >
        {row.open !== undefined && <Icon name={row.open ? 'chevronDown' : 'chevronRight'} size={12} />}
      </span>
      {(!single || leaf) && (
        <span className="mk-tree-mark">
          {check !== false && <Icon name={check === true ? 'check' : 'minus'} size={10} />}
        </span>
      )}
      <span className="mk-tree-label">{words}</span>
    </div>
  )
}

/** The tree pattern of WAI-ARIA: one stop of the Tab key, arrows, Home, End, letters; of very many nodes only those in sight are drawn. */
export const TreeView = ({ tree, label, search, chosen, single, onPress }: Props) => {
  useSheet(sheet)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const walk = useTreeWalk({ tree, search, onPress }, box)
  const { rows, active, at, move, onKeyDown } = walk
  const counts = useMemo(() => chosenBelow(tree, chosen), [tree, chosen])
  const from = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const to = Math.min(rows.length, Math.ceil((top + boxHeight) / rowHeight) + beyond)

  return (
    <div
      ref={box}
      role="tree"
      className="mk-tree"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={!single}
      aria-activedescendant={rows[at] && at >= from && at < to ? `${id}-${rows[at].node.value}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => active === undefined && move(firstHit(rows, search))}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
    >
      <div role="presentation" style={{ height: rows.length * rowHeight }}>
        {rows.slice(from, to).map((row, index) => (
          <Item
            key={row.node.value}
            id={`${id}-${row.node.value}`}
            row={row}
            check={checkOf(tree, counts, row.node.value)}
            index={from + index}
            single={single}
            walk={walk}
            onPress={onPress}
          />
        ))}
      </div>
    </div>
  )
}
