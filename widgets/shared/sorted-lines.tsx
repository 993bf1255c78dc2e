import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import type { Key } from '../../core/i18n/index.ts'
import { Flex, IconButton } from '../../core/ui/basics.ts'

type Line = { value: string; label: string }
type Props = {
  lines: readonly Line[]
  /** The values of the lines in their order. */
  order: readonly string[]
  /** What the buttons of a line are called; each names it. */
  words: { up: Key; down: Key }
  change: (order: string[]) => void
}

const moved = (order: readonly string[], from: number, to: number): string[] => {
  const rest = order.filter((_, at) => at !== from)
  return [...rest.slice(0, to), order[from] as string, ...rest.slice(to)]
}

/** Lines that are dragged into an order, or moved by their buttons. */
export const SortedLines = ({ lines, order, words, change }: Props) => {
  const t = useText()
  const [dragged, setDragged] = useState<number | null>(null)
  const nameOf = (value: string) => lines.find(line => line.value === value)?.label ?? value
  return (
    <ol className="mk-sorted">
      {order.map((value, at) => (
        <li
          key={value}
          draggable
          onDragStart={() => setDragged(at)}
          onDragOver={event => event.preventDefault()}
          onDrop={() => dragged !== null && change(moved(order, dragged, at))}
        >
          <Flex gap="2" align="center" justify="between">
            <span>{nameOf(value)}</span>
            <Flex gap="1">
              {([-1, 1] as const).map(step => (
                <IconButton
                  key={step}
                  type="button"
                  size="1"
                  variant="ghost"
                  color="gray"
                  aria-label={t(step < 0 ? words.up : words.down, { name: nameOf(value) })}
                  disabled={at + step < 0 || at + step >= order.length}
                  onClick={() => change(moved(order, at, at + step))}
                >
                  {step < 0 ? '↑' : '↓'}
                </IconButton>
              ))}
            </Flex>
          </Flex>
        </li>
      ))}
    </ol>
  )
}
