import { describe, expect, it } from 'vitest'
import { Unreadable } from '../../files/imports/read/unreadable.ts'
import { readCamt053, statementBounds } from './camt-053.ts'

const amount = (value: string | number, ccy = 'UGX') => `<Amt Ccy="${ccy}">${value}</Amt>`
const balance = (kind: string, value: string | number, o: { sign?: string; day?: string } = {}) =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>${amount(value)}<CdtDbtInd>${o.sign ?? 'CRDT'}</CdtDbtInd><Dt><Dt>${o.day ?? '2026-03-02'}</Dt></Dt></Bal>`
const details = (content: string) => `<NtryDtls><TxDtls>${content}</TxDtls></NtryDtls>`
const entry = (
  o: {
    value?: string
    sign?: string
    status?: string
    serial?: string
    day?: string
    more?: string
    details?: string
    ccy?: string
  } = {},
) =>
  `<Ntry>${amount(o.value ?? '190000.00', o.ccy)}<CdtDbtInd>${o.sign ?? 'DBIT'}</CdtDbtInd>${o.more ?? ''}<Sts>${o.status ?? 'BOOK'}</Sts>${o.day ?? '<BookgDt><Dt>2026-03-02</Dt></BookgDt>'}${o.serial ?? '<AcctSvcrRef>FT1</AcctSvcrRef>'}${o.details ?? ''}</Ntry>`
const statement = (entries = '', o: { account?: string; balances?: string } = {}) =>
  `<Stmt><Id>S1</Id><Acct>${o.account ?? '<Id><Othr><Id>0140001112223</Id></Othr></Id>'}</Acct>${
    o.balances ?? balance('OPBD', 1_000_000) + balance('CLBD', 810_000)
  }${entries}</Stmt>`
const document = (content: string, version = '02') =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>${content}</BkToCstmrStmt></Document>`
const between = '</TxDtls><TxDtls>'
const transaction = (o: { id?: string; serial?: string; amount?: string; sign?: string; more?: string } = {}) =>
  `<Refs>${o.serial ? `<AcctSvcrRef>${o.serial}</AcctSvcrRef>` : ''}${o.id ? `<EndToEndId>${o.id}</EndToEndId>` : ''}</Refs>${o.amount ?? ''}${o.sign ? `<CdtDbtInd>${o.sign}</CdtDbtInd>` : ''}${o.more ?? ''}`
const read = (text: string) => readCamt053(Buffer.from(text))
const refused = (text: string) => expect(read(text)).rejects.toThrow(Unreadable)
const linesOf = async (text: string) => (await read(document(statement(text))))[0]?.lines
const lineOf = async (text: string) => (await linesOf(text))?.[0]

describe('a statement of a bank', () => {
  it('is of an account and a day, with its balances and its lines', async () => {
    const transaction =
      '<Refs><EndToEndId>LC1-1</EndToEndId></Refs><RltdPties><DbtrAcct><Id><Othr><Id>0140001112223</Id></Othr></Id></DbtrAcct><CdtrAcct><Id><Othr><Id>9030001</Id></Othr></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Loan</Ustrd><Ustrd>LC1</Ustrd></RmtInf>'
    expect(await read(document(statement(entry({ details: details(transaction) }))))).toEqual([
      {
        accountNumber: '0140001112223',
        date: '2026-03-02',
        opening: '1000000.00',
        closing: '810000.00',
        lines: [
          {
            serialNo: 'FT1',
            direction: 'out',
            lineKind: 'payment',
            amount: '190000.00',
            time: '2026-03-01T21:00:00.000Z',
            reference: 'LC1-1',
            relatesTo: null,
            payerAccount: '9030001',
            narrative: 'Loan LC1',
          },
        ],
      },
    ])
  })

  it.each(['02', '06', '08', '13'])('may be of version %s', async version => {
    const status = version > '06' ? '<Cd>BOOK</Cd>' : 'BOOK'
    expect((await read(document(statement(entry({ status })), version)))[0]?.lines).toHaveLength(1)
  })

  it('may be of an account with an IBAN, be in the red, and begin with what the one before ended with', async () => {
    const balances = balance('CLBD', 500, { sign: 'DBIT' }) + balance('CLAV', 1) + balance('PRCD', '20.5')
    const text = document(statement('', { account: '<Id><IBAN>UG01</IBAN></Id>', balances }))
    expect(await read(text)).toMatchObject([{ accountNumber: 'UG01', opening: '20.50', closing: '-500.00', lines: [] }])
  })

  it('several may be in one file', async () => {
    const other = statement('', { account: '<Id><Othr><Id>77</Id></Othr></Id>' })
    expect((await read(document(statement() + other))).map(one => one.accountNumber)).toEqual(['0140001112223', '77'])
  })

  it('leaves out what is not booked yet', async () => {
    const text = document(statement(entry({ status: 'PDNG' }) + entry({ serial: '<AcctSvcrRef>FT2</AcctSvcrRef>' })))
    expect((await read(text))[0]?.lines.map(line => line.serialNo)).toEqual(['FT2'])
  })
})

describe('a line', () => {
  it.each([
    ['its number is the one of the entry', '<AcctSvcrRef>A</AcctSvcrRef><NtryRef>C</NtryRef>', 'A'],
    ['else the one of its transaction', '<NtryRef>C</NtryRef>', 'B'],
  ])('%s', async (_, serial, wanted) => {
    const transaction = details('<Refs><AcctSvcrRef>B</AcctSvcrRef></Refs>')
    expect((await lineOf(entry({ serial, details: transaction })))?.serialNo).toBe(wanted)
  })

  it('has the number of the bank for the entry where nothing else names it', async () => {
    expect((await lineOf(entry({ serial: '<NtryRef>C</NtryRef>' })))?.serialNo).toBe('C')
  })

  it('of money in names who paid', async () => {
    const transaction = details(
      '<RltdPties><DbtrAcct><Id><Othr><Id>55</Id></Othr></Id></DbtrAcct><CdtrAcct><Id><Othr><Id>66</Id></Othr></Id></CdtrAcct></RltdPties>',
    )
    expect(await lineOf(entry({ sign: 'CRDT', details: transaction }))).toMatchObject({
      direction: 'in',
      payerAccount: '55',
    })
  })

  it.each([
    ['by the sign of a reversal', { more: '<RvslInd>true</RvslInd>' }],
    [
      'by what is transaction of a return',
      { details: details('<Refs><EndToEndId>LC1-1</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>') },
    ],
  ])('gives something back, %s', async (_, transaction) => {
    expect((await lineOf(entry({ sign: 'CRDT', ...transaction })))?.lineKind).toBe('reversal')
  })

  it('is a payment where the sign of a reversal says no', async () => {
    expect((await lineOf(entry({ more: '<RvslInd>false</RvslInd>' })))?.lineKind).toBe('payment')
  })

  it('has no reference where the bank says that none was given', async () => {
    const transaction = details('<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>')
    expect((await lineOf(entry({ details: transaction })))?.reference).toBeNull()
  })

  it('of several transactions whose amounts the bank does not say tells nothing of one of them', async () => {
    const two = details(transaction({ id: 'LC1-1' }) + between + transaction({ id: 'LC2-1' }))
    expect(await linesOf(entry({ details: two }))).toMatchObject([{ serialNo: 'FT1', reference: null }])
  })

  it.each([
    ['the newer', (value: string) => amount(value)],
    ['the older', (value: string) => `<AmtDtls><TxAmt>${amount(value)}</TxAmt></AmtDtls>`],
  ])('adds up transactions: each is a line of its own, in %s way of saying amounts', async (_, of) => {
    const two = details(
      transaction({ id: 'LC1-1', amount: of('150000.00'), serial: 'A' }) +
        between +
        transaction({ id: 'LC2-1', amount: of('40000.00'), serial: 'B' }),
    )
    expect(await linesOf(entry({ details: two }))).toMatchObject([
      { serialNo: 'A', reference: 'LC1-1', amount: '150000.00', direction: 'out', lineKind: 'payment' },
      { serialNo: 'B', reference: 'LC2-1', amount: '40000.00', direction: 'out', lineKind: 'payment' },
    ])
  })

  it('numbers transactions of an entry that have no number of their own', async () => {
    const half = transaction({ amount: amount('95000.00') })
    const lines = await linesOf(entry({ details: details(half + between + half) }))
    expect(lines?.map(line => line.serialNo)).toEqual(['FT1-1', 'FT1-2'])
  })

  it('stays one where its transactions do not add up to it', async () => {
    const half = transaction({ id: 'LC1-1', amount: amount('95000.01') })
    const lines = await linesOf(entry({ details: details(half + between + half) }))
    expect(lines).toMatchObject([{ serialNo: 'FT1', amount: '190000.00', reference: null }])
  })

  it('of a transaction against the direction of its entry is money in', async () => {
    const two = details(
      transaction({ amount: amount('200000.00'), serial: 'A' }) +
        between +
        transaction({ amount: amount('10000.00'), serial: 'B', sign: 'CRDT' }),
    )
    expect(await linesOf(entry({ details: two }))).toMatchObject([
      { serialNo: 'A', direction: 'out' },
      { serialNo: 'B', direction: 'in', amount: '10000.00' },
    ])
  })

  it.each([
    [
      'newer',
      `<Chrgs><Rcrd>${amount('1500.00')}<CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>`,
    ],
    ['older', `<Chrgs>${amount('1000.00')}</Chrgs><Chrgs>${amount('500.00')}</Chrgs>`],
  ])('parts what was paid from the charges inside its amount, in a %s statement', async (_, more) => {
    const lines = await linesOf(entry({ value: '191500.00', more, details: details(transaction({ id: 'LC1-1' })) }))
    expect(lines).toMatchObject([
      { serialNo: 'FT1', lineKind: 'payment', direction: 'out', amount: '190000.00', reference: 'LC1-1' },
      { serialNo: 'FT1', lineKind: 'fee', direction: 'out', amount: '1500.00', reference: null, relatesTo: 'FT1' },
    ])
  })

  it('of money in is of what was sent; the charge that the bank kept is a line of its own', async () => {
    const kept = `<Chrgs><Rcrd>${amount('1500.00')}<ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>`
    expect(
      await linesOf(entry({ value: '98500.00', sign: 'CRDT', details: details(transaction({ more: kept })) })),
    ).toMatchObject([
      { lineKind: 'payment', direction: 'in', amount: '100000.00' },
      { lineKind: 'fee', direction: 'out', amount: '1500.00' },
    ])
  })

  it('leaves charges alone that stand on entries of their own, and knows such an entry', async () => {
    const apart = `<Chrgs><Rcrd>${amount('1500.00')}<ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>`
    expect(await linesOf(entry({ more: apart }))).toMatchObject([{ amount: '190000.00', lineKind: 'payment' }])
    const more = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn></BkTxCd>'
    expect(await linesOf(entry({ value: '1500.00', more }))).toMatchObject([{ amount: '1500.00', lineKind: 'fee' }])
  })

  it.each([
    ['2026-03-02T09:30:00', '2026-03-02T06:30:00.000Z'],
    ['2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000Z'],
    ['2026-03-02T09:30:00+02:00', '2026-03-02T07:30:00.000Z'],
  ])('of %s is of that moment, of Kampala where nothing else is said', async (written, wanted) => {
    const day = `<BookgDt><DtTm>${written}</DtTm></BookgDt>`
    expect((await lineOf(entry({ day })))?.time).toBe(wanted)
  })
})

describe('what is no statement', () => {
  it.each([
    ['nothing', ''],
    ['an answer to payments', document(statement()).replace('camt.053', 'pain.002')],
    ['another message', document(statement()).replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')],
    ['no statement in it', document('')],
    ['no account', document(statement('', { account: '<Nm>Nile</Nm>' }))],
    ['no opening balance', document(statement('', { balances: balance('CLBD', 1) }))],
    ['no closing balance', document(statement('', { balances: balance('OPBD', 1) }))],
    ['an entry without a number', document(statement(entry({ serial: '' })))],
    [
      'an entry whose number is too long',
      document(statement(entry({ serial: `<NtryRef>${'9'.repeat(65)}</NtryRef>` }))),
    ],
    ['an entry in another currency', document(statement(entry({ ccy: 'USD' })))],
    ['an entry without a day', document(statement(entry({ day: '' })))],
    ['an entry of a day that is none', document(statement(entry({ day: '<BookgDt><Dt>2026-13-40</Dt></BookgDt>' })))],
    ['an entry in no direction', document(statement(entry({ sign: 'BOTH' })))],
    ['an entry of less than nothing', document(statement(entry({ value: '-5' })))],
    ['an entry of parts of a cent', document(statement(entry({ value: '5.125' })))],
    ['a document type', document(statement()).replace('<Document', '<!DOCTYPE Document><Document')],
    [
      'an entry with more charges than it is of',
      document(statement(entry({ value: '5.00', more: `<Chrgs>${amount('9.00')}</Chrgs>` }))),
    ],
    ['a torn file', document(statement(entry())).slice(0, -30)],
  ])('%s', (_, text) => refused(text))

  it('more entries than a day has', () => refused(document(statement(entry().repeat(statementBounds.entries + 1)))))
})
