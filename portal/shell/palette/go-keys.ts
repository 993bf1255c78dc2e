import { useEffect, useRef } from 'react'
import { isTaken } from './find.tsx'

/** Milliseconds within which the second key follows. */
const patience = 1_500

const fields =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="textbox"], [role="combobox"]'
const isText = (event: Event) => event.composedPath().some(at => at instanceof Element && at.matches(fields))

const isFree = (event: KeyboardEvent) =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken() || isText(event))

const useKeys = (pressed: (event: KeyboardEvent) => boolean) => {
  const latest = useRef(pressed)
  latest.current = pressed
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isFree(event) && latest.current(event)) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** Does something when `g` and then another key is pressed, on any page, while nobody types and no dialog is open. */
export const useGoKey = (letter: string, run: () => void) => {
  const since = useRef(Number.NEGATIVE_INFINITY)
  useKeys(({ key, timeStamp }) => {
    const follows = key === letter && timeStamp - since.current < patience
    since.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    if (follows) run()
    return follows
  })
}

/** Does something on `?` where no list has answered it. */
export const useHelpKey = (run: () => void) =>
  useKeys(({ key }) => {
    if (key === '?') run()
    return key === '?'
  })
