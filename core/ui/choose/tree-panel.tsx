import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { Button, Flex, Text, TextField } from '../basics.ts'
import { Icon } from '../icons.tsx'
import { firstHit, leavesOf, rowsOf, type TreeNode, treeOf } from './tree.ts'
import { TreeView } from './tree-view.tsx'

type Props = {
  nodes: readonly TreeNode[]
  label: string
  value: readonly string[]
  single: boolean
  onChange: (value: string[]) => void
  done: () => void
  words: { search: string; none: string; clear: string }
}

/** A search above a tree; pressing a branch takes all of its leaves, or leaves them all. */
export const TreePanel = ({ nodes, label, value, single, onChange, done, words }: Props) => {
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const tree = useMemo(() => treeOf(nodes), [nodes])
  const chosen = useMemo(() => new Set(value), [value])
  const press = (node: string) => {
    if (single) {
      if (!tree.nodes.get(node)?.leaf) return
      onChange(chosen.has(node) ? [] : [node])
      return done()
    }
    const leaves = leavesOf(tree, node)
    const all = leaves.every(leaf => chosen.has(leaf))
    const others = value.filter(one => !leaves.includes(one))
    onChange(all ? others : [...others, ...leaves])
  }
  const found = search === '' ? undefined : rowsOf(tree, new Set(), search)
  const toTree = (event: KeyboardEvent) => {
    const first = found?.[firstHit(found, search)]
    if (event.key === 'Enter' && first) press(first.node.value)
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    box.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
  }
  return (
    <div ref={box}>
      <TextField.Root
        size="2"
        mb="2"
        autoFocus
        value={search}
        placeholder={words.search}
        aria-label={words.search}
        onKeyDown={toTree}
        onChange={event => setSearch(event.target.value)}
      >
        <TextField.Slot>
          <Icon name="search" size={14} />
        </TextField.Slot>
      </TextField.Root>
      {found?.length === 0 ? (
        <Text size="2" color="gray">
          {words.none}
        </Text>
      ) : (
        <TreeView tree={tree} label={label} search={search} chosen={chosen} single={single} onPress={press} />
      )}
      {value.length > 0 && (
        <Flex justify="end" mt="2">
          <Button type="button" size="1" variant="ghost" color="gray" onClick={() => onChange([])}>
            {words.clear}
          </Button>
        </Flex>
      )}
    </div>
  )
}
