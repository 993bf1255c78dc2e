import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { writeStatement } from '../../simulators/bank/messages.ts'
import { GatewayUnavailable } from '../gateway.ts'
import { statementBounds } from './camt-053.ts'
import { bankFolders } from './folders.ts'
import { bankStatement } from './statement.ts'

const root = mkdtempSync(path.join(tmpdir(), 'mkopo-statements-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let own: string
let at = 0
beforeEach(() => {
  own = path.join(root, `shared${++at}`)
})
const account = { fundAccountNo: 'FA3', accountNumber: '0140001112223' }
const ask = (date: string, quietMs = 0) => bankStatement(bankFolders(own, { quietMs }), account)(date)
const written = (date: string, o: { account?: string; opening?: number } = {}) =>
  writeStatement({
    account: o.account ?? account.accountNumber,
    date,
    created: `${date}T22:00:00Z`,
    opening: o.opening ?? 500,
    entries: [],
  })
/** A file that a bank laid down so many minutes ago. */
const lies = (name: string, content: string | Buffer, minutes = 60) => {
  const file = path.join(own, 'FA3', 'statements', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  const then = Date.now() / 1000 - minutes * 60
  utimesSync(file, then, then)
}
const missing = async (date: string, why: RegExp) => {
  const error = await ask(date).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(GatewayUnavailable)
  expect((error as Error).message).toMatch(why)
}

describe('the statement of a day', () => {
  it('is the one of our account and the day, whatever its file is called', async () => {
    lies('a.xml', written('2026-03-01', { opening: 1 }))
    lies('b.XML', written('2026-03-02', { opening: 2 }))
    lies('c.xml', written('2026-03-02', { account: '77', opening: 3 }))
    expect(await ask('2026-03-02')).toEqual({ opening: '2.00', closing: '2.00', lines: [] })
  })

  it('is the newest where the bank wrote one again', async () => {
    lies('z.xml', written('2026-03-02', { opening: 1 }), 90)
    lies('a.xml', written('2026-03-02', { opening: 2 }), 30)
    expect((await ask('2026-03-02')).opening).toBe('2.00')
  })

  it('stays where it is: it can be asked for again', async () => {
    lies('a.xml', written('2026-03-02'))
    expect(await ask('2026-03-02')).toEqual(await ask('2026-03-02'))
  })

  it('is not there while there is no folder, no file, or only of other days', async () => {
    await missing('2026-03-02', /there is none/)
    lies('a.xml', written('2026-03-01'))
    lies('b.txt', written('2026-03-02'))
    await missing('2026-03-02', /0140001112223 of 2026-03-02: there is none/)
  })

  it('is only asked for where there is a place for it: a bank that gives none has no folder', () => {
    expect(bankFolders(own).tellsStatements('FA3')).toBe(false)
    lies('a.xml', written('2026-03-02'))
    expect(bankFolders(own).tellsStatements('FA3')).toBe(true)
    expect(bankFolders(own).tellsStatements('FA4')).toBe(false)
  })

  it('is not read while it is being written', async () => {
    lies('a.xml', written('2026-03-02'), 0)
    await expect(ask('2026-03-02', 60_000)).rejects.toThrow(GatewayUnavailable)
  })

  it('a file that cannot be read is named, and stands in the way of no other', async () => {
    lies('torn.xml', written('2026-03-02').slice(0, -40), 10)
    await missing('2026-03-02', /torn\.xml cannot be read/)
    lies('huge.xml', Buffer.alloc(statementBounds.bytes + 1, ' '), 20)
    lies('whole.xml', written('2026-03-02'), 90)
    expect((await ask('2026-03-02')).opening).toBe('500.00')
  })
})
