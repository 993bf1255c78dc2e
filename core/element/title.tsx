import { createContext, useContext, useLayoutEffect } from 'react'

/** Says that a screen draws the title itself, or no longer does. */
export const TitleContext = createContext<(by: 1 | -1) => void>(() => undefined)

/** Where the title stands that the host gives as `<h1 slot="title">`: here, not above the screen. */
export const TitleSlot = () => {
  const take = useContext(TitleContext)
  useLayoutEffect(() => {
    take(1)
    return () => take(-1)
  }, [take])
  return <slot name="title" />
}
