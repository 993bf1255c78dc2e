import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bankFolders } from '../../../gateways/bank/folders.ts'
import type { NetworkHandler } from '../../../module.ts'
import type { Person } from '../../../testing/kit.ts'
import { begunItems } from '../../../testing/proven.ts'
import { checkBooks } from '../payout/payout-books.ts'
import { answerText, type Bank, bankAccountNo, bankPerms, openBank, opening } from './bank-fixture.ts'

const root = mkdtempSync(path.join(tmpdir(), 'mkopo-bank-'))
const own = path.join(root, bankAccountNo)
let p: Bank
let officer: Person
beforeAll(async () => {
  p = await openBank({ folders: bankFolders(root, { quietMs: 0 }) })
  officer = await p.person({ perms: bankPerms })
})
beforeEach(async () => {
  rmSync(own, { recursive: true, force: true })
  await p.reset()
  await p.fund(opening, bankAccountNo)
})
afterEach(() => checkBooks(p))
afterAll(async () => {
  await p.close()
  rmSync(root, { recursive: true, force: true })
})

const made = async () => {
  const [order] = await p.waiting(1)
  const { batchNo } = (await p.make(officer)).data
  return { loanCode: order!.loanCode, batchNo, ref: `${order!.loanCode}-1` }
}
const file = (batchNo: string) => path.join(own, 'out', `${batchNo}.xml`)
const arrive = (name: string, answer: Parameters<typeof answerText>[0], fundAccountNo = bankAccountNo) => {
  mkdirSync(path.join(root, fundAccountNo, 'in'), { recursive: true })
  writeFileSync(path.join(root, fundAccountNo, 'in', name), answerText(answer))
}
const handler = () => p.handlers.get('bank.send') as unknown as NetworkHandler
const statusOf = async (loanCode: string) => (await p.code(loanCode)).loanCodeStatus

describe('a file for the folder of the bank', () => {
  it('is laid there after the money is reserved, and counts as sent before', async () => {
    const { loanCode, batchNo } = await made()
    expect(existsSync(file(batchNo))).toBe(false)
    await p.run()
    expect(readFileSync(file(batchNo), 'utf8')).toBe((await p.batch(batchNo)).fileText)
    expect((await p.attempt(loanCode)).attemptStatus).toBe('sent')
    expect((await p.batch(batchNo)).sentTime).not.toBeNull()
  })

  it('may be looked at by a person, which sends nothing', async () => {
    const { loanCode, batchNo } = await made()
    await p.download(officer, batchNo)
    expect((await p.attempt(loanCode)).attemptStatus).toBe('prepared')
  })

  it('is unknown when we die between the two, and is never laid again', async () => {
    const { loanCode, batchNo } = await made()
    await p.db.withTx(tx => handler().before(tx, { jobKey: batchNo, payload: { batchNo } }))
    await p.run()
    expect(existsSync(file(batchNo))).toBe(false)
    expect(await statusOf(loanCode)).toBe('unknown')
    expect((await p.attempt(loanCode)).answerCode).toBe('INTERRUPTED')
    expect(await p.postings(loanCode)).toEqual(['P1a'])
  })

  it('fails where the folder takes nothing, and no other file is made until somebody has looked', async () => {
    writeFileSync(own, 'a file where the folder should be')
    const { loanCode } = await made()
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'failed', failType: 'config' })
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c'])
    expect(await p.one(sql`select pause_status from channel where channel = 'bank_file'`)).toEqual({
      pauseStatus: 'paused',
    })
  })

  it('is unknown where one of its name lies there already', async () => {
    const { loanCode, batchNo } = await made()
    mkdirSync(path.dirname(file(batchNo)), { recursive: true })
    writeFileSync(file(batchNo), 'another')
    await p.run()
    expect(await statusOf(loanCode)).toBe('unknown')
    expect(readFileSync(file(batchNo), 'utf8')).toBe('another')
  })
})

describe('answers in the folder of the bank', () => {
  const paid = (ref: string, answerNo = 'A1') => ({
    answerNo,
    payments: [{ externalId: ref, status: 'ACSC', serialNo: 'FT1' }],
  })

  it('are taken in and put away', async () => {
    const { loanCode, batchNo, ref } = await made()
    await p.run()
    arrive('one.xml', { batchNo, ...paid(ref) })
    await p.clockwork('bank.answers')
    expect(await statusOf(loanCode)).toBe('success')
    expect(readdirSync(path.join(own, 'in'))).toEqual(['read'])
    expect(readdirSync(path.join(own, 'in', 'read'))).toEqual(['one.xml'])
  })

  it('that come twice change nothing the second time', async () => {
    const { loanCode, batchNo, ref } = await made()
    await p.run()
    for (const name of ['one.xml', 'again.xml']) {
      arrive(name, { batchNo, ...paid(ref) })
      await p.clockwork('bank.answers')
      p.clock.advance(300_000)
    }
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
    expect(await p.events()).toEqual([{ outcome: 'taken 1, ignored 0', deliveries: 2 }])
  })

  it('in the folder of another account are no answers', async () => {
    await p.db.withTx(async tx => {
      await tx.exec(sql`
        insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
        values ('FA4', 'Other bank', 'payout', 'Nile Credit', 'bank_file', '777') on conflict do nothing`)
      await begunItems(tx)
    })
    const { loanCode, batchNo, ref } = await made()
    await p.run()
    arrive('one.xml', { batchNo, ...paid(ref) }, 'FA4')
    await p.clockwork('bank.answers')
    expect(await statusOf(loanCode)).toBe('remitting')
    expect((await p.events()).map(({ outcome }) => outcome)).toEqual(['foreign'])
  })

  it('that nobody can read are put away and listed, and hold up no other', async () => {
    const { loanCode, batchNo, ref } = await made()
    await p.run()
    arrive('b.xml', { batchNo, ...paid(ref) })
    writeFileSync(path.join(own, 'in', 'a.xml'), '<!DOCTYPE x><Document/>')
    await p.clockwork('bank.answers')
    expect(await statusOf(loanCode)).toBe('success')
    expect((await p.events()).map(({ outcome }) => outcome)).toEqual(['unreadable', 'taken 1, ignored 0'])
    expect(readdirSync(path.join(own, 'in', 'read')).sort()).toEqual(['a.xml', 'b.xml'])
  })
})
