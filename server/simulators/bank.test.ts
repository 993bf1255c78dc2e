import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCamt053 } from '../gateways/bank/camt-053.ts'
import { writePain001 } from '../gateways/bank/pain-001.ts'
import { readPain002 } from '../gateways/bank/pain-002.ts'
import { freshDir, type SimulatedBank, startBank } from './testing.ts'

let folder: string
let dir: string
let bank: SimulatedBank
beforeEach(async () => {
  folder = freshDir()
  dir = freshDir()
  bank = await startBank({ folder, dir })
})
afterEach(() => bank.stop())

const payment = {
  externalId: 'LC1-1',
  amount: '190000.00',
  holder: 'Grace Nakato',
  accountNumber: '9030001',
  bankName: null,
  branch: null,
  message: 'loan',
}
const initiation = (batchNo: string, ...externalIds: string[]) =>
  writePain001({
    batchNo,
    created: new Date('2026-03-02T07:00:00Z'),
    executionDate: '2026-03-02',
    debtor: { name: 'Nile Credit', accountNumber: '014', bankName: null, branch: null },
    payments: externalIds.map(externalId => ({ ...payment, externalId })),
  })
/** Lays a file into the folder of an account and has the bank look. */
const hand = async (name: string, text: string) => {
  mkdirSync(join(folder, 'FA3', 'out'), { recursive: true })
  writeFileSync(join(folder, 'FA3', 'out', name), text)
  await bank.look()
}
const answers = async () => {
  const names = readdirSync(join(folder, 'FA3', 'in')).filter(name => name.endsWith('.xml'))
  const read = await Promise.all(names.map(name => readPain002(readFileSync(join(folder, 'FA3', 'in', name)))))
  return read
    .map(({ batchNo, status, reasons, payments }) => ({
      batchNo,
      status,
      why: reasons.codes.join(),
      payments: payments.map(one => `${one.externalId} ${one.status} ${one.serialNo ?? ''}`.trim()),
    }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}
const statements = async () => {
  const names = readdirSync(join(folder, 'FA3', 'statements')).sort()
  const read = await Promise.all(names.map(name => readCamt053(readFileSync(join(folder, 'FA3', 'statements', name)))))
  return read.flat().map(({ accountNumber, opening, closing, lines }) => ({
    accountNumber,
    opening,
    closing,
    lines: lines.map(line => [line.lineKind, line.direction, line.amount, line.reference, line.serialNo]),
  }))
}
const paid = async () => (await bank.truth()).movements.map(one => [one.externalId, one.amount, one.account])

describe('the simulated bank', () => {
  it('accepts a file, pays each of its payments and says so', async () => {
    await hand('BB1.xml', initiation('BB1', 'LC1-1', 'LC2-1'))
    expect(await answers()).toEqual([
      { batchNo: 'BB1', status: 'ACTC', why: '', payments: [] },
      { batchNo: 'BB1', status: null, why: '', payments: ['LC1-1 ACSC FT00000001'] },
      { batchNo: 'BB1', status: null, why: '', payments: ['LC2-1 ACSC FT00000002'] },
    ])
    expect(await paid()).toEqual([
      ['LC1-1', '190000.00', '014'],
      ['LC2-1', '190000.00', '014'],
    ])
  })

  it('refuses a file that does not add up, and pays nothing of it', async () => {
    await hand('BB1.xml', initiation('BB1', 'LC1-1').replace('<CtrlSum>190000', '<CtrlSum>190001'))
    expect(await answers()).toEqual([{ batchNo: 'BB1', status: 'RJCT', why: 'FF01', payments: [] }])
    expect(await paid()).toEqual([])
  })

  it('knows a payment again, under whatever name and number its file comes', async () => {
    await hand('BB1.xml', initiation('BB1', 'LC1-1'))
    await hand('BB2.xml', initiation('BB2', 'LC1-1'))
    expect((await answers()).find(({ batchNo }) => batchNo === 'BB2')).toMatchObject({ status: 'RJCT', why: 'DU01' })
    expect(await paid()).toHaveLength(1)
  })

  it('remembers after a restart what it paid and how far its payments are', async () => {
    await bank.scenario({ match: 'payee', value: '9030001', case: 'G25', variant: 'PDNG' })
    await hand('BB1.xml', initiation('BB1', 'LC1-1'))
    await bank.clock(86_400)
    await bank.stop('SIGKILL')
    bank = await startBank({ folder, dir })
    await bank.look()
    expect(await paid()).toEqual([])
    expect(await answers()).toHaveLength(2)
    await bank.clock(86_400)
    expect(await paid()).toHaveLength(1)
    await bank.look()
    expect(await paid()).toHaveLength(1)
  })

  it('takes no case that it does not know', async () => {
    await expect(bank.scenario({ match: 'payee', value: '1', case: 'G99' })).rejects.toThrow('unknown case')
    await expect(bank.scenario({ match: 'next', case: 'G25' })).rejects.toThrow('unknown case')
  })
})

const dayS = 86_400

describe('its statements', () => {
  it('show every day that is over what moved on it, also what came back, with balances that go on', async () => {
    await bank.scenario({ match: 'payee', value: '9030001', case: 'G28' })
    await hand('BB1.xml', initiation('BB1', 'LC1-1'))
    expect(() => readdirSync(join(folder, 'FA3', 'statements'))).toThrow()
    await bank.clock(4 * dayS)
    const none = { accountNumber: '014', opening: '99810000.00', closing: '99810000.00', lines: [] }
    expect(await statements()).toEqual([
      { ...none, opening: '100000000.00', lines: [['payment', 'out', '190000.00', 'LC1-1', 'FT00000001']] },
      none,
      none,
      { ...none, closing: '100000000.00', lines: [['reversal', 'in', '190000.00', 'LC1-1', 'FT00000002']] },
    ])
    expect((await bank.truth()).movements.map(({ kind }) => kind)).toEqual(['payout', 'return'])
  })

  it('are written once, and go on after a restart', async () => {
    await hand('BB1.xml', initiation('BB1', 'LC1-1'))
    await bank.clock(dayS)
    const before = await statements()
    expect(before).toHaveLength(1)
    await bank.stop('SIGKILL')
    bank = await startBank({ folder, dir })
    await bank.clock(dayS)
    expect((await statements()).map(({ opening, closing }) => [opening, closing])).toEqual([
      ['100000000.00', '99810000.00'],
      ['99810000.00', '99810000.00'],
    ])
  })
})
