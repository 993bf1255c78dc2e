import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { xlsx } from '../../../files/exports/xlsx.ts'
import { reconInvariants } from '../../../invariants/recon.ts'
import { wipe } from '../../../testing/wipe.ts'

const { recon } = contract
type Fixture = Awaited<ReturnType<typeof openFixture>>
let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  await fixture.waitingForFile('M1')
})
afterAll(() => fixture.close())
beforeEach(() =>
  fixture.db.withTx(tx =>
    wipe(tx, 'statementFile', 'statement', 'statementLine', 'matchedBooking', 'reconRun', 'reconItem'),
  ),
)

const day = (back = 1) => addDays(eatDate(fixture.clock.now()), -back)
const header = 'serialNo,entryTime,amount,lineDirection,fee,runningBalance'
const table = (...rows: string[]) => [header, ...rows].join('\n')
const inOne = () => `MP1,${day()} 09:00,"5,000",in,,1005000`
const outOne = () => `MP2,${day()} 10:00,2000,out,100,1002900`

/** A workbook with one row under its header. */
const workbook = (header: string[], row: string[]): Buffer => {
  const begun = xlsx.begin(header, { asTyped: true })
  const body = xlsx.rows(begun.written, [row])
  return Buffer.concat([begun.bytes, body.bytes, xlsx.end(body.written).bytes])
}

type Asked = Record<string, unknown>
const upload = (content: string | Buffer, fileName: string, as = fixture.boss) =>
  fixture.uploaded(as, { purpose: 'statement', fileName, bytes: Buffer.from(content) })
const asked = async (content: string | Buffer, o: Asked & { fileName?: string } = {}) => {
  const { fileName = 'statement.csv', ...more } = o
  const uploadNo = await upload(content, fileName)
  return { fundAccountNo: 'FA1', uploadNo, fromDate: day(), toDate: day(), ...more }
}
const brings = async (content: string | Buffer, o: Asked & { fileName?: string } = {}) =>
  fixture.ask(recon.import, await asked(content, o), { as: fixture.boss })
const checks = async (content: string | Buffer, o: Asked & { fileName?: string } = {}) =>
  fixture.ask(recon.importCheck, await asked(content, o), { as: fixture.boss })
const lines = () =>
  fixture.db.read(tx =>
    tx.rows(sql`select serial_no, direction, line_kind, amount from statement_line order by serial_no, line_kind desc`),
  )
const statements = () =>
  fixture.db.read(tx =>
    tx.rows(sql`select statement_date, opening, closing, source from statement order by statement_date`),
  )
const green = async () => {
  for (const { name, broken } of reconInvariants)
    expect([name, await fixture.db.read(tx => tx.rows(sql`select * from (${broken}) broken`))]).toEqual([name, []])
}

describe('a statement brought as our own table', () => {
  it('is checked, and then kept and compared with the books', async () => {
    expect((await checks(table(inOne(), outOne()))).data).toMatchObject({
      statementFormat: 'template',
      openingStatement: '1000000.00',
      closingStatement: '1002900.00',
      inSum: '5000.00',
      outSum: '2100.00',
      addedCount: 3,
      wrongCount: 0,
    })
    expect(await lines()).toEqual([])
    expect(await brings(table(inOne(), outOne()))).toMatchObject({ code: 0, data: { addedCount: 3, repeatedCount: 0 } })
    expect(await lines()).toMatchObject([
      { serialNo: 'MP1', direction: 'in', lineKind: 'payment', amount: '5000.00' },
      { serialNo: 'MP2', direction: 'out', lineKind: 'payment', amount: '2000.00' },
      { serialNo: 'MP2', direction: 'out', lineKind: 'fee', amount: '100.00' },
    ])
    await fixture.worker.drain()
    const { reconResult, closingStatement } = await fixture.one(
      sql<{ reconResult: string; closingStatement: string }>`select recon_result, closing_statement from recon_run`,
    )
    expect([reconResult, closingStatement]).toEqual(['differences', '1002900.00'])
    await green()
  })

  it('may have its newest row first, and leaves no day of its period out', async () => {
    const first = `MP0,${day(2)} 09:00,1000,in,,1000000`
    const file = table(outOne(), inOne(), first)
    expect((await brings(file, { fromDate: day(3) })).code).toBe(0)
    expect(await statements()).toMatchObject([
      { opening: '999000.00', closing: '999000.00', source: 'import' },
      { opening: '999000.00', closing: '1000000.00' },
      { opening: '1000000.00', closing: '1002900.00' },
    ])
  })

  it('without balances is asked for them, and begins with what the one before ended with', async () => {
    const file = `serialNo,entryTime,amount\nMP9,${day()} 09:00,5000`
    expect(await brings(file)).toMatchObject({ code: 40001, data: { fields: [{ path: 'openingStatement' }] } })
    expect(await brings(file, { openingStatement: '0.00' })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'closingStatement' }] },
    })
    const wrong = await brings(file, { openingStatement: '0.00', closingStatement: '4000.00' })
    expect(wrong.msg).toContain('-1000')
    expect((await brings(file, { openingStatement: '0.00', closingStatement: '5000.00' })).code).toBe(0)
  })

  it.each<[string, () => string, string]>([
    ['an amount of three decimals', () => `MP1,${day()} 09:00,5000.125,in,,`, '2 decimals'],
    ['an amount of nothing', () => `MP1,${day()} 09:00,0,in,,`, 'more than 0'],
    ['an amount below zero', () => `MP1,${day()} 09:00,-5,in,,`, 'amount'],
    ['a row outside its days', () => `MP1,${day(5)} 09:00,5000,in,,`, 'Outside the days'],
    ['a time that cannot be read', () => 'MP1,soon,5000,in,,', 'Entry time'],
    ['no number', () => `,${day()} 09:00,5000,in,,`, 'Serial no.'],
    ['a number twice', () => `MP1,${day()} 09:00,5000,in,,\nMP1,${day()} 09:01,5000,in,,`, 'Twice'],
  ])('with %s is refused whole, with the row and the reason', async (_, row, said) => {
    const answer = await brings(table(`MP7,${day()} 08:00,1,in,,`, row()))
    expect(answer).toMatchObject({ code: 40001 })
    expect(answer.msg).toContain(said)
    expect(answer.msg).toMatch(/Row [34]/)
    expect(await lines()).toEqual([])
    const { data } = await checks(table(`MP7,${day()} 08:00,1,in,,`, row()))
    expect((data as { wrongRows: unknown[] }).wrongRows.length).toBeGreaterThan(0)
  })

  it('in the number of an order is refused', async () => {
    const { orderNo } = await fixture.disbursed()
    const answer = await brings(table(`${orderNo},${day()} 09:00,5000,in,,5000`))
    expect(answer.msg).toContain('is an order number')
  })

  it('in another encoding is read, or refused in words', async () => {
    const chinese = `流水号,入账时间,金额,账户余额\nMP1,${day()} 09:00,5000,5000`
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(chinese, 'utf16le')])
    expect((await checks(utf16)).data).toMatchObject({ addedCount: 1, wrongCount: 0 })
    const words = ['c1f7cbaebac5', 'c8ebd5cbcab1bce4', 'bdf0b6ee', 'd5cbbba7d3e0b6ee']
    const gbk = Buffer.from(`${words.join('2c')}0a${Buffer.from(chinese.split('\n')[1] ?? '').toString('hex')}`, 'hex')
    expect((await checks(gbk)).data).toMatchObject({ addedCount: 1, wrongCount: 0 })
    const latin = Buffer.from(`serialNo,entryTime,amount,payerName\nMP1,${day()} 09:00,5000,Andr\xe9`, 'latin1')
    const refused = await checks(latin)
    expect([refused.code, refused.msg]).toEqual([40001, expect.stringContaining('encoding')])
  })
})

describe('a statement of a bank', () => {
  const account = '0140001112223'
  const compact = (date: string) => date.replaceAll('-', '').slice(2)
  const mt940 = (o: { account?: string; closing?: string; amount?: string } = {}) =>
    [
      ':20:ST1',
      `:25:${o.account ?? account}`,
      ':28C:1/1',
      `:60F:C${compact(day(2))}UGX1000,`,
      `:61:${compact(day())}C${o.amount ?? '500,'}NTRFNONREF//FT1`,
      ':86:Nakato',
      `:62F:C${compact(day())}UGX${o.closing ?? '1500,'}`,
      '-',
    ].join('\n')
  const bank = (content: string, o: Asked = {}) => checks(content, { fundAccountNo: 'FA9', fileName: 'st.sta', ...o })
  const camt = (amount = '500.00', o: { ccy?: string } = {}) => {
    const balance = (kind: string, value: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="UGX">${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day()}</Dt></Dt></Bal>`
    return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${balance('OPBD', '1000.00')}${balance('CLBD', '1500.00')}<Ntry><Amt Ccy="${o.ccy ?? 'UGX'}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day()}</Dt></BookgDt><AcctSvcrRef>FT1</AcctSvcrRef></Ntry></Stmt></BkToCstmrStmt></Document>`
  }

  it('after-loan 9: is the same in MT940, in camt.053, as a table and as a workbook: every line is kept once', async () => {
    const take = (content: string | Buffer, fileName: string) => brings(content, { fundAccountNo: 'FA9', fileName })
    expect((await take(mt940(), 'st.sta')).data).toMatchObject({ addedCount: 1 })
    expect((await take(camt(), 'st.xml')).data).toMatchObject({ addedCount: 0, repeatedCount: 1 })
    const csv = `serialNo,entryTime,amount,runningBalance\nFT1,${day()} 00:00,500,1500`
    await fixture.worker.drain()
    const run = () =>
      fixture.one(sql<object>`
      select statement_no is not null as stated, closing_statement, closing_ledger, in_flight, open_sum, unexplained, recon_result from recon_run where fund_account_no = 'FA9'`)
    const items = () =>
      fixture.rows(sql<object>`select recon_kind, reference, gap, recon_status from recon_item order by 1, 2`)
    const [tied, open] = [await run(), await items()]
    expect((await take(csv, 'st.csv')).data).toMatchObject({ addedCount: 0, repeatedCount: 1 })
    const book = workbook(
      ['serialNo', 'entryTime', 'amount', 'runningBalance'],
      ['FT1', `${day()} 00:00`, '500', '1500'],
    )
    expect((await take(book, 'st.xlsx')).data).toMatchObject({ addedCount: 0, repeatedCount: 1 })
    expect(await lines()).toHaveLength(1)
    await fixture.worker.drain()
    expect([await run(), await items()]).toEqual([tied, open])
    await green()
  })

  it.each<[string, () => string, Asked, string]>([
    ['of another account', () => mt940({ account: '999' }), {}, 'another account (999)'],
    ['that is cut', () => mt940({ closing: '1400,' }), {}, 'incomplete'],
    ['with three decimals', () => mt940({ amount: '500,125' }), {}, '“500,125” is not an amount'],
    ['in XML with three decimals', () => camt('500.125'), { fileName: 's.xml' }, '“500.125” is not an amount'],
    ['in another currency', () => camt('500', { ccy: 'USD' }), { fileName: 's.xml' }, 'USD'],
    [
      'that is another message',
      () => '<?xml version="1.0"?><Document/>',
      { fileName: 's.xml' },
      'neither our template',
    ],
  ])('%s is refused in words', async (_, content, more, said) => {
    const answer = await bank(content(), more)
    expect([answer.code, answer.msg]).toEqual([40001, expect.stringContaining(said)])
  })

  it('of another day is refused', async () => {
    const more = { fundAccountNo: 'FA9', fileName: 'st.sta', fromDate: day(9), toDate: day(4) }
    expect((await brings(mt940(), more)).msg).toContain('Outside the days')
  })
})

describe('the same file', () => {
  it('is asked about, and brings nothing when it comes again', async () => {
    expect((await brings(table(inOne()))).code).toBe(0)
    expect(await brings(table(inOne()))).toMatchObject({ code: 40002, data: { confirm: ['confirmDuplicate'] } })
    const again = await brings(table(inOne()), { confirmDuplicate: true })
    expect(again.data).toMatchObject({ addedCount: 0, repeatedCount: 1 })
    expect(await lines()).toHaveLength(1)
  })

  it('for another account is refused, because its lines stand on the first', async () => {
    expect((await brings(table(inOne()))).code).toBe(0)
    expect((await brings(table(inOne()), { fundAccountNo: 'FA9' })).msg).toContain('stand on a statement of another')
  })

  it('with another amount keeps the line as it was and opens a difference', async () => {
    expect((await brings(table(inOne()))).code).toBe(0)
    const other = table(`MP1,${day()} 09:00,6000,in,,1006000`)
    expect((await checks(other)).data).toMatchObject({ differCount: 1, addedCount: 0 })
    expect((await brings(other)).code).toBe(0)
    expect(await lines()).toMatchObject([{ amount: '5000.00' }])
    const { kind } = await fixture.one(sql<{ kind: string }>`select recon_kind as kind from recon_item`)
    expect(kind).toBe('amount_differs')
  })
})

it('is brought by who has the right, for accounts in reach and closed days', async () => {
  const reader = await fixture.person({ perms: ['fund:recon:page'], limit: 'all' })
  const input = await asked(table(inOne()))
  expect((await fixture.ask(recon.import, input, { as: reader })).code).toBe(40301)
  const own = await fixture.person({
    perms: ['fund:recon:import', 'common:upload'],
    limit: 'own_merchants',
    merchants: ['M2'],
  })
  const uploadNo = await upload(table(inOne()), 'a.csv', own)
  expect((await fixture.ask(recon.import, { ...input, uploadNo, fundAccountNo: 'FA9' }, { as: own })).code).toBe(40401)
  expect(await brings(table(inOne()), { toDate: day(0) })).toMatchObject({ code: 40001 })
  expect(await brings(table(inOne()), { fromDate: day(40) })).toMatchObject({ code: 40001 })
  expect(await brings(table(inOne()), { fromDate: day(1), toDate: day(2) })).toMatchObject({ code: 40001 })
})
