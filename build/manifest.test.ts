import { expect, it } from 'vitest'
import { customElements, domTypes, reactTypes } from './manifest.ts'

const widgets = [
  { tag: 'mkopo-audit-my-audit', summary: 'My audit' },
  { tag: 'mkopo-order-order-detail', props: { step: 'number' } },
] as const
const manifest = customElements(widgets)
const of = (tag: string) => manifest.modules.find(module => module.path === `${tag}.js`)?.declarations[0]

it('describes every widget and every small element', () => {
  expect(manifest.modules.map(module => module.path)).toEqual([
    'mkopo-audit-my-audit.js',
    'mkopo-order-order-detail.js',
    'mkopo-toast.js',
    'mkopo-loading.js',
    'mkopo-copy.js',
    'mkopo-phone.js',
  ])
  expect(of('mkopo-audit-my-audit')).toMatchObject({
    name: 'MkopoAuditMyAudit',
    tagName: 'mkopo-audit-my-audit',
    summary: 'My audit',
  })
})

it('lists attributes in their HTML spelling, and properties that have none as members only', () => {
  const attributes = of('mkopo-order-order-detail')?.attributes.map(attribute => attribute.name)
  expect(attributes).toEqual([
    'token',
    'language',
    'base-url',
    'theme',
    'density',
    'order-no',
    'from',
    'open',
    'url-state',
    'step',
  ])
  const members = of('mkopo-order-order-detail')?.members.map(member => member.name)
  expect(members).toEqual(expect.arrayContaining(['orderNo', 'fetchToken', 'filters', 'messages', 'config', 'step']))
})

it('lists the events', () => {
  const events = of('mkopo-audit-my-audit')?.events.map(event => event.name)
  expect(events).toEqual([
    'mkopo-ready',
    'mkopo-error',
    'mkopo-navigate',
    'mkopo-filters-change',
    'mkopo-row-open',
    'mkopo-action',
    'mkopo-toast',
    'mkopo-token-expired',
  ])
})

it('types the tags for the DOM and for JSX', () => {
  expect(domTypes(widgets)).toContain("'mkopo-audit-my-audit': MkopoWidget\n")
  expect(domTypes(widgets)).toMatch(/'mkopo-order-order-detail': MkopoWidget & \{\n {2}step\?: number\n\}/)
  expect(reactTypes()).toContain('interface IntrinsicElements extends Jsx')
})
