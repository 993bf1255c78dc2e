import { describe, expect, it } from 'vitest'
import { wholeXml } from '../../files/imports/read/xml-read.ts'
import { type BankFile, type BankPayment, writePain001 } from './pain-001.ts'

const payment: BankPayment = {
  externalId: 'LC2603027K3M9Q2A-1',
  amount: '190000.00',
  holder: 'Grace Nakato',
  accountNumber: '9030001234567',
  bankName: 'Stanbic Bank',
  branch: 'Kampala Road',
  message: 'BodaCash loan LC2603027K3M9Q2A-1',
}
const file: BankFile = {
  batchNo: 'BB2603027K3M9Q2A',
  created: new Date('2026-03-02T07:00:00.123Z'),
  executionDate: '2026-03-02',
  debtor: { name: 'Nile Credit', accountNumber: '0140001112223', bankName: 'Stanbic Bank', branch: null },
  payments: [payment, { ...payment, externalId: 'LC2603027K3M9Q2B-1', amount: '50000.00' }],
}

/** The leaves of a document with their paths, read by a reader that knows nothing of the writer. */
const leaves = async (text: string): Promise<[string, string][]> => {
  const path: string[] = []
  const found: [string, string][] = []
  let content = ''
  async function* pieces() {
    yield Buffer.from(text)
  }
  await wholeXml(pieces(), {
    open(name) {
      path.push(name)
      content = ''
    },
    text(more) {
      content += more
    },
    close() {
      if (content.trim()) found.push([path.join('/').replace('Document/CstmrCdtTrfInitn/', ''), content])
      content = ''
      path.pop()
    },
  })
  return found
}
const valuesAt = async (of: BankFile, end: string) =>
  (await leaves(writePain001(of))).filter(([path]) => path.endsWith(end)).map(([, value]) => value)
const withPayment = (o: Partial<BankPayment>): BankFile => ({ ...file, payments: [{ ...payment, ...o }] })

describe('a payout file', () => {
  it('names the file, counts it and sums it up in both places, in whole shillings', async () => {
    expect(await valuesAt(file, 'GrpHdr/MsgId')).toEqual(['BB2603027K3M9Q2A'])
    expect(await valuesAt(file, 'NbOfTxs')).toEqual(['2', '2'])
    expect(await valuesAt(file, 'CtrlSum')).toEqual(['240000', '240000'])
    expect(await valuesAt(file, 'CreDtTm')).toEqual(['2026-03-02T07:00:00Z'])
    expect(await valuesAt(file, 'ReqdExctnDt')).toEqual(['2026-03-02'])
  })

  it('says of each payment its reference, its money and whose account it goes to, in the order of the standard', async () => {
    const all = await leaves(writePain001(withPayment({})))
    const own = all.flatMap(([path, value]) => {
      const below = path.split('PmtInf/CdtTrfTxInf/')[1]
      return below ? [[below, value]] : []
    })
    expect(own).toEqual([
      ['PmtId/EndToEndId', 'LC2603027K3M9Q2A-1'],
      ['Amt/InstdAmt', '190000'],
      ['CdtrAgt/FinInstnId/Nm', 'Stanbic Bank'],
      ['CdtrAgt/BrnchId/Nm', 'Kampala Road'],
      ['Cdtr/Nm', 'Grace Nakato'],
      ['CdtrAcct/Id/Othr/Id', '9030001234567'],
      ['RmtInf/Ustrd', 'BodaCash loan LC2603027K3M9Q2A-1'],
    ])
    expect(writePain001(file)).toContain('<InstdAmt Ccy="UGX">190000</InstdAmt>')
  })

  it('names our own account and its currency', async () => {
    expect(await valuesAt(file, 'DbtrAcct/Id/Othr/Id')).toEqual(['0140001112223'])
    expect(await valuesAt(file, 'DbtrAcct/Ccy')).toEqual(['UGX'])
    expect(await valuesAt(file, 'DbtrAgt/FinInstnId/Nm')).toEqual(['Stanbic Bank'])
  })

  it('says where no bank is known, because the standard wants one', async () => {
    expect(await valuesAt(withPayment({ bankName: null, branch: null }), 'CdtrAgt/FinInstnId/Othr/Id')).toEqual([
      'NOTPROVIDED',
    ])
  })

  it('is the same to the byte for the same input', () => {
    expect(writePain001(structuredClone(file))).toBe(writePain001(file))
    expect(writePain001({ ...file, executionDate: '2026-03-03' })).not.toBe(writePain001(file))
  })
})

describe('names in a payout file', () => {
  it('stay text, whatever they look like', async () => {
    const holder = `</Nm><Amt>9</Amt> & "O'Neil" <!ENTITY x>`
    expect(await valuesAt(withPayment({ holder }), 'Cdtr/Nm')).toEqual([holder])
    expect(await valuesAt(withPayment({ holder }), 'Amt/InstdAmt')).toEqual(['190000'])
  })

  it('lose what XML cannot hold, and nothing else', async () => {
    const holder = 'Grace\u0000\u001b\nNakato \uD800 Ñandú 李'
    expect(await valuesAt(withPayment({ holder }), 'Cdtr/Nm')).toEqual(['Grace   Nakato   Ñandú 李'])
  })

  it('are cut to what the standard allows, by characters and before they are escaped', async () => {
    expect(await valuesAt(withPayment({ holder: '&'.repeat(80) }), 'Cdtr/Nm')).toEqual(['&'.repeat(70)])
    expect(await valuesAt(withPayment({ message: '😀'.repeat(150) }), 'RmtInf/Ustrd')).toEqual(['😀'.repeat(140)])
  })
})

describe('what is refused rather than changed', () => {
  it.each(['x'.repeat(36), 'LC<1', ' LC1', ''])('the reference %j', externalId => {
    expect(() => writePain001(withPayment({ externalId }))).toThrow(RangeError)
  })

  it.each(['190000.50', '0.00', '-5.00'])('the amount %s', amount => {
    expect(() => writePain001(withPayment({ amount }))).toThrow(RangeError)
  })
})
