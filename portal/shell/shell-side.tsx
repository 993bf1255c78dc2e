import { useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { IconButton } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { FoldedMenu, SideMenu } from './menu/menus.tsx'
import { useFolded } from './menu/narrow.tsx'
import { keepSideShown, readSideShown } from './storage.ts'

/** The menu at the side: shown or not as this browser remembers, folded to icons where there is no room for it. */
export const useSide = (across: boolean, nodes: Parameters<typeof SideMenu>[0]) => {
  const t = useText()
  const folded = useFolded()
  const [sideShown, setSideShown] = useState(readSideShown)
  const [unfolded, setUnfolded] = useState(false)
  if (across) return { toggle: null, side: null }
  const toggle = (
    <IconButton
      variant="ghost"
      color="gray"
      aria-label={t('shell.toggleMenu')}
      aria-expanded={folded ? unfolded : sideShown}
      onClick={() => {
        if (folded) return setUnfolded(!unfolded)
        keepSideShown(!sideShown)
        setSideShown(!sideShown)
      }}
    >
      <Icon name="menu" />
    </IconButton>
  )
  const side = !folded ? (
    sideShown && <SideMenu {...nodes} />
  ) : unfolded ? (
    <SideMenu {...nodes} />
  ) : (
    <FoldedMenu {...nodes} />
  )
  return { toggle, side }
}
