import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { Icon } from '../../../core/ui/icons.tsx'
import { Kbd } from '../../../core/ui/more.ts'
import type { Palette as PaletteDialog } from './palette.tsx'

const load = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await load()).Palette }))
/** Typing begins at once: the palette is there before anybody asks for it, and after the page. */
const fetchedAfter = 3_000

/** A modal dialog or an open menu has the keyboard: nothing else opens over it. */
export const isTaken = () =>
  document.body.style.pointerEvents === 'none' || document.body.hasAttribute('data-scroll-locked')

/** The way to the command palette: a field in the header, and Ctrl or Cmd with K. */
export const Find = ({
  auxiliary,
  ...given
}: Omit<ComponentProps<typeof PaletteDialog>, 'close' | 'records'> & { auxiliary: boolean }) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), fetchedAfter)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (!isTaken()) setOpen(true)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        className="mk-head-button mk-find"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={auxiliary ? `${t('shell.palette')} Ctrl K` : t('shell.palette')}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>{t('shell.palette')}</span> {auxiliary && <Kbd size="1">Ctrl K</Kbd>}
      </button>
      <Suspense fallback={null}>
        {open && <Palette {...given} records={auxiliary} close={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
