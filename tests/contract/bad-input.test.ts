import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { languages } from '../../core/i18n/language.ts'
import { isKey } from '../../core/i18n/server.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { chosen, replayed } from '../chosen.ts'
import { type Fixture, openFixture } from './fixture.ts'
import type { Heard } from './http.ts'
import { fieldsOf, inputOf, misfit, spoilt } from './inputs.ts'

const million = 'a'.repeat(1_000_000)

let fixture: Fixture
let written: () => Promise<string[]>
/** Who tries two tokens is written down; the test itself takes rights away. */
const noted = ['security_log', 'role_menu']
beforeAll(async () => {
  fixture = await openFixture()
  await fixture.repaid()
  await fixture.allotted('M2')
})
afterAll(() => fixture.close())

/** The refusal says in words what is wrong: no key, no gap, no stack. */
const refuses = (heard: Heard, code: number, status = 200) => {
  expect({ code: heard.code, status: heard.status }, heard.text.slice(0, 300)).toEqual({ code, status })
  expect(heard.msg).toMatch(/\S/)
  expect(isKey(heard.msg) || /[{}]|undefined|\b(errors|validation|dict|fields)\.\w/.test(heard.msg), heard.msg).toBe(
    false,
  )
  expect(heard.headers.get('x-content-type-options')).toBe('nosniff')
}

describe.each(chosen('bad-input', endpoints))('$name', ({ name, endpoint }) => {
  replayed('tests/contract/bad-input.test.ts', `--endpoint ${name}`)
  const staff = endpoint.auth === 'staff'
  const post = endpoint.method === 'POST'
  const asked = endpoint.perm ?? endpoint.anyPerm?.[0]
  const input = inputOf(endpoint)
  const ask: Fixture['ask'] = (...given) => fixture.ask(...given)

  beforeAll(async () => {
    written = await writesOf(fixture.db, noted)
  })

  if (!endpoint.foreign)
    it('E1, E2, D11: names a key that it does not know, in the language of the caller', async () => {
      const texts = new Set<string>()
      for (const language of languages) {
        const heard = await ask(endpoint, { ...input, surprise: 'x' }, { as: fixture.boss, language })
        refuses(heard, 40001)
        expect(heard.msg).toContain('surprise')
        texts.add(heard.msg)
      }
      expect(texts.size).toBe(languages.length)
    })

  it('E4: refuses each field with another type, at its place', async () => {
    for (const field of fieldsOf(endpoint)) {
      const wrong = misfit(endpoint, field.schema)
      if (wrong === undefined) throw new Error(`${name}.${field.name} takes anything`)
      const heard = await ask(endpoint, { ...field.input, [field.name]: wrong }, { as: fixture.boss })
      refuses(heard, 40001)
      const { fields } = heard.data as { fields: { path: string; msg: string }[] }
      expect(
        fields.some(one => one.path.split('.')[0] === field.name),
        `${field.name}: ${heard.text}`,
      ).toBe(true)
    }
  })

  if (!endpoint.foreign)
    it('refuses a megabyte in any text', async () => {
      for (const { at, input: big } of spoilt(endpoint, 'string', million)) {
        const heard = await ask(endpoint, big, { as: fixture.boss })
        expect(heard.code, at).toBe(40001)
        refuses(heard, 40001)
        expect(heard.text.length, at).toBeLessThan(10_000)
      }
    })

  if (post)
    it('refuses a body of more than one megabyte before anything else', async () => {
      const body = JSON.stringify({ ...input, filler: 'a'.repeat(1024 * 1024) })
      refuses(await ask(endpoint, {}, { as: fixture.boss, body }), 40001, 413)
      refuses(await ask(endpoint, {}, { body }), 40001, 413)
    })

  // Where forms are taken as well, any text is one.
  if (post && !endpoint.foreign?.form)
    it('refuses what is not JSON, and JSON that is no object', async () => {
      for (const body of ['{"a":', '{"a":1}}', 'a=1', '[]', 'null', '1', '"text"', 'true'])
        refuses(await ask(endpoint, input, { as: fixture.boss, body }), 40001)
    })

  if (post)
    it('refuses a key that stands twice, and depth without end', async () => {
      const json = JSON.stringify({ ...input, twice: 1 })
      const deep = `{"deep":${'['.repeat(1000)}${']'.repeat(1000)}}`
      const twice = await ask(endpoint, input, { as: fixture.boss, body: json.replace(/}$/, ',"twice":1}') })
      refuses(twice, 40001)
      if (staff) expect(twice.msg).toBe('Field given twice: twice')
      refuses(await ask(endpoint, input, { as: fixture.boss, body: deep }), 40001)
    })
  else
    it('refuses a name that stands twice in its query', async () => {
      const heard = await ask(endpoint, input, { as: fixture.boss, query: 'twice=1&twice=1' })
      refuses(heard, 40001)
      expect(heard.msg).toBe('Field given twice: twice')
    })

  if (staff)
    it('B3: answers nobody without a live token, or with two', async () => {
      const two = { authorization: `Bearer ${fixture.second.token}` }
      const unknown = { userNo: '', token: 'not-a-token' }
      const texts = new Set<string>()
      for (const language of languages) {
        const heard = await ask(endpoint, input, { language })
        refuses(heard, -10)
        texts.add(heard.msg)
      }
      expect(texts.size).toBe(languages.length)
      refuses(await ask(endpoint, input, { as: unknown }), -10)
      refuses(await ask(endpoint, input, { as: fixture.boss, headers: two }), -10)
      refuses(await ask(endpoint, input, { headers: { token: '' } }), -10)
      refuses(await ask(endpoint, input, { headers: { authorization: `Basic ${fixture.boss.token}` } }), -10)
      refuses(await ask(endpoint, input, { body: '{"a":' }), -10)
    })

  if (staff && asked)
    it('refuses a person with every right but this one, before it looks at the body', async () => {
      const perms = [endpoint.perm, ...(endpoint.anyPerm ?? [])].filter(perm => perm !== undefined)
      const texts = new Set<string>()
      await fixture.without(fixture.boss, perms, async () => {
        for (const language of languages) {
          const heard = await ask(endpoint, input, { as: fixture.boss, language })
          refuses(heard, 40301)
          texts.add(heard.msg)
        }
        refuses(await ask(endpoint, { ...input, surprise: 'x' }, { as: fixture.boss, key: null }), 40301)
        if (post) refuses(await ask(endpoint, {}, { as: fixture.boss, body: '{"a":' }), 40301)
      })
      expect(texts.size).toBe(languages.length)
    })

  if (staff && endpoint.audit)
    it('wants a key for a command', async () => {
      for (const key of [null, '', 'short', 'with space in the middle', 'k'.repeat(256)])
        refuses(await ask(endpoint, input, { as: fixture.boss, key }), 40001)
    })

  it('changed nothing', async () => {
    expect(await written()).toEqual([])
  })
})
