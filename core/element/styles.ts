import themes from 'virtual:radix-themes'
import { useInsertionEffect } from 'react'
import ui from '../ui/ui.css?sheet'
import base from './base.css?sheet'
import { useHost } from './context.ts'

const shared = [base, ...themes, ui]

/** Gives a shadow root the sheets of all widgets: the same objects everywhere, parsed once. */
export const adopt = (root: ShadowRoot) => {
  root.adoptedStyleSheets = shared
}

/** Adds the sheet of a component to the widget that draws it: `import sheet from './table.css?sheet'`. */
export const useSheet = (sheet: CSSStyleSheet) => {
  const root = useHost().element.shadowRoot
  useInsertionEffect(() => {
    if (root && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
  }, [root, sheet])
}
