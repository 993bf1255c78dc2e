import { useEffect, useRef } from 'react'

/** After a refusal the first field that is wrong takes the focus: call `seek` when the refusal arrives, and pass `form` to the element that holds the fields. */
export const useFirstWrong = <E extends HTMLElement>() => {
  const form = useRef<E>(null)
  const sought = useRef(false)
  useEffect(() => {
    if (!sought.current) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!wrong) return
    sought.current = false
    wrong.focus()
  })
  return {
    form,
    seek: () => {
      sought.current = true
    },
  }
}
