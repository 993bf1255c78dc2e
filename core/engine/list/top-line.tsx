import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import { TitleSlot } from '../../element/title.tsx'

/** Where a list inside tabs puts its figures and quick filters: in the line of the tabs. Null until it exists. */
export const TopContext = createContext<HTMLElement | null | undefined>(undefined)

/** The first line of a screen: the title that the host gave, tabs, figures, quick filters. They share it as far as they fit. */
export const TopLine = ({ children }: { children?: ReactNode }) => {
  const outlet = useContext(TopContext)
  if (outlet !== undefined) return outlet && createPortal(children, outlet)
  return (
    <div className="mk-top">
      <TitleSlot />
      {children}
    </div>
  )
}
