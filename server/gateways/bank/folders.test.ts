import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { bankFolders } from './folders.ts'
import { answerBounds } from './pain-002.ts'

const root = mkdtempSync(path.join(tmpdir(), 'mkopo-bank-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let own: string
let at = 0
beforeEach(() => {
  own = path.join(root, `shared${++at}`)
})
const folders = (quietMs = 0) => bankFolders(own, { quietMs })
const namesIn = (...names: string[]) => readdirSync(path.join(own, ...names)).sort()
const arrive = (fundAccountNo: string, name: string, content: string | Buffer = 'answer') => {
  mkdirSync(path.join(own, fundAccountNo, 'in'), { recursive: true })
  writeFileSync(path.join(own, fundAccountNo, 'in', name), content)
}

describe('a file of ours', () => {
  it('lies in the folder of its account, whole, and nothing else with it', async () => {
    expect(await folders().lay('FA3', 'BB1.xml', '<a>Zoë</a>')).toEqual({ kind: 'laid' })
    expect(readFileSync(path.join(own, 'FA3', 'out', 'BB1.xml'), 'utf8')).toBe('<a>Zoë</a>')
    expect(namesIn('FA3', 'out')).toEqual(['BB1.xml'])
  })

  it('never takes the place of another: nobody knows what became of that one', async () => {
    await folders().lay('FA3', 'BB1.xml', 'first')
    expect(await folders().lay('FA3', 'BB1.xml', 'second')).toEqual({ kind: 'unclear', why: 'FILE_EXISTS' })
    expect(readFileSync(path.join(own, 'FA3', 'out', 'BB1.xml'), 'utf8')).toBe('first')
  })

  it('is not there where it cannot be written', async () => {
    mkdirSync(own)
    writeFileSync(path.join(own, 'FA3'), 'a file where the folder should be')
    expect(await folders().lay('FA3', 'BB1.xml', 'x')).toEqual({ kind: 'missing', why: 'ENOTDIR' })
  })

  it('is not there when it could only be written in part', async () => {
    mkdirSync(path.join(own, 'FA3', 'out', 'BB1.xml.part'), { recursive: true })
    expect(await folders().lay('FA3', 'BB1.xml', 'x')).toEqual({ kind: 'missing', why: 'EISDIR' })
    expect(namesIn('FA3', 'out')).not.toContain('BB1.xml')
  })

  it('goes into no folder but one of an account', async () => {
    await expect(folders().lay('../FA3', 'BB1.xml', 'x')).rejects.toThrow('no name of a folder')
  })
})

describe('answers', () => {
  it('are those of the accounts that are asked for, by their names', async () => {
    arrive('FA3', 'b.xml', 'B')
    arrive('FA3', 'a.XML', 'A')
    arrive('FA4', 'c.xml', 'C')
    arrive('FA5', 'd.xml', 'D')
    const found = await folders().answers(['FA3', 'FA4', 'none'])
    expect(found.map(({ fundAccountNo, fileName, bytes }) => [fundAccountNo, fileName, bytes.toString()])).toEqual([
      ['FA3', 'a.XML', 'A'],
      ['FA3', 'b.xml', 'B'],
      ['FA4', 'c.xml', 'C'],
    ])
  })

  it('are no folders, no drafts and no other files', async () => {
    mkdirSync(path.join(own, 'FA3', 'in', 'folder.xml'), { recursive: true })
    arrive('FA3', 'draft.xml.part')
    arrive('FA3', 'notes.txt')
    expect(await folders().answers(['FA3'])).toEqual([])
  })

  it('wait until nobody writes to them', async () => {
    arrive('FA3', 'a.xml')
    expect(await folders(60_000).answers(['FA3'])).toEqual([])
    const before = new Date(Date.now() - 61_000)
    utimesSync(path.join(own, 'FA3', 'in', 'a.xml'), before, before)
    expect(await folders(60_000).answers(['FA3'])).toHaveLength(1)
  })

  it('that are too large are not read into memory', async () => {
    arrive('FA3', 'a.xml', Buffer.alloc(answerBounds.bytes + 1))
    expect((await folders().answers(['FA3'])).map(({ bytes }) => bytes.length)).toEqual([0])
  })

  it('come in portions', async () => {
    for (let n = 0; n < 5; n++) arrive('FA3', `${n}.xml`)
    expect((await folders().answers(['FA3'], 3)).map(({ fileName }) => fileName)).toEqual(['0.xml', '1.xml', '2.xml'])
  })

  it('are put away once, and then are no longer there', async () => {
    arrive('FA3', 'a.xml')
    await folders().putAway('FA3', 'a.xml')
    await folders().putAway('FA3', 'a.xml')
    expect(await folders().answers(['FA3'])).toEqual([])
    expect(namesIn('FA3', 'in', 'read')).toEqual(['a.xml'])
  })
})
