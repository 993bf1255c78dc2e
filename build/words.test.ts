import path from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '../core/i18n/server.ts'
import { root } from './graph.ts'
import { mentionedBy, mentions, reach, reachLater } from './mentions.ts'
import { divide } from './words.ts'

const { parts, partsOf } = divide([`${root}widgets/registry.ts`, `${root}portal/main.tsx`])
const partOf = (key: string) => [...parts].filter(([, keys]) => keys.includes(key)).map(([name]) => name)

test('every text stands in exactly one part', () => {
  expect([...parts.values()].flat().sort()).toEqual(Object.keys(messages.zh).sort())
})

test('what every list says comes first, what one system says comes with it, the rest later', () => {
  expect([...parts.keys()]).toEqual(expect.arrayContaining(['first', 'audit', 'order', 'after-loan', 'portal', 'rest']))
  expect(partOf('common.search')).toEqual(['first'])
  expect(partOf('fields.orderNo')).toEqual(['first'])
  expect(partOf('dict.ORDER_STATUS.settled')).toEqual(['first'])
  expect(partOf('screens.mkopo-audit-my-audit')).toEqual(['audit'])
  expect(partOf('audit.boxTodo')).toEqual(['audit'])
  expect(partOf('errors.allotFrozen')).toEqual(['rest'])
})

test('much that only some systems share stands apart, and each of them has it', () => {
  expect(partOf('dict.LOAN_CODE_STATUS.success')).toEqual(['order-after-loan'])
  const having = [...partsOf].filter(([, names]) => names.includes('order-after-loan')).map(([tag]) => tag)
  expect(having.sort()).toEqual([...partsOf.keys()].filter(tag => /^mkopo-(order|after-loan)-/.test(tag)).sort())
})

test('a widget is drawn with the first part and that of its system', () => {
  expect(partsOf.get('mkopo-audit-my-audit')).toEqual(['first', 'audit'])
  expect(partsOf.get('mkopo-portal')).toEqual(['first', 'portal'])
  expect(partsOf.size).toBe(10)
})

test('no text that a screen writes out is missing when it is drawn', () => {
  const screen = path.join(root, 'widgets/audit/my-audit.tsx')
  const there = new Set((partsOf.get('mkopo-audit-my-audit') ?? []).flatMap(name => parts.get(name) ?? []))
  const files = [...reach(screen)]
  expect(files.length).toBeGreaterThan(60)
  expect(files.some(file => file.endsWith('widgets/audit/my-day.tsx'))).toBe(true)
  expect(files.some(file => file.endsWith('core/engine/ask.tsx'))).toBe(false)
  const asked = mentions(`t('audit.boxTodo'), t(\`common.\${name}\`), names('loanKind'), dict('AUDIT_RESULT')`, screen)
  expect(asked).toEqual(
    expect.arrayContaining(['audit.boxTodo', 'common.search', 'fields.loanKind', 'dict.AUDIT_RESULT.pass']),
  )
  expect(asked.filter(key => !there.has(key) && !key.startsWith('common.'))).toEqual([])
})

test('a catalogue of everything mentions nothing', () => {
  expect(mentions(`ORDER_STATUS 'orderNo'`, '/x/core/contract/dictionaries.ts')).toEqual([])
  expect(mentions(`ORDER_STATUS`, '/x/core/contract/order.ts').length).toBeGreaterThan(10)
})

test('what a screen fetches later is there too: in the parts that it has, or in the rest', () => {
  const there = new Set(['first', 'audit', 'rest'].flatMap(name => parts.get(name) ?? []))
  const late = mentionedBy([path.join(root, 'widgets/audit/my-audit.tsx')], reachLater)
  expect(late).toContain('order.steps')
  expect([...late].filter(key => !there.has(key))).toEqual([])
})
