import { useEffect, useRef } from 'react'
import { useCarried } from '../../ui/kept.ts'
import type { Pressed } from '../form/actions.tsx'
import type { Row } from '../table/columns.ts'

type Asked = { label: string; keys: readonly string[] }
type Known = { rows: readonly Row[] | undefined; rowKey: string; actions: readonly Pressed['action'][] }

/** A dialog that was open when the page was loaded again opens on the rows that it was about, once they are there. */
export const useReopened = (
  pressed: Pressed | null,
  { rows, rowKey, actions }: Known,
  open: (pressed: Pressed) => void,
) => {
  const carried = useCarried<Asked>(
    'pressed',
    () => pressed && { label: pressed.action.label, keys: pressed.rows.map(row => String(row[rowKey])) },
  )
  const wanted = useRef(carried)
  const reopen = useRef(open)
  reopen.current = open
  useEffect(() => {
    const asked = wanted.current
    if (!asked || !rows) return
    const action = actions.find(one => one.label === asked.label)
    if (!action) return
    wanted.current = undefined
    const about = rows.filter(row => asked.keys.includes(String(row[rowKey])))
    if (about.length === asked.keys.length) reopen.current({ action, rows: about, left: [] })
  }, [rows, rowKey, actions])
}
