import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { menuIcons } from '../contract/user/menu.ts'
import { EntryName } from './menu-drawing.tsx'

test('every drawing that may be chosen is drawn before the name, and another word draws nothing', () => {
  const drawn = menuIcons.values.map(icon => renderToStaticMarkup(<EntryName name="Orders" icon={icon} />))
  for (const markup of drawn) expect(markup).toMatch(/^<svg .*<path d="[Mm][^"]+"><\/path><\/svg> Orders$/)
  expect(new Set(drawn).size).toBe(menuIcons.values.length)
  expect(renderToStaticMarkup(<EntryName name="Orders" icon={null} />)).toBe('Orders')
  expect(renderToStaticMarkup(<EntryName name="Orders" icon="toString" />)).not.toContain('svg')
})
