import { useEffect, useRef, useState } from 'react'
import type { Draft } from '../../../core/contract/audit/queue.ts'
import type { Errors } from './work.ts'

const margin = 60

/** Scrolls a box, and only that box, to the first of something in it. */
export const bring = (box: HTMLElement | null, selector: string) => {
  const found = box?.querySelector(selector)
  if (box && found) box.scrollTop += found.getBoundingClientRect().top - box.getBoundingClientRect().top - margin
}

const controls = ['[role=radio]', '[role=checkbox]', 'textarea', 'input'].map(control => `[data-missing] ${control}`)
/** Gives the first field that is wrong the focus, so that keys go on there. */
const focusWrong = (box: HTMLElement | null) =>
  box
    ?.querySelector<HTMLElement>(['[aria-invalid=true]:not([role=group])', ...controls].join())
    ?.focus({ preventScroll: true })

/** Messages that a change of a field answers besides its own. */
const alsoAnswered: Readonly<Record<string, readonly string[]>> = {
  seenChecks: ['checks'],
  faceConsistency: ['remark'],
  refuseLevel1: ['refuseCode', 'remark'],
  refuseCode: ['remark'],
  sendBackReason: ['remark'],
}

/** The messages of the panel: new ones are brought into sight, and a change takes away those it answers. */
export const useErrors = (box: { readonly current: HTMLElement | null }) => {
  const [errors, setErrors] = useState<Errors>({})
  const placed = useRef(false)
  useEffect(() => {
    if (placed.current && Object.keys(errors).length) {
      bring(box.current, '[role=alert]:not(.mk-banner)')
      focusWrong(box.current)
    }
    placed.current = false
  }, [errors, box])
  return {
    errors,
    place: (next: Errors) => {
      placed.current = true
      setErrors(next)
    },
    clear: (fields: readonly string[]) =>
      setErrors(before => Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field)))),
  }
}

/** The messages that a change of the draft answers; a new decision answers all. */
export const answeredBy = (by: Partial<Draft>, errors: Errors): readonly string[] =>
  'auditResult' in by ? Object.keys(errors) : Object.keys(by).flatMap(field => [field, ...(alsoAnswered[field] ?? [])])
