import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildServer } from '../../build/server.ts'
import { faultyServer } from './built.ts'
import { cases } from './cases.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the list of faults', () => {
  it('has every fault once, and says of each what forces it or why nothing does', () => {
    expect(cases.map(({ id }) => id)).toEqual(Array.from({ length: 45 }, (_, n) => `X${n + 1}`))
    expect(cases.filter(({ by, open }) => by.length === 0 && !open)).toEqual([])
  })

  it.each(cases.flatMap(({ id, by }) => by.map(([file, test]) => ({ id, file, test }))))(
    '$id: $test, in $file',
    ({ file, test }) => {
      expect(existsSync(path.join(root, file)), file).toBe(true)
      const text = readFileSync(path.join(root, file), 'utf8')
      expect(text.includes(test), `${file} has no test «${test}»`).toBe(true)
    },
  )
})

describe('the fault points', () => {
  it('are in the server of these tests, and not in the one that is given out', async () => {
    const dist = path.join(path.dirname(faultyServer()), '../plain')
    await buildServer(root, dist)
    const plain = readFileSync(path.join(dist, 'index.js'), 'utf8')
    expect(readFileSync(faultyServer(), 'utf8')).toContain('FAULT_AT')
    expect(plain).toContain('faultPoint')
    for (const word of ['FAULT_AT', 'SIGKILL']) expect(plain).not.toContain(word)
  })
})
