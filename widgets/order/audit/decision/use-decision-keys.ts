import { useEffect, useRef } from 'react'
import type { Draft } from '../../../../core/contract/audit/queue.ts'
import { decisions } from './decision.tsx'

const fields =
  'input, textarea, select, [contenteditable], [role="radio"], [role="checkbox"], [role="combobox"], [role="option"], [role="menuitem"]'
const isElement = (target: EventTarget): target is Element => target instanceof Element

/** 1, 2 and 3 choose the decision while no field has the focus; Ctrl+Enter submits. Open dialogs have the keys for themselves. */
export const useDecisionKeys = (
  active: boolean,
  choose: (result: NonNullable<Draft['auditResult']>) => void,
  submit: () => void,
) => {
  const latest = useRef({ choose, submit })
  latest.current = { choose, submit }
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent) => {
      const path = event.composedPath().filter(isElement)
      if (path.some(element => element.matches('[role="dialog"], [role="alertdialog"], [role="listbox"]'))) return
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        latest.current.submit()
      }
      const result = decisions[Number(event.key) - 1]
      if (!result || event.ctrlKey || event.metaKey || event.altKey || path[0]?.matches(fields)) return
      event.preventDefault()
      latest.current.choose(result)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [active])
}
