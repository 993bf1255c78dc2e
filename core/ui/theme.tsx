import type { ReactNode } from 'react'
import type { WidgetProps } from '../element/context.ts'

/** The neutral scale, the size of everything, and panels through which nothing shines. */
export const look = { grayColor: 'slate', scaling: '95%', panelBackground: 'solid' } as const

type Props = Pick<WidgetProps, 'theme' | 'accent' | 'radius' | 'density' | 'language'> & {
  /** Paints the background of the theme. */
  painted: boolean
  children: ReactNode
}

/** The root of a theme, by the marks that Radix's sheet reads. Radix's own also provides for tooltips, which not every screen has. */
export const ThemeRoot = ({ theme, accent, radius, density, language, painted, children }: Props) => (
  <div
    className={`radix-themes ${theme} w-root`}
    data-is-root-theme="true"
    data-accent-color={accent}
    data-gray-color={look.grayColor}
    data-has-background={painted}
    data-panel-background={look.panelBackground}
    data-radius={radius}
    data-scaling={look.scaling}
    data-density={density}
    lang={language}
  >
    {children}
  </div>
)
