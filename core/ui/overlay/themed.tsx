import 'virtual:radix-more'
import { ThemeContext } from '@radix-ui/themes'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { useHost } from '../../element/context.ts'
import { look } from '../theme.tsx'

type Known = NonNullable<ComponentProps<typeof ThemeContext.Provider>['value']>
const nothing = () => undefined
const fixed = {
  onAppearanceChange: nothing,
  onAccentColorChange: nothing,
  onGrayColorChange: nothing,
  onPanelBackgroundChange: nothing,
  onRadiusChange: nothing,
  onScalingChange: nothing,
}

/** What an overlay of Radix copies to where it is drawn: the theme of its widget. */
export const Themed = ({ children }: { children: ReactNode }) => {
  const { theme, accent, radius } = useHost().props
  const value = useMemo<Known>(
    () => ({ ...look, ...fixed, resolvedGrayColor: look.grayColor, appearance: theme, accentColor: accent, radius }),
    [theme, accent, radius],
  )
  return <ThemeContext value={value}>{children}</ThemeContext>
}
