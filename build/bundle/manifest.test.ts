import { expect, it } from 'vitest'
import { domTypes, reactTypes } from './element-types.ts'
import { customElements, htmlData } from './manifest.ts'
import { packageJson } from './package-json.ts'

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
    'accent',
    'radius',
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

it('describes every attribute, property and event in words', () => {
  for (const { declarations } of manifest.modules)
    for (const { description, attributes, members, events } of declarations)
      for (const words of [description, ...[...attributes, ...members, ...events].map(one => one.description)])
        expect(words).toMatch(/\w{2,}/)
})

it('names the values of an attribute that has only some', () => {
  const language = of('mkopo-audit-my-audit')?.attributes.find(attribute => attribute.name === 'language')
  expect(language?.type.text).toBe("'zh' | 'en' | 'sw'")
  const tag = htmlData(widgets).tags.find(one => one.name === 'mkopo-audit-my-audit')
  expect(tag?.attributes.find(one => one.name === 'theme')).toMatchObject({
    values: [{ name: 'light' }, { name: 'dark' }],
  })
})

it('types the tags for the DOM and for JSX', () => {
  expect(domTypes(widgets)).toContain("'mkopo-audit-my-audit': MkopoWidget\n")
  expect(domTypes(widgets)).toMatch(
    /'mkopo-order-order-detail': MkopoWidget & \{\n {4}\/\*\* .+ \*\/\n {4}step\?: number\n {2}\}/,
  )
  expect(reactTypes()).toContain('interface IntrinsicElements extends Jsx')
})

it('exports the loader, the types and every element by name', () => {
  const { exports } = packageJson({ name: 'mkopo', version: '1.2.3', description: '', license: 'MIT' }, widgets)
  expect(exports).toMatchObject({
    '.': { types: './mkopo.d.ts', default: './mkopo.js' },
    './mkopo-audit-my-audit.js': { types: './elements.d.ts', default: './mkopo-audit-my-audit.js' },
    './mkopo-phone.js': { types: './elements.d.ts', default: './mkopo-phone.js' },
  })
})
