import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLangList, readLangList } from './storage.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('the languages that were offered last are offered again; without them, or with none of ours, all are', () => {
  expect(readLangList()).toEqual(['zh', 'en', 'sw'])
  keepLangList([
    { code: 'sw', name: 'Kiswahili', sort: 1, isDefault: true },
    { code: 'en', name: 'English', sort: 2, isDefault: false },
  ])
  expect(readLangList()).toEqual(['sw', 'en'])
  for (const broken of ['{', '"en"', '[null]', '[{"code":"vi"}]']) {
    localStorage.setItem('langList', broken)
    expect(readLangList()).toEqual(['zh', 'en', 'sw'])
  }
})
