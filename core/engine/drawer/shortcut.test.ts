import { expect, test } from 'vitest'
import { type Met, shortcutOf } from './shortcut.ts'

const key = (name: string, more: object = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  ...more,
})
const met = (name: string, more: Partial<Met> = {}): Met => ({ name, role: null, editable: false, ...more })
const inList = [met('tr'), met('section'), met('mkopo-audit-my-audit')]

test('each key of a list does one thing', () => {
  expect([...'/fjkxecr?'].map(one => shortcutOf(key(one), inList))).toEqual([
    'filter',
    'filter',
    'next',
    'previous',
    'choose',
    'open',
    'copy',
    'reload',
    'help',
  ])
  expect(shortcutOf(key('q'), inList)).toBeUndefined()
})

test('keys of the browser stay those of the browser', () => {
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { defaultPrevented: true }])
    expect(shortcutOf(key('r', more), inList)).toBeUndefined()
})

test('nothing happens while somebody types, or in an overlay', () => {
  for (const at of [
    met('input', { type: 'text' }),
    met('input', { type: 'search' }),
    met('textarea'),
    met('select'),
    met('div', { editable: true }),
    met('button', { role: 'combobox' }),
  ])
    expect(shortcutOf(key('j'), [at, ...inList]), at.name).toBeUndefined()
  for (const role of ['dialog', 'alertdialog', 'menu', 'listbox'])
    expect(shortcutOf(key('j'), [met('button'), met('div', { role }), ...inList]), role).toBeUndefined()
})

test('a tick or a button that has the focus is no text field', () => {
  expect(shortcutOf(key('x'), [met('button', { role: 'checkbox' }), ...inList])).toBe('choose')
  expect(shortcutOf(key('x'), [met('input', { type: 'checkbox' }), ...inList])).toBe('choose')
})
