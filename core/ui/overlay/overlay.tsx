import { Slot } from '@radix-ui/themes'
import {
  type ComponentType,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useHost } from '../../element/context.ts'
import type { Late } from '../../element/late.ts'
import { bootText } from '../../i18n/boot.ts'
import { opening } from './opening.ts'
import type { Overlay } from './overlay-state.ts'

/** What the root of every overlay takes, whether it is controlled or not. */
export type RootProps = { open?: boolean; onOpenChange?: (open: boolean) => void; children: ReactNode }
type Panel<P> = ComponentType<P & { overlay: Overlay }>

const OverlayContext = createContext<Overlay | null>(null)
/** What the root of this overlay says. */
export const useOverlay = () => {
  const overlay = useContext(OverlayContext)
  if (!overlay) throw new Error('a part of an overlay outside of its root')
  return overlay
}

/**
 * An overlay whose button is there at once and whose panel is fetched apart: when somebody points at the button, reaches it or presses it,
 * else a little later. A press that comes before the panel opens it; where the panel cannot be fetched, a toast says so.
 */
export const OverlayRoot = ({
  kind,
  panel,
  open: given,
  onOpenChange,
  children,
}: RootProps & { kind: Overlay['kind']; panel: Late<unknown> }) => {
  const [own, setOwn] = useState(false)
  const button = useRef<HTMLElement>(null)
  const byKey = useRef(false)
  const id = useId()
  useEffect(() => panel.plan(), [panel])
  const setOpen = (open: boolean) => {
    setOwn(open)
    onOpenChange?.(open)
  }
  return (
    <OverlayContext value={{ kind, id, open: given ?? own, setOpen, button, byKey, warm: panel.warm }}>
      {children}
    </OverlayContext>
  )
}

/** The one button inside becomes that of the overlay. */
export const OverlayTrigger = ({ children }: { children: ReactElement }) => {
  const overlay = useOverlay()
  const { kind, open, warm } = overlay
  const id = useId()
  return (
    <Slot
      ref={overlay.button}
      {...(kind === 'menu' ? { id } : {})}
      aria-haspopup={kind}
      aria-expanded={open}
      aria-controls={open ? overlay.id : undefined}
      data-state={open ? 'open' : 'closed'}
      onPointerEnter={warm}
      onFocus={warm}
      {...opening[kind](overlay)}
    >
      {children}
    </Slot>
  )
}

/** The panel, once it was wanted and is there; until then `before`. */
export const OverlayContent = <P extends object>({
  panel,
  props,
  before,
}: {
  panel: Late<Panel<P>>
  props: P
  before?: ReactNode
}) => {
  const overlay = useOverlay()
  const { emit, now } = useHost()
  const [Shown, setShown] = useState<Panel<P>>()
  const { open, setOpen } = overlay
  if (open && !Shown && panel.arrived) setShown(() => panel.arrived)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening asks for the panel
  useEffect(() => {
    if (!open || panel.arrived) return
    let wanted = true
    const show = (arrived: Panel<P>) => wanted && setShown(() => arrived)
    const fail = () => {
      if (!wanted) return
      setOpen(false)
      emit('mkopo-toast', { type: 4, message: bootText(now().language, 'notLoaded') })
    }
    panel.fetch().then(show, fail)
    return () => {
      wanted = false
    }
  }, [open])
  return Shown ? <Shown {...props} overlay={overlay} /> : before
}
